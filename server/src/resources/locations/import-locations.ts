import { inTransaction } from "../../database/connect.ts";
import type { Database, Environment } from "../../database/tables.ts";
import type { Clock } from "../../domain/time/clock.ts";
import type { Origin } from "../../domain/accounts/principal.ts";
import { asTexts, type Problems } from "../../domain/errors/errors.ts";
import type { KnownLocation } from "../../domain/locations/location.ts";
import { readLocation } from "../../domain/locations/location-rules.ts";
import { startTimeSlice } from "../../domain/scheduling/time-slices.ts";
import { operatorsAccountId, recordAudit } from "../../events/audit-log.ts";
import * as store from "./store.ts";

/** One location of a source, or the problems of its row, and its line in the source. */
export interface SourceRow {
  line: number;
  entry?: unknown;
  problems?: Problems;
}

export interface ImportReport {
  created: number;
  updated: number;
  unchanged: number;
  /** Locations that the source does not name any more; only where that was requested. */
  retired: number;
  error_count: number;
  /** The first thousand. */
  errors: { line: number; problems: Problems }[];
}

const errorsMax = 1000;

/**
 * Brings an environment's catalogue to the state of a source: new locations are added, known ones (by carrier
 * and external id) changed, bad rows reported and left out. All of it becomes visible at one instant. With
 * `retire_missing`, locations of the same carriers that the source does not name are retired, unless a row
 * was bad: it may have been theirs.
 */
export async function importLocations(
  { db, clock }: { db: Database; clock: Clock },
  { environment, rows, retire_missing, by }: ImportRequest,
): Promise<ImportReport> {
  const report: ImportReport = {
    created: 0,
    updated: 0,
    unchanged: 0,
    retired: 0,
    error_count: 0,
    errors: [],
  };
  const places = new Map<string, KnownLocation>();
  const yieldIfDue = startTimeSlice();
  for await (const row of rows) {
    await yieldIfDue();
    const problems = take(row, places);
    if (!problems) continue;
    report.error_count++;
    if (report.errors.length < errorsMax)
      report.errors.push({ line: row.line, problems: asTexts(problems, "row") });
  }
  const now = clock.now();
  await inTransaction(db, async (tx) => {
    for (const part of parts([...places.values()])) {
      const { created, updated } = await store.writeLocations(tx, {
        environment,
        places: part,
        now,
      });
      report.created += created;
      report.updated += updated;
      report.unchanged += part.length - created - updated;
    }
    if (retire_missing && report.error_count === 0) {
      const named = [...places.values()];
      report.retired = await store.retireOthers(tx, { environment, named, now });
    }
    const { created, updated, retired } = report;
    if (created + updated + retired === 0) return;
    await store.raiseVersion(tx, environment);
    const line = { action: "locations.imported", subject_id: environment, by };
    const details = { created, updated, retired };
    await recordAudit(tx, { account_id: operatorsAccountId, ...line, details });
  });
  return report;
}

export interface ImportRequest {
  environment: Environment;
  rows: AsyncIterable<SourceRow> | Iterable<SourceRow>;
  retire_missing: boolean;
  by: Origin;
}

/** Keeps the row's location, or returns its problems. */
function take({ entry, problems }: SourceRow, places: Map<string, KnownLocation>): Problems | null {
  if (problems) return problems;
  const read = readLocation(entry);
  if ("problems" in read) return read.problems;
  const { carrier, external_id } = read.location;
  const key = `${carrier} ${external_id}`;
  if (places.has(key)) return { external_id: ["is in the source twice; the first one counts."] };
  places.set(key, read.location);
  return null;
}

const partSize = 1000;

function* parts<T>(all: readonly T[]): Generator<T[]> {
  for (let start = 0; start < all.length; start += partSize)
    yield all.slice(start, start + partSize);
}
