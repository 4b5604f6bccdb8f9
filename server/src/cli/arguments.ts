import { problemsOf } from "../domain/validation/validation.ts";
import { isId, type IdPrefix } from "../domain/values/ids.ts";
import { knownScopes, type Scope } from "../domain/accounts/scopes.ts";
import type { Environment } from "../database/tables.ts";
import { Email } from "../resources/auth/service.ts";
import { formats, type Format } from "../resources/imports/service.ts";
import { TokenName } from "../resources/tokens/service.ts";

/**
 * The arguments of commands as they are typed. Commander calls these before it runs a command, so that a wrong argument
 * opens no database. Each throws a sentence for the operator.
 */

/** A time. The message shows the format. */
export function momentOf(text: string): Date {
  const moment = new Date(text);
  if (Number.isNaN(moment.getTime()))
    throw new Error(`${text} is no time; write 2026-11-30T04:00:00Z`);
  return moment;
}

export function pastMomentOf(text: string): Date {
  const moment = momentOf(text);
  if (moment > new Date()) throw new Error(`${text} is in the future`);
  return moment;
}

export function emailOf(text: string): string {
  if (Object.keys(problemsOf(Email, text)).length > 0)
    throw new Error(`${text} is not an e-mail address`);
  return text;
}

/** Reads the id of a thing, such as an account. */
export function idOf(prefix: IdPrefix, thing: string): (text: string) => string {
  return (text) => {
    if (isId(prefix, text)) return text;
    throw new Error(
      `${text} is not the id of ${thing}, such as ${prefix}_01h455vb4pex5vsknk084sn02q`,
    );
  };
}

export function tokenNameOf(text: string): string {
  const [problem] = Object.values(problemsOf(TokenName, text)).flat();
  if (problem !== undefined) throw new Error(`name ${problem}`);
  return text;
}

export function scopesOf(text: string): Scope[] {
  const scopes = text.split(",");
  const unknown = scopes.filter((scope) => !knownScopes.includes(scope as Scope));
  if (unknown.length > 0) throw new Error(`unknown scopes: ${unknown.join(", ")}`);
  return scopes as Scope[];
}

export function environmentOf(word: string): Environment {
  if (word !== "live" && word !== "test") throw new Error("--environment is live or test.");
  return word;
}

export function formatOf(word: string): Format {
  const format = formats.find((each) => each === word);
  if (!format) throw new Error(`--format is one of ${formats.join(", ")}.`);
  return format;
}

export function secondsIn(text: string): number {
  const seconds = Number(text);
  if (!(seconds > 0 && seconds <= 86_400)) throw new Error(`${text} is no number of seconds`);
  return seconds;
}

export function portOf(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535)
    throw new Error(`${text} is no port: a whole number from 0 to 65535, where 0 picks a free one`);
  return port;
}

export function addressOf(text: string): string {
  if (/^https?:$/.test(URL.parse(text)?.protocol ?? "")) return text;
  throw new Error(`${text} is no address such as https://carrier.example.com`);
}
