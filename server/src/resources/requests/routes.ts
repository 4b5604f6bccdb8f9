import { Type } from "typebox";
import { endOf, startOf } from "../../domain/time/day-or-moment.ts";
import { listResponse, pageQuery } from "../../http/paging.ts";
import { loggedKey } from "../../http/request-log.ts";
import { DataOf, ListOf, type Routes } from "../../http/routes.ts";
import { LoggedRequest, LoggedRequestInFull, RequestFilterQuery } from "./schemas.ts";
import * as store from "./store.ts";
import { toLoggedRequest, toLoggedRequestInFull } from "./view.ts";

const tags = ["Logs"];
const reading = { scopes: ["logs:read"], errors: ["criteria_too_slow"] } as const;
const params = Type.Object({ request_log_id: Type.String({ description: "The line's own id." }) });

/** `/requests`: what was asked of the API, and what it answered. */
export const requestRoutes: Routes = async (app) => {
  app.get(
    "/requests",
    {
      config: reading,
      schema: {
        operationId: "listRequests",
        summary: "List the calls of the account's tokens, newest first",
        description:
          "A log: a call is listed a moment after its answer, and may be missing. What must not be missed is in `GET /events`.",
        tags,
        querystring: Type.Object({ ...pageQuery(LoggedRequest), ...RequestFilterQuery.properties }),
        response: { 200: ListOf(LoggedRequest) },
      },
    },
    async (request) => {
      const { db, config, account } = request.ctx;
      const wanted = {
        account_id: account.account_id,
        filters: readFilters(request.query, request.server.prefix),
        timeout_ms: config.criteria_timeout_ms,
      };
      return listResponse(request, {
        rows: (page) => store.listLines(db, { ...wanted, page }),
        count: (most) => store.countLines(db, wanted, most),
        show: toLoggedRequest,
      });
    },
  );

  app.get(
    "/requests/:request_log_id",
    {
      config: { scopes: reading.scopes },
      schema: {
        operationId: "getRequest",
        summary: "Get one call with its bodies and the carriers' answers",
        tags,
        params,
        response: { 200: DataOf(LoggedRequestInFull) },
      },
    },
    async ({ ctx: { db, account }, params: { request_log_id } }) => ({
      data: toLoggedRequestInFull(await store.getLine(db, account.account_id, request_log_id)),
    }),
  );
};

function readFilters(query: RequestFilterQuery, base: string): store.RequestFilters {
  const { status, method, path, request_id, from, to, shipment_id, idempotency_key } = query;
  return {
    ...(status ? { statuses: statusesOf(status) } : {}),
    ...(method ? { method } : {}),
    ...(path ? { path: path.startsWith(base) ? path.slice(base.length) : path } : {}),
    ...(request_id ? { request_id } : {}),
    ...(from ? { from: startOf(from) } : {}),
    ...(to ? { to: endOf(to) } : {}),
    ...(shipment_id ? { shipment_id } : {}),
    ...(idempotency_key ? { idempotency_key: loggedKey(idempotency_key)! } : {}),
  };
}

function statusesOf(status: string): [number, number] {
  return [Number(status.replaceAll("x", "0")), Number(status.replaceAll("x", "9"))];
}
