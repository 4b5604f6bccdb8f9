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
export function chunkKey({ file_hash, mapping, units, places, rows }: Chunk): Promise<string> {
  return hashOf(["rows", file_hash, mapping, units, places.map((place) => [place, rows[place]])]);
}

/** SHA-256 of anything that JSON can say, in hexadecimal digits. */
export async function hashOf(value: unknown): Promise<string> {
  return hexOf(await digest(new TextEncoder().encode(JSON.stringify(value))));
}

/** SHA-256 of a file's bytes. */
export async function hashOfBytes(bytes: ArrayBuffer): Promise<string> {
  return hexOf(await digest(new Uint8Array(bytes)));
}

const digest = (bytes: Uint8Array<ArrayBuffer>) => crypto.subtle.digest("SHA-256", bytes);

function hexOf(bytes: ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
