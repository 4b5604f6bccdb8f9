import type { FastifyReply, FastifyRequest } from "fastify";
import type { Config } from "../config.ts";
import { kindOfToken } from "./tokens.ts";

/**
 * The cookies of people and of operators. On https their names begin with `__Host-`, which a browser accepts
 * from this host alone, over TLS alone, and for every path.
 */

export type CookieKind = "ses" | "ops";

const names: Record<CookieKind, string> = { ses: "waybill", ops: "waybill-operator" };

/** Longer than any session lasts: the server decides when one ends. */
const maxAgeSeconds = 90 * 86_400;

/** Whether people reach Waybill by https, as its public address says. */
export function isSecure({ public_url }: Pick<Config, "public_url">): boolean {
  return /^https:/i.test(public_url);
}

function cookieName(kind: CookieKind, config: Pick<Config, "public_url">): string {
  return (isSecure(config) ? "__Host-" : "") + names[kind];
}

/**
 * The cookie's value, or null where there is none that could be a session. Two of one name are none: one of
 * them was planted, and which one cannot be known.
 */
export function readCookie(
  request: FastifyRequest,
  kind: CookieKind,
  config: Config,
): string | null {
  const prefix = `${cookieName(kind, config)}=`;
  const values = (request.headers.cookie ?? "")
    .split(";")
    .map((each) => each.trim())
    .filter((each) => each.startsWith(prefix));
  const value = values.length === 1 ? values[0]!.slice(prefix.length) : "";
  return kindOfToken(value) === kind ? value : null;
}

/** Null ends the cookie. For HTTPS alone where the public address is one. */
export function setCookie(
  reply: FastifyReply,
  { kind, value }: { kind: CookieKind; value: string | null },
  config: Config,
): void {
  const secure = isSecure(config) ? "; Secure" : "";
  const age = value === null ? 0 : maxAgeSeconds;
  void reply.header(
    "set-cookie",
    `${cookieName(kind, config)}=${value ?? ""}; Path=/; Max-Age=${age}; HttpOnly; SameSite=Lax${secure}`,
  );
}
