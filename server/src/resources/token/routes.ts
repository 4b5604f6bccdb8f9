import { Type } from "typebox";
import { Environment } from "../../domain/accounts/environment.ts";
import { Scope } from "../../domain/accounts/scopes.ts";
import { Moment, Nullable } from "../../domain/values/schema.ts";
import { DataOf, type Routes } from "../../http/routes.ts";
import { findToken } from "../tokens/service.ts";

const OwnToken = Type.Object(
  {
    id: Type.String({ description: "The token's, or the user's of a session." }),
    name: Nullable(Type.String({ description: "Null for a session." })),
    scopes: Type.Array(Type.Unsafe<string>(Scope)),
    environment: Environment,
    account_id: Type.String(),
    expires_at: Nullable(Moment()),
  },
  { $id: "OwnToken" },
);

/** `/token`: what the caller is, and may do. */
export const ownTokenRoutes: Routes = async (app) => {
  app.get(
    "/token",
    {
      config: { scopes: [] },
      schema: {
        operationId: "getOwnToken",
        summary: "Read what this call's token is and may do",
        tags: ["Tokens"],
        response: { 200: DataOf(OwnToken) },
      },
    },
    async ({ ctx: { db, account, token } }) => {
      const { account_id, environment } = account;
      const { id, scopes } = token;
      const row = await findToken(db, account_id, id);
      return {
        data: {
          id,
          name: row?.name ?? null,
          scopes: [...scopes],
          environment,
          account_id,
          expires_at: row?.expires_at?.toISOString() ?? null,
        },
      };
    },
  );
};
