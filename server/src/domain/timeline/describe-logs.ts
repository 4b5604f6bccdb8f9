import { nameOfActor } from "../accounts/principal.ts";
import type { Entry } from "./entry.ts";
import { origin, type DescribedRow, type DescriptionContext } from "./description.ts";
import { personsIn, withoutPersons } from "./without-persons.ts";

/** Requests to the API, calls of carriers, and their scans. */

export interface DescribedRequest extends DescribedRow {
  request_id: string;
  method: string;
  path: string;
  status: number;
  ms: number;
  error_code: string | null;
  is_replay: boolean;
  /** Redacted; null where there is none, or where the token may not read it. */
  request_body: string | null;
  response_body: string | null;
}

/** A request of a client, with the code of its error where it failed, and what was logged of both bodies. */
export function describeRequest(line: DescribedRequest): Entry {
  const { at, rank, id, request_id, method, path, status, ms, error_code, is_replay } = line;
  const answer = [status, error_code].filter((part) => part !== null).join(" ");
  const replayed = is_replay ? ", as before: the Idempotency-Key was used again" : "";
  return {
    at,
    rank,
    id,
    kind: "request",
    title: `${method} ${path} was answered with ${answer}${replayed}`,
    request_id,
    cause: null,
    details: {
      method,
      path,
      status,
      ms,
      error_code,
      is_replay,
      caller: line.actor && nameOfActor(line.actor),
      ...bodiesOf(line),
    },
    links: { request: `/requests/${id}` },
  };
}

export interface DescribedCall extends DescribedRow {
  attempt_id: string | null;
  shipment_id: string | null;
  carrier: string;
  operation: string;
  ms: number;
  outcome: string;
  request_body: string | null;
  response_body: string | null;
}

/** What each operation asks, after the carrier's name. */
const asked: Record<string, string> = {
  quote: "was asked for prices",
  buy_label: "was asked for the label",
  find_label: "was asked whether it issued the label",
  fetch_files: "was asked for the label's file",
  refund_state: "was asked about the refund",
  void_label: "was asked to void the label",
  track: "was asked where the package is",
};

const answers: Record<string, string> = {
  ok: "answered",
  refused: "refused",
  unreachable: "was not reached",
  unknown: "gave no answer that proves anything",
};

/** A call to a carrier; `ms` until its answer, or until it was given up. */
export function describeCall(call: DescribedCall, context: DescriptionContext): Entry {
  const { at, rank, id, attempt_id, shipment_id, carrier, operation, ms, outcome } = call;
  const what = asked[operation] ?? `was called (${operation})`;
  const answer = answers[outcome] ?? outcome;
  return {
    at,
    rank,
    id,
    kind: "carrier_call",
    title: `${context.nameOf(carrier)} ${what}, and ${answer} after ${ms} ms`,
    ...origin(call, context, attempt_id !== null),
    details: {
      carrier,
      operation,
      outcome,
      ms,
      attempt_id,
      shipment_id,
      ...bodiesOf(call),
    },
    links: {},
  };
}

/** Bodies are stored as JSON. */
function bodiesOf({
  request_body,
  response_body,
}: Pick<DescribedCall, "request_body" | "response_body">) {
  return { request_body: parsed(request_body), response_body: parsed(response_body) };
}

function parsed(text: string | null): unknown {
  return text === null ? null : (JSON.parse(text) as unknown);
}

export interface DescribedScan extends DescribedRow {
  tracker_id: string;
  tracking_code: string;
  carrier: string;
  carrier_code: string;
  description: string;
  status: string;
  city: string;
  province_code: string | null;
  country_code: string | null;
  /** Of the shipment: what the carrier wrote may repeat them. */
  addresses: readonly object[];
}

/** A carrier's scan. Its description is told without what identifies a person of the shipment's addresses. */
export function describeScan(scan: DescribedScan, context: DescriptionContext): Entry {
  const { at, rank, id, tracker_id, tracking_code, carrier, carrier_code, status, city } = scan;
  const { province_code, country_code } = scan;
  const description = withoutPersons(scan.description, personsIn(scan.addresses));
  const place = [city, province_code].filter(Boolean).join(" ");
  return {
    at,
    rank,
    id,
    kind: "tracking",
    title: `${context.nameOf(carrier)}: ${description}${place ? `, ${place}` : ""}`,
    request_id: null,
    cause: { type: "schedule", id: `tracking.${carrier}` },
    details: {
      tracker_id,
      tracking_code,
      carrier,
      carrier_code,
      description,
      status,
      city,
      province_code,
      country_code,
    },
    links: { tracking: `/tracking/${encodeURIComponent(tracking_code)}` },
  };
}
