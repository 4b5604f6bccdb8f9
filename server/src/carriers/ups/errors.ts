import type { HttpAnswer } from "../../transport/http-call.ts";
import type { CarrierError } from "../carrier.ts";
import {
  badAnswer,
  classify,
  credentialsInvalid,
  rateLimited,
  type ErrorTable,
  type OwnError,
} from "../protocol/classify.ts";
import { readJson, textIn, valueIn } from "../protocol/json.ts";

/**
 * UPS's errors: `response.errors` in the body; or an answer of any status, 200 included, without a body, and
 * with the error in its headers (recorded). An empty answer without these headers says nothing.
 */
export const errorTable: ErrorTable = {
  carrier: "ups",
  name: "UPS",
  read: ownError,
  rules: [
    // 250002 and 250003 are recorded; the others stand beside them in UPS's documents.
    { codes: ["250001", "250002", "250003", "250007", "250050"], ...credentialsInvalid },
    { codes: ["10401", "invalid_client", "invalid_grant"], ...credentialsInvalid },
    // From other projects' issues.
    { codes: ["10429", "10430", "429"], ...rateLimited },
  ],
};

function ownError(answer: HttpAnswer): OwnError | null {
  const body = answer.bytes.length > 0 ? readJson(answer) : null;
  const error = valueIn(body, "response", "errors") ?? valueIn(body, "errors");
  const code = textIn(error, "code") ?? textIn(error, "errorCode");
  if (code !== null) return { code, message: textIn(error, "message") ?? "" };
  if (body !== null) return null;
  const described = textIn(answer.headers.errordescription) ?? textIn(answer.headers.apierrormsg);
  const header = textIn(answer.headers.errorcode) ?? textIn(answer.headers.apierrorcode);
  return described && header ? { code: header, message: described } : null;
}

/** Whether UPS refused the token, so that nothing else was looked at. */
export function isTokenRefused(answer: HttpAnswer): boolean {
  return answer.status === 401 && ownError(answer) !== null;
}

/**
 * The part of a success that all else is in, such as `RateResponse`. Throws the `CarrierError` of any other
 * answer.
 */
export function successOf(answer: HttpAnswer, name: string): unknown {
  if (answer.status < 200 || answer.status > 299) throw classify(errorTable, answer);
  const found = valueIn(readJson(answer), name);
  if (typeof found === "object" && found !== null) return found;
  throw ownError(answer) ? classify(errorTable, answer) : badAnswer(errorTable);
}

/** The error of a success that lacks what it must have. */
export function unreadable(): CarrierError {
  return badAnswer(errorTable);
}
