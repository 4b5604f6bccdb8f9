import { randomBytes } from "node:crypto";
import { TypeID } from "typeid-js";

/** Every kind of thing with a Waybill id, by prefix (decision 1). */
export type IdPrefix =
  | "acc"
  | "org"
  | "usr"
  | "inv"
  | "ses"
  | "opr"
  | "tok"
  | "shp"
  | "pkg"
  | "rat"
  | "lbl"
  | "pku"
  | "man"
  | "bat"
  | "txn"
  | "pm"
  | "ord"
  | "rul"
  | "flt"
  | "stm"
  | "loc"
  | "trk"
  | "evt"
  | "whk"
  | "dlv"
  | "req"
  | "imp"
  | "adr"
  | "pst"
  | "doc"
  | "cls"
  | "run"
  | "adt"
  | "exr"
  | "con"
  // Never shown to clients: attempts at an outside effect, calls of a carrier, holds on a balance, secrets of
  // webhooks, processes, restores, installations, and the order of products, whose key is their `sku`.
  | "att"
  | "ccl"
  | "hld"
  | "whs"
  | "prc"
  | "rst"
  | "ins"
  | "prd";

let lastMillis = 0;
let sequence = 0;

/** Random bytes ahead: asking the system for sixteen at a time took longer than the rest of an id. */
let pool = Buffer.alloc(0);

function nextRandomBytes(): Buffer {
  if (pool.length < 16) pool = randomBytes(4096);
  const bytes = Buffer.from(pool.subarray(0, 16));
  pool = pool.subarray(16);
  return bytes;
}

/**
 * A TypeID: `<prefix>_<26 characters>`, a UUIDv7 in sortable base 32. Ids made by one process sort in
 * the order in which they were made, so `ORDER BY id DESC` is "newest first" without another index.
 */
export function newId(prefix: IdPrefix, at: Date = new Date()): string {
  const millis = at.getTime();
  sequence = millis === lastMillis ? sequence + 1 : 0;
  lastMillis = millis;
  // 12 bits of rand_a and the first 8 of rand_b count within the millisecond; the rest is random.
  const bytes = nextRandomBytes();
  bytes.writeUIntBE(millis, 0, 6);
  bytes[6] = 0x70 | ((sequence >> 14) & 0x0f);
  bytes[7] = (sequence >> 6) & 0xff;
  bytes[8] = 0x80 | (sequence & 0x3f);
  return `${prefix}_${inBase32(bytes)}`;
}

const digits = "0123456789abcdefghjkmnpqrstvwxyz";
const pairsOfDigits = Array.from({ length: 1024 }, (_, v) => digits[v >> 5]! + digits[v & 31]!);

/** Sixteen bytes as 26 digits. The library reads again each id that it has written, which takes ten times as long. */
function inBase32(bytes: Buffer): string {
  let text = "";
  let held = 0;
  // Two bits of nothing come first: 26 digits have room for 130.
  let bits = 2;
  for (const byte of bytes) {
    held = (held << 8) | byte;
    bits += 8;
    if (bits < 10) continue;
    bits -= 10;
    text += pairsOfDigits[held >> bits]!;
    held &= (1 << bits) - 1;
  }
  return text;
}

/** The id of one of up to 1,024 things whose ids differ in the last two characters only. */
export function numberedId(id: string, place: number): string {
  return `${id.slice(0, -2)}${digits[place >> 5]}${digits[place & 31]}`;
}

/** The first of any of those ids, by which they are found. */
export function firstOfGroup(id: string): string {
  return numberedId(id, 0);
}

/** No id made at this moment or later sorts before this text, none made earlier after it. */
export function firstIdAt(prefix: IdPrefix, at: Date): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(Math.max(0, at.getTime()), 0, 6);
  return TypeID.fromUUIDBytes(prefix, bytes).toString();
}

/** The moment at which an id was made. */
export function timeOfId(id: string): Date {
  return new Date(Buffer.from(TypeID.fromString(id).toUUIDBytes()).readUIntBE(0, 6));
}

/** Whether a text could be an id with this prefix at all: saves a lookup that cannot succeed. */
export function isId(prefix: IdPrefix, text: string): boolean {
  return new RegExp(`^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`).test(text);
}
