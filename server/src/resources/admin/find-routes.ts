import { Type } from "typebox";
import type { Platform } from "../../context.ts";
import { listResponse, pageParameters } from "../../http/paging.ts";
import { publicOrigin } from "../../http/public-origin.ts";
import type { Routes } from "../../http/routes.ts";
import * as store from "./find-store.ts";

/** What the operator's pages search and list: organizations, accounts, and the audit log of everything. */
export const adminFindRoutes =
  (platform: Platform): Routes =>
  async (app) => {
    const { db, config } = platform;
    const origin = publicOrigin(app, config);
    const context = (prefix: string) => ({ config, base_url: origin() + prefix });
    const q = Type.String({ minLength: 1, maxLength: 100 });

    app.get("/search", { schema: { querystring: Type.Object({ q }) } }, async ({ query }) => ({
      data: await store.search(db, query.q),
    }));

    app.get(
      "/accounts",
      {
        schema: {
          querystring: Type.Object({
            ...pageParameters,
            q: Type.Optional(q),
            suspended: Type.Optional(Type.Union([Type.Literal("true"), Type.Literal("false")])),
          }),
        },
      },
      async ({ url, query, server, routeOptions }) => {
        const request = { url, query, server, routeOptions, ctx: context(server.prefix) };
        const suspended = query.suspended === undefined ? undefined : query.suspended === "true";
        const wanted = await store.wantedAccounts(db, { q: query.q, suspended });
        return listResponse(request, {
          rows: (page) => store.listAccounts(db, { ...wanted, page }),
          count: () => store.countAccounts(db, wanted),
          show: store.toFoundAccount,
        });
      },
    );

    app.get(
      "/audit-log",
      {
        schema: {
          querystring: Type.Object({
            per_page: pageParameters.per_page,
            before: Type.Optional(Type.String({ format: "date-time" })),
            action: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
          }),
        },
      },
      async ({ query: { per_page = 25, before, action } }) => {
        const rows = await store.listWholeAudit(db, {
          limit: per_page,
          before: before === undefined ? platform.clock.now() : new Date(before),
          ...(action === undefined ? {} : { action }),
        });
        return { data: rows, meta: { next_before: rows.at(-1)?.created_at ?? null } };
      },
    );
  };
