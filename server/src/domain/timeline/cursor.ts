import { createHash } from "node:crypto";
import type { Position } from "./entry.ts";

/** A position as clients hand it back: opaque, with a checksum, so that a truncated one is not another position. */

export function encodeCursor({ at, rank, id }: Position): string {
  const text = `${at.getTime()}:${rank}:${id}`;
  return Buffer.from(`${checksumOf(text)}${text}`).toString("base64url");
}

/** Null for a text that is no cursor. */
export function decodeCursor(cursor: string): Position | null {
  const decoded = Buffer.from(cursor, "base64url").toString();
  const text = decoded.slice(checksumLength);
  const [, millis, rank, id] = /^(\d{1,15}):(\d{1,3}):([\x21-\x7e]{1,200})$/.exec(text) ?? [];
  if (millis === undefined || rank === undefined || id === undefined) return null;
  const position = { at: new Date(Number(millis)), rank: Number(rank), id };
  return encodeCursor(position) === cursor ? position : null;
}

const checksumLength = 6;

function checksumOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, checksumLength);
}
