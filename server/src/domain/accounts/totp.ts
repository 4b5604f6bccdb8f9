import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** Codes of an authenticator app (RFC 6238): SHA-1, six digits, thirty seconds, as all apps assume. */

const stepSeconds = 30;
const digits = 6;
/** Clocks of telephones differ: the code before and after counts as well. */
const drift = 1;

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** A new secret of 160 bits, in base 32. */
export function newTotpSecret(): string {
  return [...randomBytes(32)].map((byte) => letters[byte & 31]).join("");
}

/** What an app reads from the picture that it is shown. */
export function otpauthUrl(secret: string, { email, issuer }: { email: string; issuer: string }) {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(email)}`;
  const terms = new URLSearchParams({
    secret,
    issuer,
    algorithm: "SHA1",
    digits: "6",
    period: "30",
  });
  return `otpauth://totp/${label}?${terms.toString()}`;
}

/**
 * The step of time whose code this is, or null. Only steps after `usedStep` count, so that a code which was
 * seen over a shoulder works once at most.
 */
export function stepOfCode(
  secret: string,
  code: string,
  { now, usedStep }: { now: Date; usedStep: number },
): number | null {
  const given = Buffer.from(code.replaceAll(/\s/g, ""));
  if (given.length !== digits) return null;
  const present = stepAt(now);
  for (let step = present - drift; step <= present + drift; step++)
    if (step > usedStep && timingSafeEqual(Buffer.from(codeAt(secret, step)), given)) return step;
  return null;
}

/** The code of a step of time. */
export function codeAt(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac("sha1", fromBase32(secret)).update(counter).digest();
  const offset = mac.at(-1)! & 15;
  const number = (mac.readUInt32BE(offset) & 0x7fff_ffff) % 10 ** digits;
  return String(number).padStart(digits, "0");
}

/** The step of time of a moment. */
export function stepAt(moment: Date): number {
  return Math.floor(moment.getTime() / 1000 / stepSeconds);
}

function fromBase32(text: string): Buffer {
  const bytes: number[] = [];
  let [value, bits] = [0, 0];
  for (const letter of text) {
    value = ((value << 5) | letters.indexOf(letter)) & 0xfff;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes.push((value >> bits) & 0xff);
    }
  }
  return Buffer.from(bytes);
}
