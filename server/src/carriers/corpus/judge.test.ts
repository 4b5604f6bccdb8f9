import { expect, test } from "vitest";
import { badAnswer, classify, type ErrorTable } from "../protocol/classify.ts";
import { readJson, textIn } from "../protocol/json.ts";
import type { HttpAnswer } from "../../transport/http-call.ts";
import { judge, type Judge } from "./judge-world.ts";

/** What the corpus's answers are held to. */

const table: ErrorTable = {
  carrier: "acme",
  name: "Acme",
  read(answer) {
    const code = textIn(readJson(answer), "no");
    return code === null ? null : { code, message: code };
  },
  rules: [],
};

const price = (answer: HttpAnswer) => {
  if (answer.status > 299 || table.read(answer)) throw classify(table, answer);
  const cents = textIn(readJson(answer), "price");
  if (cents === null) throw badAnswer(table);
  return Number(cents);
};

const acme: Judge = {
  table,
  calling: ({ operation }, answer) => {
    const body = JSON.stringify(readJson(answer));
    if (operation === "stamps") return { not_called: "No adapter sells stamps." };
    return /price|no/.test(body) ? { read: price } : null;
  },
  reading: () => price,
};

function judged(body: unknown, { operation = "rate", status = 200, by = acme } = {}) {
  const exchange = { request: { method: "GET", url: "/", body: null }, response: { status, body } };
  const bytes = Buffer.from(JSON.stringify(exchange));
  return judge(by, { operation, kind: "exchange", path: "a", bytes });
}

test("an answer that is called for is literals", () => {
  expect(judged({ price: 7 })).toEqual({ wrong: null, listed: null });
  expect(judged({ price: { amount: 7 } }).wrong).toContain("cannot be read");
});

test("an error is of the class that the table gives it", () => {
  expect(judged({ no: "street" }, { status: 400 }).wrong).toBeNull();
  expect(judged({ no: "street" }, { status: 500 }).wrong).toBeNull();
  const careless = { ...acme, calling: () => ({ read: refusing }) };
  expect(judged({ no: "street" }, { status: 500, by: careless }).wrong).toContain("not unknown");
});

function refusing(answer: HttpAnswer) {
  throw classify(table, { ...answer, status: 400 });
}

test("what no adapter calls for is listed by its form, and must say nothing", () => {
  expect(judged({ stamp: 1 })).toEqual({
    wrong: null,
    listed: "no form that an adapter reads (stamp)",
  });
  const misreading = { ...acme, reading: () => () => 7 };
  expect(judged({ stamp: 1 }, { by: misreading }).wrong).toContain("another");
  expect(judged({ stamp: 1 }, { operation: "stamps" }).listed).toBe("No adapter sells stamps.");
});

test("a document's sample without values is listed, and an empty answer proves nothing", () => {
  const sample = { price: { amount: "string" } };
  expect(judged(sample)).toEqual({ wrong: null, listed: "a document's sample, without values" });
  expect(judged("", { by: { ...acme, calling: () => ({ read: price }) } }).wrong).toBeNull();
});
