import { expect, test } from "vitest";
import { folded } from "./folded.ts";

test.each([
  ["MONTRÉAL", "montreal"],
  ["Montre\u0301al", "montreal"],
  ["Québec", "quebec"],
  ["Sacré-Cœur", "sacre-coeur"],
  ["Łódź", "lodz"],
  ["ØRSTED Æble", "orsted aeble"],
  ["Straße", "strasse"],
  ["Nguyễn", "nguyen"],
  ["Ίσις", "ισισ"],
  ["İstanbul ı", "istanbul i"],
  ["한국", "한국"],
])("%s is searched as %s", (text, wanted) => {
  expect(folded(text)).toBe(wanted);
  expect(folded(wanted)).toBe(wanted);
});
