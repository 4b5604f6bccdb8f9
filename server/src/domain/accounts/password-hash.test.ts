import { randomBytes, scryptSync } from "node:crypto";
import { expect, test } from "vitest";
import { hashOfNobody, hashPassword, isOutdated, isPassword } from "./password-hash.ts";

test("a hash is Argon2id in PHC form, another one each time, and has its password only", async () => {
  const hash = await hashPassword("a long enough one");
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  expect(await hashPassword("a long enough one")).not.toBe(hash);
  expect(await isPassword(hash, "a long enough one")).toBe(true);
  expect(await isPassword(hash, "a long enough two")).toBe(false);
  expect(isOutdated(hash)).toBe(false);
});

test("a hash of an earlier release has its password still, and is outdated", async () => {
  const salt = randomBytes(16);
  const hash = `scrypt:${salt.toString("hex")}:${scryptSync("as before", salt, 32).toString("hex")}`;
  expect(await isPassword(hash, "as before")).toBe(true);
  expect(await isPassword(hash, "as after")).toBe(false);
  expect(isOutdated(hash)).toBe(true);
});

test("a hash of other parameters is checked by its own, and is outdated", async () => {
  const hash = (await hashPassword("x".repeat(12))).replace("t=2", "t=3");
  expect(await isPassword(hash, "x".repeat(12))).toBe(false);
  expect(isOutdated(hash)).toBe(true);
});

test("letters are the same however a keyboard composes them", async () => {
  expect(await isPassword(await hashPassword("épinette noire"), "e\u0301pinette noire")).toBe(true);
});

test("the hash for unknown e-mails is of today's form and has no password", async () => {
  expect(isOutdated(hashOfNobody)).toBe(false);
  expect(await isPassword(hashOfNobody, "")).toBe(false);
});
