import type { HttpAnswer } from "../../transport/http-call.ts";
import type { CarrierError } from "../carrier.ts";
import {
  badAnswer,
  classify,
  credentialsInvalid,
  type ErrorTable,
  type OwnError,
} from "../protocol/classify.ts";
import { codeIn, readJson, textIn, valueIn } from "../protocol/json.ts";
import { partsOf, type Part } from "../protocol/multipart.ts";

/**
 * USPS's errors: `error` with a code that is mostly the status again, and details whose own
 * codes its published list names; its token call answers in OAuth's form.
 */
export const errorTable: ErrorTable = {
  carrier: "usps",
  name: "USPS",
  read: ownError,
  rules: [
    { codes: ["invalid_client", "invalid_grant", "unauthorized_client"], ...credentialsInvalid },
  ],
};

function ownError(answer: HttpAnswer): OwnError | null {
  const body = readJson(answer);
  if (answer.status < 400 && hasNumber(body)) return null;
  const oauth = textIn(body, "error");
  if (oauth !== null) return { code: oauth, message: textIn(body, "error_description") ?? oauth };
  const error = valueIn(body, "error");
  const code = textIn(error, "code");
  if (code === null) return null;
  const detail = valueIn(error, "errors");
  const message = textIn(detail, "detail") ?? textIn(detail, "title") ?? textIn(error, "message");
  return { code: textIn(detail, "code") ?? code, message: message ?? "" };
}

/**
 * Numbers that a success hands out. With one of them it was done, whatever error is beside it: taken for a refusal, a
 * label would be bought a second time.
 */
const handedOut = ["trackingNumber", "internationalTrackingNumber", "confirmationNumber"];

function hasNumber(body: unknown): boolean {
  const objects = [body, valueIn(body, "labelMetadata"), valueIn(body, "returnLabelMetadata")];
  return objects.some((object) => handedOut.some((name) => codeIn(object, name) !== null));
}

/** What the carrier says of a refusal, in its words; empty for all else. */
export function refusalText(answer: HttpAnswer): string {
  return answer.status >= 400 && answer.status < 500 ? (ownError(answer)?.message ?? "") : "";
}

/**
 * The code of a refusal (status 400) in USPS's published list of errors; null for all else. Only it says what a refusal
 * was about: texts such as "not found" are said of accounts, paths and tokens, too.
 */
export function refusalCode(answer: HttpAnswer): string | null {
  return answer.status === 400 ? (ownError(answer)?.code ?? null) : null;
}

/** Whether the access token was refused, so that nothing else was looked at. */
export function isTokenRefused(answer: HttpAnswer): boolean {
  return answer.status === 401 && ownError(answer) !== null;
}

/** The object of a success in JSON. Throws the `CarrierError` of every other answer. */
export function successOf(answer: HttpAnswer): object {
  const isSuccess = answer.status >= 200 && answer.status < 300;
  const body = isSuccess ? readJson(answer) : null;
  if (!isSuccess || ownError(answer)) throw classify(errorTable, answer);
  if (typeof body === "object" && body !== null) return body;
  throw badAnswer(errorTable);
}

/**
 * A success with files, in one of its two forms: parts, or one object with the files in it. The parts are base64
 * whatever their headers say. Throws the `CarrierError` of every other answer.
 */
export function filedSuccessOf(answer: HttpAnswer): FiledSuccess {
  const isSuccess = answer.status >= 200 && answer.status < 300;
  const parts = isSuccess ? partsOf(answer) : null;
  if (parts === null) {
    const body = successOf(answer);
    // Some have what others are in an object of its own.
    const own = valueIn(body, "labelMetadata") ?? valueIn(body, "SCANFormMetadata");
    const isSale = codeIn(body, "trackingNumber") !== null;
    const metadata = own ?? (isSale ? body : (valueIn(body, "returnLabelMetadata") ?? body));
    return { metadata, file: (name) => textIn(body, name) ?? textIn(metadata, name) };
  }
  const json = metadataIn(parts);
  if (!json) throw badAnswer(errorTable);
  return {
    metadata: readJson({ headers: {}, bytes: json.bytes }),
    file: (name) => fileIn(parts, name)?.bytes.toString("latin1") ?? null,
  };
}

/** By its name, whatever its type and its place. A purchase may have its return's beside its own. */
function metadataIn(parts: readonly Part[]): Part | undefined {
  const named = (...names: string[]) => parts.find(({ name }) => names.includes(name ?? ""));
  return (
    named("labelMetadata", "SCANFormMetadata") ??
    parts.find((part) => isJson(part) && part.name === null) ??
    named("returnLabelMetadata") ??
    parts.find((part) => isJson(part) && part.name !== "reprintInfo")
  );
}

function isJson({ content_type }: Part): boolean {
  return /^application\/([\w.-]+\+)?json\b/.test(content_type);
}

/** Documents beside a label, by their file names in USPS's documents. */
const otherDocuments = /receipt|broker|qr|invoice|customs/i;

/** USPS's documents give files a file name and no name: such a part is known by that, else by its type. */
function fileIn(parts: readonly Part[], name: string): Part | undefined {
  const named = parts.find((part) => part.name === name);
  if (named) return named;
  const unnamed = parts.filter((part) => part.name === null && !isJson(part));
  return (
    unnamed.find(({ file_name }) => wordOf(file_name) === name.toLowerCase()) ??
    unnamed.find(({ file_name }) => !otherDocuments.test(file_name ?? ""))
  );
}

/** `labelimage` of `label-image.jpg`. */
function wordOf(fileName: string | null): string {
  return (fileName ?? "")
    .replace(/\.\w+$/, "")
    .replaceAll(/\W/g, "")
    .toLowerCase();
}

interface FiledSuccess {
  metadata: unknown;
  /** In base64; null where there is none of this name. */
  file(name: string): string | null;
}

/** The error of a success that lacks what it must have. */
export function unreadable(): CarrierError {
  return badAnswer(errorTable);
}

/** Whether a refusal says that it was cancelled before, and not that it was used already and cannot be. */
export function saysCancelled(refusal: string): boolean {
  return /\balready (?:been )?cancel/i.test(refusal);
}
