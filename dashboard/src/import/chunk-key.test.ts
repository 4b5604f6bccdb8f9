import { createHash, randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { chunkKey, chunksOf, hashOf, hashOfBytes } from "./chunk-key.ts";
import type { Mapping } from "./mapping.ts";

const chunk = {
  file_hash: "f1",
  mapping: ["city", "weight"] as Mapping,
  units: { weight: "kg", size: "cm" } as const,
  places: [0, 1],
  rows: [
    ["Laval", "1"],
    ["Gatineau", "2"],
  ],
};

describe("the key of a chunk", () => {
  test("is the same whenever the same rows of the same file are read in the same way", () => {
    expect(chunkKey(structuredClone(chunk))).toBe(chunkKey(chunk));
    expect(chunkKey(chunk)).toMatch(/^[0-9a-f]{64}$/);
  });

  test.each([
    ["another file", { file_hash: "f2" }],
    ["another mapping", { mapping: ["name", "weight"] as Mapping }],
    ["another unit", { units: { weight: "lbs", size: "cm" } as const }],
    ["another chunk of the file", { places: [1] }],
    [
      "a row that was mended",
      {
        rows: [
          ["Laval", "1"],
          ["Gatineau", "3"],
        ],
      },
    ],
  ])("is another one for %s", (_, change) => {
    expect(chunkKey({ ...chunk, ...change })).not.toBe(chunkKey(chunk));
  });

  test("does not change with rows of other chunks", () => {
    const longer = { ...chunk, rows: [...chunk.rows, ["Sept-Îles", "9"]] };
    expect(chunkKey(longer)).toBe(chunkKey(chunk));
  });

  test("chunks hold 200 rows, in the order of the file", () => {
    const places = Array.from({ length: 401 }, (_, place) => place);
    const chunks = chunksOf(places);
    expect(chunks.map(({ length }) => length)).toEqual([200, 200, 1]);
    expect(chunks.flat()).toEqual(places);
  });
});

/** The keys of imports that were begun by a release that hashed with WebCrypto. */
describe("hashes are SHA-256", () => {
  const sha256 = (data: string | Uint8Array) => createHash("sha256").update(data).digest("hex");

  test.each([0, 1, 55, 56, 63, 64, 65, 1000, 1_000_003])("of a file of %i bytes", (size) => {
    const { buffer } = new Uint8Array(randomBytes(size));
    expect(hashOfBytes(buffer)).toBe(sha256(new Uint8Array(buffer)));
  });

  test("of JSON in UTF-8", () => {
    const value = ["rows", "Trois-Rivières", "🚚", { weight: 1.5, city: null }];
    expect(hashOf(value)).toBe(sha256(JSON.stringify(value)));
  });
});
