import fc from "fast-check";
import { expect, test } from "vitest";
import { hashToken, kindOfToken, newToken, withoutTokens } from "./tokens.ts";

test.each(["live", "test", "op"] as const)("a %s token states what it opens", (kind) => {
  const token = newToken(kind);
  expect(token).toMatch(new RegExp(`^wb_${kind}_[0-9A-Za-z]{46}$`));
  expect(kindOfToken(token)).toBe(kind);
});

test("no two tokens are alike", () => {
  expect(new Set(Array.from({ length: 1000 }, () => newToken("test"))).size).toBe(1000);
});

test("a token with one wrong character is invalid", () => {
  const token = newToken("live");
  const places = fc.integer({ min: 8, max: token.length - 1 });
  fc.assert(
    fc.property(places, fc.constantFrom(..."0Az"), (place, character) => {
      fc.pre(token[place] !== character);
      return kindOfToken(token.slice(0, place) + character + token.slice(place + 1)) === null;
    }),
  );
});

test.each([
  "",
  "wb_live_",
  `wb_live_${"a".repeat(46)}`,
  `${newToken("live")}0`,
  newToken("live").toLowerCase(),
])("%j is no token", (text) => expect(kindOfToken(text)).toBeNull());

test("the stored form is SHA-256 and reveals nothing of the token", () => {
  const token = newToken("live");
  expect(hashToken(token)).toHaveLength(32);
  expect(hashToken(token).toString()).not.toContain(token.slice(-4));
});

test("a line of the log keeps the kind of a token, and all other text", () => {
  const [live, operator] = [newToken("live"), newToken("op")];
  expect(withoutTokens(`{"path":"/x/${live}?a=${operator}","n":1}`)).toBe(
    '{"path":"/x/wb_live_…?a=wb_op_…","n":1}',
  );
  expect(withoutTokens('{"msg":"wb_test_ is a prefix"}')).toBe('{"msg":"wb_test_ is a prefix"}');
});
