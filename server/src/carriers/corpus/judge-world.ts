import type { HttpAnswer } from "../../transport/http-call.ts";
import { classify, leavesPurchaseOpen, type ErrorTable } from "../protocol/classify.ts";
import { isLiteral, outcomeOf, type Recording } from "./corpus-world.ts";
import { recordedAnswer } from "./exchange-world.ts";

/** What a recorded answer is to an adapter, and whether the adapter makes the right thing of it. */

type Reader = (answer: HttpAnswer) => unknown;

/**
 * How the adapter reads an answer of this form; or why no adapter calls for it. Null for an unknown form: it
 * must say nothing to the adapter.
 */
export type Calling = { read: Reader } | { not_called: string } | null;

export interface Judge {
  table: ErrorTable;
  calling(recording: Recording, answer: HttpAnswer): Calling;
  /** How the adapter reads answers of the operation under which an unknown form was recorded. */
  reading(recording: Recording): Reader;
  /** Whether a refusal may be `unknown` to the adapter, since it proves the contrary. */
  doubts?(recording: Recording): boolean;
  /** Whether it is the carrier's own form of an answer without a word, which proves nothing. */
  isEmpty?(answer: HttpAnswer): boolean;
}

export interface Judgement {
  /** Null where the adapter is right. */
  wrong: string | null;
  /** Of an answer that no adapter calls for, or of a sample that was cut: why. */
  listed: string | null;
}

/**
 * An answer that the adapter calls for is literals; one in the carrier's form of errors has the class that the table of
 * errors gives it, or is literals where it means one, such as that nothing is known of a number. Of any other the adapter
 * must say that it proves nothing.
 */
export function judge(
  { table, calling, reading, doubts, isEmpty }: Judge,
  recording: Recording,
): Judgement {
  const answer = recordedAnswer(recording);
  const found = calling(recording, answer);
  const read = found !== null && "read" in found ? found.read : reading(recording);
  const outcome = outcomeOf(read, answer);
  if (found !== null && "not_called" in found) return { wrong: null, listed: found.not_called };
  const own = table.read(answer) !== null;
  const listed = found === null ? `no form that an adapter reads (${formOf(answer)})` : null;
  if ("literals" in outcome) {
    if (!isLiteral(plain(outcome.literals))) return { wrong: "It is read as no literals.", listed };
    return { wrong: found === null && !own ? "It is read as another." : null, listed };
  }
  const { kind, message } = outcome.failure;
  const expected = own ? classify(table, answer).kind : "unknown";
  const mayDoubt = leavesPurchaseOpen(answer) || (doubts?.(recording) ?? false);
  const isDoubted = kind === "unknown" && mayDoubt;
  if (kind !== expected && !isDoubted) {
    return { wrong: `It is ${kind} and not ${expected}: ${message}`, listed };
  }
  if (own || found === null || !isGiven(answer) || (isEmpty?.(answer) ?? false))
    return { wrong: null, listed };
  if (isSample(answer)) return { wrong: null, listed: "a document's sample, without values" };
  return { wrong: `It is an answer of ours that cannot be read: ${message}`, listed };
}

/** A success with something in it. */
function isGiven({ status, bytes }: HttpAnswer): boolean {
  return status >= 200 && status < 300 && bytes.toString().trim() !== "";
}

/** Carriers' documents have the word `string` for each value, or cut files short with dots. */
function isSample({ bytes }: HttpAnswer): boolean {
  const text = bytes.toString();
  return /:\s*"string"/.test(text) || /"[A-Za-z0-9+/]{8,}\.\.\."/.test(text);
}

/** The names by which an unknown form can be told. */
function formOf({ bytes }: HttpAnswer): string {
  const text = bytes.toString().trim();
  const names =
    text.startsWith("<") || text === ""
      ? [...text.matchAll(/<([\w:.-]+)/g)].map(([, name]) => name!)
      : [...text.slice(0, 2_000).matchAll(/"([\w@.-]+)"\s*:/g)].map(([, name]) => name!);
  return names.slice(0, 4).join(", ") || "neither JSON nor XML";
}

/** Maps as objects. */
function plain(value: unknown): unknown {
  if (value instanceof Map) return Object.fromEntries(value as Map<string, unknown>);
  if (Array.isArray(value)) return value.map(plain);
  if (Buffer.isBuffer(value) || value instanceof Date) return value;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plain(each)]));
}
