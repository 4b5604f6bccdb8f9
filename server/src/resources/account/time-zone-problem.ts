import type { Database, Tx } from "../../database/tables.ts";
import { addProblem, type Problems } from "../../domain/errors/errors.ts";
import { isTimeZone } from "../../domain/time/wall-clock.ts";
import * as store from "./store.ts";

/**
 * Statements count their days by Node's list of time zones, reports and manifests by PostgreSQL's, and each may lack
 * names that the other has: an account's is in both.
 */
export async function addTimeZoneProblem(
  db: Database | Tx,
  problems: Problems,
  time_zone: string,
): Promise<void> {
  if (!isTimeZone(time_zone))
    addProblem(
      problems,
      "time_zone",
      "must be UTC, or an area and a place of the IANA time zone database, such as America/Toronto.",
    );
  else if (!(await store.hasTimeZone(db, time_zone)))
    addProblem(
      problems,
      "time_zone",
      "is not among the time zones that PostgreSQL knows here; use another name of the zone, such as America/Toronto.",
    );
}
