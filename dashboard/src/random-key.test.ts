import { afterEach, expect, test, vi } from "vitest";
import { randomKey } from "./random-key.ts";

afterEach(() => vi.unstubAllGlobals());

test("a key is made where the browser has random bytes and nothing else of `crypto`", () => {
  const { crypto } = globalThis;
  vi.stubGlobal("crypto", {
    getRandomValues: (bytes: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(bytes),
  });
  const keys = Array.from({ length: 100 }, randomKey);
  for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/);
  expect(new Set(keys).size).toBe(100);
});
