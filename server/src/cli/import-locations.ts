import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import type { Database, Environment } from "../database/tables.ts";
import { byShell } from "../domain/accounts/principal.ts";
import { systemClock } from "../domain/time/clock.ts";
import { ApiError } from "../domain/errors/errors.ts";
import {
  importLocations,
  rowsOfCsv,
  rowsOfJson,
  type ImportReport,
} from "../resources/locations/service.ts";

/** `waybill import` as an operator types it. Exits 1 when a row was left out. */

export interface ImportLocationsOptions {
  environment: string;
  retireMissing?: boolean;
}

export async function importLocationsFrom(
  db: Database,
  file: string,
  { environment, retireMissing = false }: ImportLocationsOptions,
): Promise<void> {
  const isJson = file.toLowerCase().endsWith(".json");
  try {
    const report = await importLocations(
      { db, clock: systemClock },
      {
        environment: environmentOf(environment),
        rows: isJson
          ? rowsOfJson(await readFile(file, "utf8"))
          : rowsOfCsv(createReadStream(file, "utf8")),
        retire_missing: retireMissing,
        by: byShell,
      },
    );
    tell(report);
  } catch (error) {
    throw error instanceof ApiError ? new Error(`${file} ${textOf(error)}`) : error;
  }
}

function environmentOf(word: string): Environment {
  if (word !== "live" && word !== "test") throw new Error("--environment is live or test.");
  return word;
}

function textOf({ details, message }: ApiError): string {
  const texts = Object.values(details).flat();
  return texts.length > 0 ? texts.join(" ") : message;
}

function tell({ created, updated, unchanged, retired, error_count, errors }: ImportReport): void {
  for (const { line, problems } of errors) {
    for (const [field, texts] of Object.entries(problems))
      console.error(`line ${line}: ${[field, ...texts].filter(Boolean).join(" ")}`);
  }
  console.log(
    `${created} added, ${updated} changed, ${unchanged} as they were, ${retired} gone, ${error_count} left out.`,
  );
  if (error_count > 0) process.exitCode = 1;
}
