import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CarrierError } from "../carrier.ts";
import type { HttpAnswer } from "../../transport/http-call.ts";

/**
 * Recordings of carriers, in a folder that is not in the repository: `WAYBILL_CORPUS` names it. Each is
 * `<carrier>/<operation>/<kind>.<origin>-<name>.<ext>`, and the carriers' own schemas are in `specs/`.
 */
export const corpus = process.env.WAYBILL_CORPUS || null;

export interface Recording {
  operation: string;
  /** `request`, `response`, `exchange`, `unified_in`, `unified_out`. */
  kind: string;
  /** Relative to the corpus. */
  path: string;
  bytes: Buffer;
}

/** All recordings of a carrier, by their path. None where there is no corpus. */
export function recordingsOf(carrier: string): Recording[] {
  if (corpus === null || !existsSync(join(corpus, carrier))) return [];
  const folder = join(corpus, carrier);
  return readdirSync(folder, { withFileTypes: true })
    .filter((each) => each.isDirectory())
    .flatMap(({ name: operation }) =>
      readdirSync(join(folder, operation)).map((file) => ({
        operation,
        kind: file.split(".")[0]!,
        path: `${carrier}/${operation}/${file}`,
        bytes: readFileSync(join(folder, operation, file)),
      })),
    )
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** A recording as the answer of a call; whose status was not recorded has `status`. */
export function answerOf({ bytes }: Pick<Recording, "bytes">, status = 200): HttpAnswer {
  return { status, headers: {}, bytes, retry_after_seconds: null };
}

/** What a parser makes of an answer: literals, or a `CarrierError`. Anything else that is thrown is a bug. */
export function outcomeOf(parse: (answer: HttpAnswer) => unknown, answer: HttpAnswer): Outcome {
  try {
    return { literals: parse(answer) };
  } catch (error) {
    if (error instanceof CarrierError) return { failure: error };
    throw error;
  }
}

export type Outcome = { literals: unknown } | { failure: CarrierError };

/** Anything but literals in what was parsed: a bug. */
export function isLiteral(value: unknown): boolean {
  if (value === null || ["string", "boolean"].includes(typeof value)) return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (value instanceof Date) return !Number.isNaN(value.getTime());
  if (Buffer.isBuffer(value)) return true;
  return typeof value === "object" && Object.values(value).every(isLiteral);
}
