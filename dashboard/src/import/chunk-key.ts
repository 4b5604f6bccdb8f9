import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import type { Mapping, Units } from "./mapping.ts";

/** What one call creates at most. */
export const chunk_rows = 200;

/** The places of rows, divided as they are sent. */
export function chunksOf(places: readonly number[]): number[][] {
  const chunks: number[][] = [];
  for (let start = 0; start < places.length; start += chunk_rows)
    chunks.push(places.slice(start, start + chunk_rows));
  return chunks;
}

interface Chunk {
  file_hash: string;
  mapping: Mapping;
  units: Units;
  places: readonly number[];
  rows: readonly (readonly string[])[];
}

/**
 * The Idempotency-Key of a chunk: the same file, read in the same way, makes the same keys in any browser, and so
 * creates nothing twice. A row that was mended is in the key, as its call has another body.
 */
export function chunkKey({ file_hash, mapping, units, places, rows }: Chunk): string {
  return hashOf(["rows", file_hash, mapping, units, places.map((place) => [place, rows[place]])]);
}

/** SHA-256 of anything that JSON can say, in hexadecimal digits. */
export function hashOf(value: unknown): string {
  return hexOf(new TextEncoder().encode(JSON.stringify(value)));
}

/** SHA-256 of a file's bytes. */
export function hashOfBytes(bytes: ArrayBuffer): string {
  return hexOf(new Uint8Array(bytes));
}

/** On a page that came by http from another machine browsers have no `crypto.subtle`. */
const hexOf = (bytes: Uint8Array) => bytesToHex(sha256(bytes));
