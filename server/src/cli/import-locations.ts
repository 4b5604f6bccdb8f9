import { text } from "node:stream/consumers";
import type { Database, Environment } from "../database/tables.ts";
import { byShell } from "../domain/accounts/principal.ts";
import { systemClock } from "../domain/time/clock.ts";
import type { Input } from "./files.ts";
import { ApiError } from "../domain/errors/errors.ts";
import {
  importLocations,
  rowsOfCsv,
  rowsOfJson,
  type ImportReport,
} from "../resources/locations/service.ts";

/** `waybill import` as an operator types it. Exits 1 when a row was left out. */

export interface ImportLocationsOptions {
  environment: Environment;
  retireMissing?: boolean;
}

export async function importLocationsFrom(
  db: Database,
  { file, input }: { file: string; input: Input },
  { environment, retireMissing = false }: ImportLocationsOptions,
): Promise<void> {
  const isJson = file.toLowerCase().endsWith(".json");
  try {
    const report = await importLocations(
      { db, clock: systemClock },
      {
        environment,
        rows: isJson
          ? rowsOfJson(await text(input.read()))
          : rowsOfCsv(input.read().setEncoding("utf8")),
        retire_missing: retireMissing,
        by: byShell,
      },
    );
    tell(report);
  } catch (error) {
    throw error instanceof ApiError ? new Error(`${file} ${textOf(error)}`) : error;
  }
}

function textOf({ details, message }: ApiError): string {
  const texts = Object.values(details).flat();
  return texts.length > 0 ? texts.join(" ") : message;
}

function tell({ created, updated, unchanged, retired, error_count, errors }: ImportReport): void {
  for (const { line, problems } of errors) {
    for (const text of Object.values(problems).flat()) console.error(`line ${line}: ${text}`);
  }
  console.log(
    `${created} added, ${updated} changed, ${unchanged} as they were, ${retired} gone, ${error_count} left out.`,
  );
  if (error_count > 0) process.exitCode = 1;
}
