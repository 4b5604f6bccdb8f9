import { expect, test } from "vitest";
import { codeAt, newTotpSecret, otpauthUrl, stepAt, stepOfCode } from "./totp.ts";

/** The secret of RFC 6238, appendix B: "12345678901234567890". */
const secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

test.each([
  [59, "287082"],
  [1_111_111_109, "081804"],
  [1_234_567_890, "005924"],
  [2_000_000_000, "279037"],
])("the code at second %i is the standard's", (seconds, code) => {
  expect(codeAt(secret, stepAt(new Date(seconds * 1000)))).toBe(code);
});

test("a code counts within thirty seconds of its own, once", () => {
  const now = new Date("2026-10-05T14:00:10Z");
  const step = stepAt(now);
  const code = codeAt(secret, step);
  expect(stepOfCode(secret, code, { now, usedStep: 0 })).toBe(step);
  expect(stepOfCode(secret, `${code.slice(0, 3)} ${code.slice(3)}`, { now, usedStep: 0 })).toBe(
    step,
  );
  expect(stepOfCode(secret, code, { now, usedStep: step })).toBeNull();
  const later = new Date(now.getTime() + 60_000);
  expect(stepOfCode(secret, code, { now: later, usedStep: 0 })).toBeNull();
});

test("secrets differ, and are shown to an app with their account", () => {
  const made = newTotpSecret();
  expect(made).toMatch(/^[A-Z2-7]{32}$/);
  expect(newTotpSecret()).not.toBe(made);
  expect(otpauthUrl(made, { email: "ada@example.com", issuer: "Waybill" })).toBe(
    `otpauth://totp/Waybill:ada%40example.com?secret=${made}&issuer=Waybill&algorithm=SHA1&digits=6&period=30`,
  );
});
