import { expect, test } from "vitest";
import { answerOf, outcomeOf } from "../corpus/corpus-world.ts";
import { fromOptionsResponse } from "./rates.ts";

const refusal = (code: string, status: number) => {
  const error = { code: String(status), message: "Bad Request", errors: [{ code, detail: "No." }] };
  return answerOf({ bytes: Buffer.from(JSON.stringify({ error })) }, status);
};

test.each(["030001", "030013", "030020", "040001"])(
  "a search that finds nothing between two places (%s) has no prices, and is no failure",
  (code) => {
    expect(fromOptionsResponse(refusal(code, 400))).toEqual([]);
  },
);

test.each([
  ["030004", 400, "refused"],
  ["030020", 503, "unknown"],
])("the error %s with status %i is a failure", (code, status, kind) => {
  expect(outcomeOf(fromOptionsResponse, refusal(code, status))).toMatchObject({
    failure: { kind },
  });
});
