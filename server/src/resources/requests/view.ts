import { toActor } from "../../events/payload.ts";
import type { LoggedRequest, LoggedRequestInFull } from "./schemas.ts";
import type { CallRow, LineInFull, LineRow } from "./store.ts";

/** A line as the list shows it. */
export function toLoggedRequest(row: LineRow): LoggedRequest {
  return {
    id: row.id,
    request_id: row.request_id,
    at: row.at.toISOString(),
    method: row.method,
    path: row.path,
    route: row.route === "" ? null : row.route,
    status: row.status,
    ms: row.ms,
    actor: toActor(row.actor) as LoggedRequest["actor"],
    idempotency_key: row.idempotency_key,
    is_replay: row.is_replay,
    error_code: row.error_code as LoggedRequest["error_code"],
    ip: row.ip,
  };
}

/** With its bodies and the calls of carriers that it made. */
export function toLoggedRequestInFull(row: LineInFull): LoggedRequestInFull {
  return {
    ...toLoggedRequest(row),
    request_body: parsed(row.bodies?.request_body),
    response_body: parsed(row.bodies?.response_body),
    carrier_calls: row.carrier_calls.map(toCarrierCall),
  };
}

function toCarrierCall(row: CallRow): LoggedRequestInFull["carrier_calls"][number] {
  return {
    id: row.id,
    at: row.at.toISOString(),
    carrier: row.carrier,
    operation: row.operation,
    outcome: row.outcome,
    ms: row.ms,
    shipment_id: row.shipment_id,
    request_body: parsed(row.request_body),
    response_body: parsed(row.response_body),
  };
}

function parsed(text: string | null | undefined): unknown {
  return text === null || text === undefined ? null : (JSON.parse(text) as unknown);
}
