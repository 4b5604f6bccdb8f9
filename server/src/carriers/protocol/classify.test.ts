import { expect, test } from "vitest";
import type { HttpAnswer } from "../../transport/http-call.ts";
import { parsed } from "../../transport/json-call.ts";
import { beforeTheCall, classify, rateLimited, type ErrorTable } from "./classify.ts";

/** A carrier whose errors are `{"no": "<code>"}`. */
const table: ErrorTable = {
  carrier: "acme",
  name: "Acme",
  read({ bytes }) {
    const code = (parsed(bytes.toString()) as { no?: unknown } | undefined)?.no;
    return typeof code === "string" ? { code, message: `It is ${code}.` } : null;
  },
  rules: [
    { codes: ["busy"], ...rateLimited },
    { codes: ["form"], kind: "refused" },
    { codes: ["twice"], kind: "unknown", carrier_code: "duplicate_reference" },
  ],
};

function answer(status: number, text: string): HttpAnswer {
  return { status, headers: {}, bytes: Buffer.from(text), retry_after_seconds: null };
}

test.each([
  [422, '{"no": "street"}', { kind: "refused", carrier_code: "street", message: "It is street." }],
  [200, '{"no": "street"}', { kind: "refused", carrier_code: "street" }],
  [500, '{"no": "street"}', { kind: "unknown", message: "Acme answered with status 500." }],
  [404, "<h1>Not found</h1>", { kind: "unknown", carrier_code: "bad_answer" }],
  [200, "", { kind: "unknown", carrier_code: "bad_answer" }],
  [400, '{"no": "busy"}', { kind: "refused", exclusion: "carrier_rate_limited" }],
  [500, '{"no": "form"}', { kind: "refused", carrier_code: "form", message: "It is form." }],
  [409, '{"no": "twice"}', { kind: "unknown", carrier_code: "duplicate_reference" }],
  [401, '{"no": "key"}', { kind: "refused", exclusion: "carrier_credentials_invalid" }],
  [429, "slow down", { kind: "unknown", exclusion: "carrier_rate_limited" }],
])("status %i with %s is classified", (status, text, failure) => {
  expect(classify(table, answer(status, text))).toMatchObject(failure);
});

test("a refusal of credentials does not repeat the carrier's words, which may quote them", () => {
  const failure = classify(table, answer(403, '{"no": "key s3cret"}'));
  expect(failure.message).toBe("Acme does not accept our credentials.");
});

test("what failed before the call was never sent", () => {
  const failure = beforeTheCall(classify(table, answer(500, "")));
  expect(failure).toMatchObject({ kind: "unreachable", carrier_code: "bad_answer" });
});
