import { Type } from "typebox";
import { Nullable } from "../../domain/values/schema.ts";
import { listResponse, pageQuery } from "../../http/paging.ts";
import { DataOf, ListOf, send, type Routes } from "../../http/routes.ts";
import { createToken } from "./create-token.ts";
import { revokeToken } from "./revoke-token.ts";
import { rotateToken } from "./rotate-token.ts";
import { MintedToken, NewToken, Rotation, Token } from "./schemas.ts";
import * as store from "./store.ts";
import { toToken } from "./view.ts";

const tags = ["Tokens"];
const config = { scopes: ["tokens:manage"] } as const;
const params = Type.Object({ token_id: Type.String({ description: "The token's id." }) });

/** `/tokens` (spec 4.12, decision 3). */
export const tokenRoutes: Routes = async (app) => {
  await tokenReads(app);
  await tokenWrites(app);
};

const tokenReads: Routes = async (app) => {
  app.get(
    "/tokens",
    {
      config,
      schema: {
        operationId: "listTokens",
        summary: "List the account's tokens, newest first",
        tags,
        querystring: Type.Object(pageQuery(Token)),
        response: { 200: ListOf(Token) },
      },
    },
    async (request) => {
      const { db, account } = request.ctx;
      return listResponse(request, {
        rows: (page) => store.listTokens(db, account.account_id, page),
        count: () => store.countTokens(db, account.account_id),
        show: (row) => toToken(row, account.environment),
      });
    },
  );

  app.get(
    "/tokens/:token_id",
    {
      config,
      schema: {
        operationId: "getToken",
        summary: "Get one token, without its text",
        tags,
        params,
        response: { 200: DataOf(Token) },
      },
    },
    async ({ ctx: { db, account }, params: { token_id } }) => ({
      data: toToken(await store.getToken(db, account.account_id, token_id), account.environment),
    }),
  );
};

const tokenWrites: Routes = async (app) => {
  app.post(
    "/tokens",
    {
      config: {
        creates: "/tokens/{id}",
        ...config,
        secret_answer: true,
        examples: {
          "For a year": {
            name: "Checkout",
            scopes: ["rates:read", "shipments:write", "labels:create"],
            expires_in_days: 365,
          },
        },
      },
      schema: {
        operationId: "createToken",
        summary: "Create a token; only this answer shows it",
        tags,
        body: NewToken,
        response: { 201: DataOf(MintedToken) },
      },
    },
    async (request, reply) => createToken(request.ctx, request.body).then(send(reply)),
  );

  app.delete(
    "/tokens/:token_id",
    {
      config,
      schema: {
        operationId: "revokeToken",
        summary: "Revoke a token, within a second everywhere",
        tags,
        params,
        response: { 204: Type.Null({ description: "Revoked" }) },
      },
    },
    async (request, reply) => revokeToken(request.ctx, request.params.token_id).then(send(reply)),
  );

  app.post(
    "/tokens/:token_id/rotate",
    {
      config: {
        creates: "/tokens/{id}",
        ...config,
        secret_answer: true,
        examples: { "An hour to change over": { overlap_seconds: 3600 } },
      },
      schema: {
        operationId: "rotateToken",
        summary: "Replace a token by a new one of the same scopes",
        tags,
        params,
        body: Nullable(Rotation),
        response: { 201: DataOf(MintedToken) },
      },
    },
    async (request, reply) =>
      rotateToken(request.ctx, request.params.token_id, request.body?.overlap_seconds ?? 0).then(
        send(reply),
      ),
  );
};
