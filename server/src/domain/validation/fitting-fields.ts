import type { Static, TObject } from "typebox";
import { isValid } from "./validation.ts";

/**
 * The fields of a body whose own shape is valid, so that rules can be evaluated on them although others are wrong.
 * Validated field by field: for a body that is nested too deep the validation as a whole stops early.
 */
export function fittingFields<T extends TObject>(
  schema: T,
  given: Record<string, unknown>,
): Partial<Static<T>> {
  const fit = Object.entries<object>(schema.properties).filter(([field, part]) =>
    isValid(part, given[field]),
  );
  return Object.fromEntries(fit.map(([field]) => [field, given[field]])) as Partial<Static<T>>;
}
