import { Type } from "typebox";
import type { Platform } from "../../context.ts";
import { platformAccountId } from "../../domain/accounts/connection-status.ts";
import { OneOf } from "../../domain/values/schema.ts";
import { listResponse, pageParameters } from "../../http/paging.ts";
import { send, type Routes } from "../../http/routes.ts";
import { createConnection, deleteConnection, updateConnection } from "./change-connection.ts";
import { rotateSecrets, testConnection } from "./test-connection.ts";
import { ConnectionChanges, NewConnection, SecretsRotation } from "./schemas.ts";
import * as store from "./store.ts";
import { toConnectionView } from "./view.ts";

/** `/api/admin/carrier-connections`: the platform's own contracts with carriers (decision 27). */
export const platformConnectionRoutes =
  ({ db }: Platform): Routes =>
  async (app) => {
    const base = "/carrier-connections";
    const one = `${base}/:connection_id`;
    const params = Type.Object({ connection_id: Type.String() });
    const account_id = platformAccountId;
    const inVerb = { validation: "in_verb" } as const;

    app.get(
      base,
      {
        schema: {
          querystring: Type.Object({
            ...pageParameters,
            carrier: Type.Optional(Type.String({ maxLength: 100 })),
            environment: Type.Optional(OneOf(["live", "test"])),
          }),
        },
      },
      async (request) => {
        const { carrier, environment } = request.query;
        const filters = { account_id, carrier, environment };
        return listResponse(request, {
          rows: (page) => store.listConnections(db, filters, page),
          count: (most) => store.countConnections(db, filters, most),
          show: toConnectionView,
        });
      },
    );

    app.get(one, { schema: { params } }, async (request) => {
      const key = { account_id, id: request.params.connection_id };
      return { data: toConnectionView(await store.getConnection(db, key)) };
    });

    app.post(
      base,
      { config: inVerb, schema: { body: NewConnection } },
      async ({ ctx, body }, reply) => createConnection(ctx, account_id, body).then(send(reply)),
    );

    app.patch(
      one,
      { config: inVerb, schema: { params, body: ConnectionChanges } },
      async ({ ctx, params: { connection_id: id }, body }, reply) =>
        updateConnection(ctx, { account_id, id }, body).then(send(reply)),
    );

    app.delete(one, { schema: { params } }, async ({ ctx, params }, reply) =>
      deleteConnection(ctx, { account_id, id: params.connection_id }).then(send(reply)),
    );

    app.post(`${one}/test`, { schema: { params } }, async ({ ctx, params }, reply) =>
      testConnection(ctx, { account_id, id: params.connection_id }).then(send(reply)),
    );

    app.post(
      `${one}/rotate`,
      { config: inVerb, schema: { params, body: SecretsRotation } },
      async ({ ctx, params, body }, reply) =>
        rotateSecrets(ctx, { account_id, id: params.connection_id }, body).then(send(reply)),
    );
  };
