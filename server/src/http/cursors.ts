import { checksumOf } from "./base62.ts";

/** Cursors: positions in a list as opaque texts. */

/** The row next to which a page lies, and on which side. */
export interface Position {
  id: string;
  direction: "next" | "prev";
}

/**
 * The text of a position in a list, which is an account's at a path. Its checksum covers the list, too: a truncated
 * cursor, or one of another list, is refused and not taken for another position (decision 1.3).
 */
export function encodeCursor(list: string, { direction, id }: Position): string {
  const text = `${direction}:${id}`;
  return Buffer.from(`${checksumIn(list, text)}${text}`).toString("base64url");
}

/** Null for what is no cursor of this list. */
export function decodeCursor(list: string, cursor: string): Position | null {
  const decoded = Buffer.from(cursor, "base64url").toString();
  const text = decoded.slice(6);
  const match = /^(next|prev):([\x21-\x7e]{1,200})$/.exec(text);
  if (!match || Buffer.from(decoded).toString("base64url") !== cursor) return null;
  if (checksumIn(list, text) !== decoded.slice(0, 6)) return null;
  return { direction: match[1] as "next" | "prev", id: match[2]! };
}

function checksumIn(list: string, text: string): string {
  return checksumOf(`${list} ${text}`);
}
