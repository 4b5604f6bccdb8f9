import { scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";

/** Passwords as earlier releases stored them: scrypt at Node's default cost, in hexadecimal digits. */

const form = /^scrypt:([0-9a-f]{32}):([0-9a-f]{64})$/;

/** Whether an earlier release stored it. */
export function isFormerForm(stored: string): boolean {
  return form.test(stored);
}

/** Whether it is the password of the stored hash, which has the former form. */
export async function isFormerPassword(stored: string, password: string): Promise<boolean> {
  const [, salt, hash] = form.exec(stored)!;
  const computed = await compute(password, Buffer.from(salt!, "hex"), hash!.length / 2);
  return timingSafeEqual(computed, Buffer.from(hash!, "hex"));
}

const compute = promisify(scrypt) as (
  password: string,
  salt: Buffer,
  bytes: number,
) => Promise<Buffer>;
