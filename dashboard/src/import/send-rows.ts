import { ValidationFailed, type ShipmentEntry, type ShipmentsCreated } from "@waybill/sdk";
import type { Environment } from "../environment.ts";
import { waybillOf } from "../waybill.ts";
import { chunkKey } from "./chunk-key.ts";
import { problemsOfDetails, toEntry } from "./entry.ts";
import type { Import } from "./stored-import.ts";

type Row = ShipmentsCreated["data"][number];

/** Creates the shipments of one chunk and returns the import with what became of each row. Sent again, it creates nothing. */
export async function sendChunk(
  environment: Environment,
  state: Import,
  places: readonly number[],
): Promise<Import> {
  const { mapping, units, rows } = state;
  const idempotencyKey = chunkKey({ ...state, places });
  const entries = places.map((place) => toEntry(rows[place]!, mapping, units));
  const results = await create(environment, entries, idempotencyKey);
  const created = { ...state.created };
  const services = { ...state.services };
  const problems = { ...state.problems };
  for (const row of results) {
    const place = places[row.index]!;
    if (row.status === "created") {
      created[place] = row.data.id;
      if (row.data.service) services[place] = row.data.service;
      delete problems[place];
    } else {
      const { details, message } = row.error;
      problems[place] = problemsOfDetails(details ?? {}, mapping, message);
    }
  }
  const sending = state.sending?.filter((each) => each !== places) ?? null;
  return { ...state, created, services, problems, sending };
}

async function create(environment: Environment, entries: ShipmentEntry[], idempotencyKey: string) {
  try {
    return (await waybillOf(environment).shipments.create(entries, { idempotencyKey })).data;
  } catch (error) {
    // A call of which no row is good is refused, with its rows in the body.
    const rows = error instanceof ValidationFailed && (error.body as { data?: Row[] }).data;
    if (rows) return rows;
    throw error;
  }
}
