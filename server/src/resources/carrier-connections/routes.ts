import { Type } from "typebox";
import type { Context } from "../../context.ts";
import { ApiError } from "../../domain/errors/errors.ts";
import { Environment } from "../../domain/accounts/environment.ts";
import { Annotated } from "../../domain/values/schema.ts";
import { listResponse, pageQuery } from "../../http/paging.ts";
import { DataOf, ListOf, send, type Routes } from "../../http/routes.ts";
import { createConnection, deleteConnection, updateConnection } from "./change-connection.ts";
import { rotateSecrets, testConnection } from "./test-connection.ts";
import {
  Connection,
  ConnectionChanges,
  ConnectionTestResult,
  NewConnection,
  SecretsRotation,
} from "./schemas.ts";
import * as store from "./store.ts";
import { toConnectionView } from "./view.ts";

const tags = ["Carriers"];
const errors = ["feature_disabled"] as const;
const reads = { scopes: ["carriers:read"], errors } as const;
const writes = { scopes: ["carriers:write"], errors } as const;
const params = Type.Object({
  connection_id: Type.String({ description: "The connection's id." }),
});
const base = "/carrier-connections";
const one = `${base}/:connection_id`;

/** `/carrier-connections`: an account's own contracts with carriers, where it may have them (decision 27). */
export const connectionRoutes: Routes = async (app) => {
  await connectionReads(app);
  await connectionWrites(app);
  await connectionCalls(app);
};

/** The account's connections are its own; throws 403 `feature_disabled` where it may have none. */
function ownerOf({ account }: Context): string {
  if (account.settings.own_carrier_accounts) return account.account_id;
  throw new ApiError("feature_disabled", { details: { setting: "own_carrier_accounts" } });
}

const connectionReads: Routes = async (app) => {
  app.get(
    base,
    {
      config: reads,
      schema: {
        operationId: "listCarrierConnections",
        summary: "List the account's own connections with carriers, newest first",
        tags,
        querystring: Type.Object({
          ...pageQuery(Connection),
          carrier: Type.Optional(Type.String({ maxLength: 100, description: "A carrier's code." })),
          environment: Type.Optional(
            Annotated(Environment, {
              description: "An account's connections are of its own environment.",
            }),
          ),
        }),
        response: { 200: ListOf(Connection) },
      },
    },
    async (request) => {
      const { db } = request.ctx;
      const { carrier, environment } = request.query;
      const filters = { account_id: ownerOf(request.ctx), carrier, environment };
      return listResponse(request, {
        rows: (page) => store.listConnections(db, filters, page),
        count: (most) => store.countConnections(db, filters, most),
        show: toConnectionView,
      });
    },
  );

  app.get(
    one,
    {
      config: reads,
      schema: {
        operationId: "getCarrierConnection",
        summary: "Get one connection",
        tags,
        params,
        response: { 200: DataOf(Connection) },
      },
    },
    async ({ ctx, params: { connection_id: id } }) => {
      const key = { account_id: ownerOf(ctx), id };
      return { data: toConnectionView(await store.getConnection(ctx.db, key)) };
    },
  );
};

const connectionWrites: Routes = async (app) => {
  app.post(
    base,
    {
      config: {
        ...writes,
        creates: `${base}/{id}`,
        validation: "in_verb",
        examples: {
          "A contract with FedEx": {
            carrier: "fedex",
            name: "Our FedEx account",
            values: { account_number: "A1B2C3" },
            secrets: { api_key: "sim_example_key" },
          },
        },
      },
      schema: {
        operationId: "createCarrierConnection",
        summary: "Add a contract of the account's own with a carrier",
        description:
          "`values` and `secrets` have the carrier's fields. From now on the carrier is asked, and bills, under it: rates say `billed_by: carrier`. 409 `conflict` for the 101st.",
        tags,
        body: NewConnection,
        response: { 201: DataOf(Connection) },
      },
    },
    async ({ ctx, body }, reply) => createConnection(ctx, ownerOf(ctx), body).then(send(reply)),
  );

  app.patch(
    one,
    {
      config: {
        ...writes,
        validation: "in_verb",
        examples: { "Not for now": { status: "disabled" } },
      },
      schema: {
        operationId: "updateCarrierConnection",
        summary: "Change, disable or enable a connection",
        description: "Secrets are changed by `POST /carrier-connections/{connection_id}/rotate`.",
        tags,
        params,
        body: ConnectionChanges,
        response: { 200: DataOf(Connection) },
      },
    },
    async ({ ctx, params: { connection_id: id }, body }, reply) =>
      updateConnection(ctx, { account_id: ownerOf(ctx), id }, body).then(send(reply)),
  );

  app.delete(
    one,
    {
      config: writes,
      schema: {
        operationId: "deleteCarrierConnection",
        summary: "Delete a connection",
        description:
          "409 `conflict` while what was bought on it has no outcome yet, a label's file is late, or a pickup is to come. What was bought on it cannot be voided or tracked afterwards.",
        tags,
        params,
        response: { 204: Type.Null({ description: "Deleted" }) },
      },
    },
    async ({ ctx, params: { connection_id: id } }, reply) =>
      deleteConnection(ctx, { account_id: ownerOf(ctx), id }).then(send(reply)),
  );
};

/** What calls the carrier. */
const connectionCalls: Routes = async (app) => {
  app.post(
    `${one}/test`,
    {
      config: { ...writes, limit: "carrier" },
      schema: {
        operationId: "testCarrierConnection",
        summary: "Ask the carrier whether it accepts the connection",
        tags,
        params,
        response: { 200: DataOf(ConnectionTestResult) },
      },
    },
    async ({ ctx, params: { connection_id: id } }, reply) =>
      testConnection(ctx, { account_id: ownerOf(ctx), id }).then(send(reply)),
  );

  app.post(
    `${one}/rotate`,
    {
      config: {
        ...writes,
        errors: ["feature_disabled", "carrier_error"],
        limit: "carrier",
        validation: "in_verb",
        examples: { "A new key": { secrets: { api_key: "sim_another_key" } } },
      },
      schema: {
        operationId: "rotateCarrierConnection",
        summary: "Replace a connection's secrets, without a stop",
        description:
          "The carrier is asked with the new ones first; the old ones stay where it does not accept them.",
        tags,
        params,
        body: SecretsRotation,
        response: { 200: DataOf(Connection) },
      },
    },
    async ({ ctx, params: { connection_id: id }, body }, reply) =>
      rotateSecrets(ctx, { account_id: ownerOf(ctx), id }, body).then(send(reply)),
  );
};
