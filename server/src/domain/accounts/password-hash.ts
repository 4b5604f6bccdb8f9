import { argon2, randomBytes, timingSafeEqual, type Argon2Parameters } from "node:crypto";
import { promisify } from "node:util";
import { isFormerForm, isFormerPassword } from "./former-password-hash.ts";

/**
 * Passwords as they are stored: Argon2id in PHC form, with the parameters that OWASP names first. Each
 * computation takes about 50 ms of a thread and 19 MiB, so callers bound how many run at once.
 */

const memoryKib = 19_456;
const passes = 2;
const parallelism = 1;
const hashBytes = 32;
const saltBytes = 16;

const parameters = `m=${memoryKib},t=${passes},p=${parallelism}`;
const phc =
  /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([\w+/]{11,86})\$([\w+/]{22,86})$/;

/** The text to store, with a new salt: equal passwords have different ones. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  const hash = await compute(password, salt, { memory: memoryKib, passes, parallelism });
  return `$argon2id$v=19$${parameters}$${encoded(salt)}$${encoded(hash)}`;
}

/** Whether it is the password of the stored hash. Throws for a form that no release has written. */
export async function isPassword(stored: string, password: string): Promise<boolean> {
  if (isFormerForm(stored)) return isFormerPassword(stored, password);
  const match = phc.exec(stored);
  if (!match) throw new Error("a stored password has an unknown form");
  const [memory, times, lanes] = match.slice(1, 4).map(Number) as [number, number, number];
  const expected = Buffer.from(match[5]!, "base64");
  const salt = Buffer.from(match[4]!, "base64");
  const cost = { memory, passes: times, parallelism: lanes, tagLength: expected.length };
  return timingSafeEqual(await compute(password, salt, cost), expected);
}

/** Whether a hash of today would have other parameters, so that it is to be made anew when the password is known. */
export function isOutdated(stored: string): boolean {
  return !stored.startsWith(`$argon2id$v=19$${parameters}$`);
}

/** A hash that no password has: checking it takes as long as checking a person's. */
export const hashOfNobody = `$argon2id$v=19$${parameters}$${encoded(randomBytes(saltBytes))}$${encoded(randomBytes(hashBytes))}`;

type Argon2Cost = Pick<Argon2Parameters, "memory" | "passes" | "parallelism"> & {
  tagLength?: number;
};

/** Of the composed form of the letters, so that each keyboard's way of typing é is the same password. */
function compute(password: string, nonce: Buffer, cost: Argon2Cost): Promise<Buffer> {
  const message = Buffer.from(password.normalize("NFC"));
  return promisify(argon2)("argon2id", { tagLength: hashBytes, ...cost, message, nonce });
}

function encoded(bytes: Buffer): string {
  return bytes.toString("base64").replaceAll("=", "");
}
