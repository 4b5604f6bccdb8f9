import sjson from "secure-json-parse";
import { startTimeSlice, type YieldIfDue } from "../scheduling/time-slices.ts";

/**
 * Reads JSON of any length in pieces, yielding the event loop between two. Later work on a value costs by the
 * number of values in it and not by its bytes, so their number is limited too.
 */

/** The largest valid body is a filter of 50 conditions with 500 values each. */
export const valuesMax = 26_000;

/** The text is no JSON. */
export class NotJson extends Error {}

/** The text, or an entry of its list, has more than `valuesMax` values. */
export class TooManyValues extends Error {}

interface ParseOptions {
  /** The list, among the members of the whole, of which each entry may have `valuesMax` values. */
  rows?: string | undefined;
  /** How many characters are parsed at once. */
  piece_length?: number;
}

/**
 * The value of a text. If that is a list, each of its entries may have `valuesMax` values. Keys that would reach
 * an object's prototype are left out. Throws `NotJson` and `TooManyValues`.
 */
export async function parseJson(
  given: string,
  { rows, piece_length = 65_536 }: ParseOptions = {},
): Promise<unknown> {
  const text = given.startsWith("\uFEFF") ? given.slice(1) : given;
  // A value is a character or more, and so is the separator between two.
  if (text.length <= Math.min(piece_length, 2 * valuesMax)) return parsed(text);
  const start = afterSpace(text, 0);
  if (!isOneOf("[{", text, start)) return parsed(text);
  const whole = await parseContainer({
    text,
    start,
    rows,
    piece_length,
    yieldIfDue: startTimeSlice(),
  });
  if (afterSpace(text, whole.end) < text.length) throw new NotJson();
  return whole.value;
}

interface Container {
  text: string;
  /** The position of its bracket. */
  start: number;
  rows: string | undefined;
  piece_length: number;
  yieldIfDue: YieldIfDue;
}

async function parseContainer(
  container: Container,
): Promise<{ value: unknown; /** After its bracket. */ end: number }> {
  const { text, start, rows, piece_length, yieldIfDue } = container;
  const isList = text[start] === "[";
  const list: unknown[] = [];
  const members: Record<string, unknown> = {};
  let values = 0;
  let pieceStart = start + 1;
  const takePiece = (to: number) => {
    const piece = text.slice(pieceStart, to);
    // Only an empty list or object may have a blank between two marks.
    const isOnly = pieceStart === start + 1 && text[to] !== ",";
    if (afterSpace(piece, 0) === piece.length && !isOnly) throw new NotJson();
    if (isList) for (const entry of parsed(`[${piece}]`) as unknown[]) list.push(entry);
    else Object.assign(members, parsed(`{${piece}}`));
  };

  for (let from = pieceStart; ;) {
    const inner = isList || rows === undefined ? -1 : startOfList(text, from, rows);
    let to: number;
    if (inner < 0) ({ to, values } = scan(text, from, isList ? 0 : values));
    else {
      if (pieceStart < from) takePiece(from - 1);
      const entries = await parseContainer({ ...container, start: inner, rows: undefined });
      members[rows!] = entries.value;
      to = afterSpace(text, entries.end);
    }
    const isEnd = text[to] === (isList ? "]" : "}");
    if (!isEnd && text[to] !== ",") throw new NotJson();
    if (inner >= 0 || isEnd || to - pieceStart >= piece_length) {
      if (inner < 0) takePiece(to);
      pieceStart = to + 1;
      await yieldIfDue();
    }
    if (isEnd) return { value: isList ? list : members, end: to + 1 };
    from = to + 1;
  }
}

/**
 * The position of the list of the member that begins at `from`, if it is called `name` and is one; else
 * -1.
 */
function startOfList(text: string, from: number, name: string): number {
  const key = JSON.stringify(name);
  const keyStart = afterSpace(text, from);
  if (!text.startsWith(key, keyStart)) return -1;
  const colon = afterSpace(text, keyStart + key.length);
  const value = afterSpace(text, colon + 1);
  return text[colon] === ":" && text[value] === "[" ? value : -1;
}

/** The end of the entry or member that begins at `from`, and the number of values including it. */
function scan(text: string, from: number, before: number): { to: number; values: number } {
  let values = before + 1;
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    switch (text.charAt(at)) {
      case '"':
        at = endOfString(text, at);
        break;
      case "[":
      case "{":
        depth++;
        values++;
        break;
      case "]":
      case "}":
        if (depth === 0) return { to: at, values };
        depth--;
        break;
      case ",":
        if (depth === 0) return { to: at, values };
        values++;
    }
    if (values > valuesMax) throw new TooManyValues();
  }
  throw new NotJson();
}

/** The position of the closing quotation mark of the text that begins at `start`. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let first = end;
    while (text[first - 1] === "\\") first--;
    // After an even number of backslashes the quotation mark is not escaped.
    if ((end - first) % 2 === 0) return end;
  }
  throw new NotJson();
}

function afterSpace(text: string, from: number): number {
  let at = from;
  while (isOneOf(" \t\n\r", text, at)) at++;
  return at;
}

function isOneOf(characters: string, text: string, at: number): boolean {
  return at < text.length && characters.includes(text[at]!);
}

function parsed(text: string): unknown {
  try {
    return sjson.parse(text, undefined, { protoAction: "remove", constructorAction: "remove" });
  } catch (error) {
    throw new NotJson("the text is no JSON", { cause: error });
  }
}
