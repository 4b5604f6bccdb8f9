import fc from "fast-check";
import { expect, test } from "vitest";
import { redactor } from "./redact.ts";

const values = { account_number: "A1B2C3", account_country: "CA" };

test("a secret is in no text, in whatever form it stands there", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 8 }), (password) => {
      const { text } = redactor({ values, secrets: { password } });
      const forms = [
        JSON.stringify({ password }),
        `p=${encodeURIComponent(password)}`,
        new URLSearchParams({ password }).toString(),
        Buffer.from(password).toString("base64"),
      ];
      for (const form of forms) expect(text(form)).toContain("[password]");
    }),
  );
});

test("numbers of the account are hidden by their names, and choices are not", () => {
  const { text } = redactor({ values, secrets: {} });
  expect(text("/customers/A1B2C3?country=CA")).toBe("/customers/[account_number]?country=CA");
});

test("a token that was got is a secret from then on", () => {
  const { learnFrom, text } = redactor({ values, secrets: {} });
  learnFrom('{"access_token": "eyJhbGciOi.x", "token_type": "Bearer", "expires_in": "14399"}');
  expect(text("Bearer eyJhbGciOi.x")).toBe("Bearer [access_token]");
});

test("headers that say who calls have no value", () => {
  const { headers } = redactor({ values, secrets: {} });
  const sent = {
    Authorization: "Basic eDp5",
    "X-Payment-Authorization-Token": "t",
    cookie: "c=1",
    accept: "application/json",
    "x-idempotency-key": "0192",
  };
  expect(headers(sent)).toEqual({
    Authorization: "[redacted]",
    "X-Payment-Authorization-Token": "[redacted]",
    cookie: "[redacted]",
    accept: "application/json",
    "x-idempotency-key": "0192",
  });
});
