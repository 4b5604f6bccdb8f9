import { hash } from "node:crypto";
import type { Environment } from "../database/tables.ts";
import { ApiError } from "../domain/errors/errors.ts";
import { checksumOf, randomBase62 } from "./base62.ts";

/**
 * The format of a token (decision 3): `wb_live_`, `wb_test_` or, for operators, `wb_op_`, then 40
 * characters of randomness and 6 of their CRC-32, all base 62. The checksum spares the database
 * lookups of mistyped tokens and lets scanners recognise a leaked token; the randomness alone keeps
 * it secret. What people sign in with has the same form, so that the log hides it the same way: cookies of
 * people (`ses`) and operators (`ops`), links of invitations (`inv`) and for new passwords (`lnk`), and the
 * codes of programs that wait for an approval (`dev`).
 */

const shape = /^wb_(live|test|op|ses|ops|inv|lnk|dev)_([0-9A-Za-z]{40})([0-9A-Za-z]{6})$/;

export type TokenKind = Environment | "op" | "ses" | "ops" | "inv" | "lnk" | "dev";

/** 40 random characters after the kind, and their checksum. Only its hash may be stored. */
export function newToken(kind: TokenKind): string {
  const random = randomBase62(40);
  return `wb_${kind}_${random}${checksumOf(random)}`;
}

/** The kind that the text claims to be, or null when it cannot be a token at all. */
export function kindOfToken(text: string): TokenKind | null {
  const match = shape.exec(text);
  return match && checksumOf(match[2]!) === match[3] ? (match[1] as TokenKind) : null;
}

/** 401 for a request that names no caller. */
export function tokenMissing(): ApiError {
  return new ApiError("unauthenticated", {
    message: "Send a token as Authorization: Bearer <token>.",
  });
}

/** The only form in which a token is stored. */
export function hashToken(token: string): Buffer {
  return hash("sha256", token, "buffer");
}

/** The line for the log, with tokens reduced to their kind. */
export function withoutTokens(line: string): string {
  if (!line.includes("wb_")) return line;
  return line.replace(/wb_(live|test|op|ses|ops|inv|lnk|dev)_[0-9A-Za-z]{46}/g, "wb_$1_…");
}
