import { Type, type TSchema } from "typebox";
import { errorCatalogue, type ErrorBody, type ErrorCode } from "../errors/errors.ts";
import { errorDetails } from "./error-details.ts";
import { Documented, OneOf, Variants } from "../values/schema.ts";

/** Errors as the document shows them: one named object for each code, with its details. */

export const errorCodes = Object.keys(errorCatalogue) as ErrorCode[];

/** Every code of the catalogue. */
export const ErrorCodeName = OneOf(errorCodes, {
  $id: "ErrorCode",
  description: "Stable; branch on it.",
});

const bodies = new Map(errorCodes.map((code) => [code, bodyOf(code, errorDetails[code])]));

/** The `error` of an answer with this code. */
export function errorBodyOf(code: ErrorCode): TSchema {
  return bodies.get(code)!;
}

/** The fields common to all errors, which are validated and serialised. */
const AnyBody = Type.Object({
  code: Type.String(),
  message: Type.String(),
  details: Type.Object({}, { additionalProperties: true }),
});

/** An error of any code, as rows have it. */
export const AnyError = Documented(
  AnyBody,
  Type.Unsafe<ErrorBody>(
    Variants("code", Object.fromEntries(bodies), {
      $id: "ErrorBody",
      description: "An error with any code of the catalogue.",
    }),
  ),
);

/** Why a rule did not act: an error, or an action that its subject does not allow. */
export const AnyRuleError = Documented(
  AnyBody,
  Type.Unsafe<ErrorBody>(
    Variants(
      "code",
      { ...Object.fromEntries(bodies), not_applicable: bodyOf("not_applicable", undefined) },
      { $id: "RuleRunError" },
    ),
  ),
);

function bodyOf(code: string, details: { schema: TSchema } | undefined): TSchema {
  return Type.Object(
    {
      code: OneOf([code]),
      message: Type.String({ description: "A sentence for people." }),
      details: details
        ? Type.Unsafe<object>({ $id: `${nameOf(code)}Details`, ...details.schema })
        : Type.Object({}, { additionalProperties: true, description: "Empty, or more to read." }),
    },
    { $id: nameOf(code) },
  );
}

/** `RateChangedError`. */
function nameOf(code: string): string {
  const words = code.split("_").map((word) => `${word[0]!.toUpperCase()}${word.slice(1)}`);
  const name = words.join("");
  return name.endsWith("Error") ? name : `${name}Error`;
}
