import fc from "fast-check";
import { expect, test } from "vitest";
import { createSealer } from "./sealer.ts";

const secret = "a secret of forty characters for tests ab";
const sealer = createSealer(secret);

test("a sealed text opens unchanged, in any process with the same secret", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      const sealed = sealer.seal(text, "a row");
      expect(createSealer(secret).open(sealed, "a row")).toBe(text);
    }),
  );
});

test("a sealed text does not reveal its content, nor that another has the same", () => {
  const text = "wb_test_0123456789";
  const [one, two] = [sealer.seal(text, "a row"), sealer.seal(text, "a row")];
  expect(one).toMatch(/^v1\.[0-9a-f]{8}\.[\w-]+$/);
  expect(one).not.toContain(text);
  expect(one).not.toBe(two);
});

test("a text sealed by another secret is distinguished from an altered or moved one", () => {
  const sealed = sealer.seal("text", "a row");
  expect(createSealer(`${secret}c`).open(sealed, "a row")).toBeNull();
  expect(() => sealer.open(sealed, "another row")).toThrow();
  const at = sealed.length - 10;
  const altered = sealed.slice(0, at) + (sealed[at] === "A" ? "B" : "A") + sealed.slice(at + 1);
  expect(() => sealer.open(altered, "a row")).toThrow();
  // A truncated tag proves little: it is refused.
  expect(() => sealer.open(sealed.slice(0, -8), "a row")).toThrow();
  expect(() => sealer.open(sealed.slice(0, sealed.lastIndexOf(".") + 1), "a row")).toThrow();
});
