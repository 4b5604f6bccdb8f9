import { randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

/** Texts of letters and digits only, which survive a URL, a double click and a shell. */

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** So many characters from the system's secure random numbers, each with equal probability. */
export function randomBase62(length: number): string {
  let text = "";
  for (let place = 0; place < length; place++) text += digits[randomInt(digits.length)];
  return text;
}

/** Six characters that a mistyped or truncated text will not have: its CRC-32, which is no secret. */
export function checksumOf(text: string): string {
  let rest = crc32(text);
  let checksum = "";
  for (let place = 0; place < 6; place++) {
    checksum = digits[rest % 62]! + checksum;
    rest = Math.floor(rest / 62);
  }
  return checksum;
}
