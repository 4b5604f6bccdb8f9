import { expect, test } from "vitest";
import { causeOf, type Begun } from "./cause.ts";

const begun: Begun = {
  batch: { id: "bat_1", request_id: "process" },
  rule: { id: "rul_1", request_id: "create" },
};

test.each([
  ["an operator", "operator:ada", "any", true, { type: "operator", id: "ada" }],
  ["a loop", "system:refunds.resolve", null, true, { type: "schedule", id: "refunds.resolve" }],
  ["a request", "token:tok_1", "buy", true, { type: "request", id: "buy" }],
  ["a batch", "token:tok_1", "process", true, { type: "batch", id: "bat_1" }],
  ["the rule, for what a worker did", "token:tok_1", "create", true, { type: "rule", id: "rul_1" }],
  [
    "the request, for what it did itself",
    "token:tok_1",
    "create",
    false,
    { type: "request", id: "create" },
  ],
  ["an actor of kind rule", "rule:rul_2", null, false, { type: "rule", id: "rul_2" }],
  ["no recorded actor", null, null, true, null],
])("the cause is %s", (_name, actor, request_id, in_background, cause) => {
  expect(causeOf({ actor, request_id }, begun, in_background)).toEqual(cause);
});

test("a batch from before requests were recorded is not the cause of everything without a request", () => {
  const old = { batch: { id: "bat_1", request_id: null }, rule: { id: "rul_1", request_id: null } };
  expect(causeOf({ actor: "token:tok_1", request_id: null }, old, true)).toBeNull();
});
