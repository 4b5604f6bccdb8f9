import { describe, expect, test } from "vitest";
import { chunkKey, chunksOf } from "./chunk-key.ts";
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
  test("is the same whenever the same rows of the same file are read in the same way", async () => {
    expect(await chunkKey(structuredClone(chunk))).toBe(await chunkKey(chunk));
    expect(await chunkKey(chunk)).toMatch(/^[0-9a-f]{64}$/);
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
  ])("is another one for %s", async (_, change) => {
    expect(await chunkKey({ ...chunk, ...change })).not.toBe(await chunkKey(chunk));
  });

  test("does not change with rows of other chunks", async () => {
    const longer = { ...chunk, rows: [...chunk.rows, ["Sept-Îles", "9"]] };
    expect(await chunkKey(longer)).toBe(await chunkKey(chunk));
  });

  test("chunks hold 200 rows, in the order of the file", () => {
    const places = Array.from({ length: 401 }, (_, place) => place);
    const chunks = chunksOf(places);
    expect(chunks.map(({ length }) => length)).toEqual([200, 200, 1]);
    expect(chunks.flat()).toEqual(places);
  });
});
