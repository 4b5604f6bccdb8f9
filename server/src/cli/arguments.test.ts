import { expect, test } from "vitest";
import { newId } from "../domain/values/ids.ts";
import * as args from "./arguments.ts";

const accountOf = args.idOf("acc", "an account");
const port = "is no port: a whole number from 0 to 65535";

test.each([
  [args.emailOf, "notanemail", "notanemail is not an e-mail address"],
  [args.emailOf, "a b@example.com", "a b@example.com is not an e-mail address"],
  [accountOf, "x", "x is not the id of an account, such as acc_"],
  [accountOf, newId("con"), "is not the id of an account, such as acc_"],
  [args.scopesOf, "shipments:read,a:b", "unknown scopes: a:b"],
  [args.tokenNameOf, "", "name must not be empty."],
  [args.tokenNameOf, "n".repeat(81), "name must have at most 80 characters."],
  [args.momentOf, "soon", "soon is no time; write 2026-11-30T04:00:00Z"],
  [args.pastMomentOf, "soon", "soon is no time"],
  [args.pastMomentOf, "2999-01-01T00:00:00Z", "is in the future"],
  [args.environmentOf, "x", "--environment is live or test."],
  [args.formatOf, "x", "--format is one of "],
  [args.secondsIn, "x", "x is no number of seconds"],
  [args.secondsIn, "0", "0 is no number of seconds"],
  [args.portOf, "abc", `abc ${port}`],
  [args.portOf, "65536", `65536 ${port}`],
  [args.portOf, "-1", `-1 ${port}`],
  [args.addressOf, "x", "x is no address such as https://"],
])("%o refuses %j with a sentence", (read, text, sentence) => {
  expect(() => read(text)).toThrow(sentence);
});

test("what is meant is read", () => {
  const account = newId("acc");
  expect([
    args.emailOf("ada@example.com"),
    accountOf(account),
    args.scopesOf("shipments:read,tokens:manage"),
    args.tokenNameOf("n".repeat(80)),
    args.pastMomentOf("2026-01-01T00:00:00Z"),
    args.portOf("0"),
    args.secondsIn("0.5"),
    args.addressOf("http://127.0.0.1:9"),
  ]).toEqual([
    "ada@example.com",
    account,
    ["shipments:read", "tokens:manage"],
    "n".repeat(80),
    new Date("2026-01-01T00:00:00Z"),
    0,
    0.5,
    "http://127.0.0.1:9",
  ]);
});
