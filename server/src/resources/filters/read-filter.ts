import { readCriteria } from "../../domain/criteria/read-criteria.ts";
import type { Target } from "../../domain/criteria/fields.ts";
import type { Criteria } from "../../domain/criteria/schema.ts";
import { addProblem, throwIfAny, type Problems } from "../../domain/errors/errors.ts";
import { cleanText } from "../../domain/text/text.ts";
import { problemsOf } from "../../domain/validation/validation.ts";
import { FilterFrame, StrictFilterFrame } from "./schemas.ts";
import type { FilterContent } from "../../shipping/filters/store.ts";

/**
 * Reads the body of POST or, strictly, of PUT. Throws one 422 for everything that is wrong with the
 * frame and with each condition of the tree.
 */
export function readFilter(body: unknown, { strict }: { strict: boolean }): FilterContent {
  const problems = problemsOf(strict ? StrictFilterFrame : FilterFrame, body);
  const { name, target } = (body ?? {}) as { name: string; target: Target };
  const criteria = readTree(problems, body, { target, strict });
  const cleaned = typeof name === "string" ? cleanText(name) : null;
  if (typeof name === "string" && cleaned === null && !problems["name"])
    addProblem(problems, "name", "must not be blank.");
  throwIfAny(problems);
  return { name: cleaned!, target, criteria: criteria! };
}

/** Validates `criteria` of a body whose other fields are validated; while the target is invalid, for both. */
export function readTree(
  problems: Problems,
  body: unknown,
  { target, strict }: { target: Target; strict: boolean },
): Criteria | null {
  // A body that is no object, or one that cannot be stored, is reported already.
  if (typeof body !== "object" || body === null || Array.isArray(body)) return null;
  if (Object.keys(problems).some((path) => path === "" || path.startsWith("criteria"))) return null;
  return readCriteria(problems, (body as { criteria?: unknown }).criteria, {
    target: problems["target"] ? "both" : target,
    path: "criteria",
    strict,
  });
}
