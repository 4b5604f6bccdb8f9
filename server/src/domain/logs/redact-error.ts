import { errorDetails } from "../error-answers/error-details.ts";
import { errorCatalogue, type ErrorCode } from "../errors/errors.ts";
import { hidden, redacted, type RedactOptions } from "./redact.ts";

/** What a log keeps of an error's body. */

/** A message that follows from a schema alone, and quotes nothing that was sent. */
const plainMessage =
  /^[\w.]* ?(is required|is not a field of this call|must not be empty|must be an? [a-z]+|must be (at least|at most|greater than|less than) -?[\d.]+|must have at (least|most) \d+ [a-z]+)\.$/;

const fieldsMax = 50;

/**
 * The error with its code, and with the messages and fields that quote nothing of the request; null for a body
 * that is no error. `fields`: the names that a path of a field may have.
 */
export function redactedError(
  body: unknown,
  fields: ReadonlySet<string>,
  options: RedactOptions,
): string | null {
  const { error } = (body ?? {}) as {
    error?: { code?: unknown; message?: unknown; details?: unknown };
  };
  if (typeof error?.code !== "string" || !Object.hasOwn(errorCatalogue, error.code)) return null;
  const code = error.code as ErrorCode;
  const message = error.message === errorCatalogue[code][1] ? error.message : hidden;
  const details =
    code === "validation_failed"
      ? problems(error.details, fields)
      : (JSON.parse(redacted(error.details, errorDetails[code]?.schema ?? {}, options)) as unknown);
  const text = JSON.stringify({ error: { code, message, details } });
  return text.length <= 4000 ? text : JSON.stringify({ error: { code, message, details: hidden } });
}

function problems(details: unknown, fields: ReadonlySet<string>): unknown {
  const kept: Record<string, unknown> = {};
  for (const [path, texts] of Object.entries(details ?? {}).slice(0, fieldsMax)) {
    const isKnown = path.split(".").every((part) => /^\d{1,6}$/.test(part) || fields.has(part));
    if (isKnown) kept[path] = [texts].flat().map((text) => shownMessage(text));
    else kept[hidden] = [hidden];
  }
  return kept;
}

function shownMessage(text: unknown): string {
  return typeof text === "string" && plainMessage.test(text) ? text : hidden;
}
