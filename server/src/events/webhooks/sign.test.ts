import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { signatureHeader } from "./sign.ts";

const secretOf = (byte: number) => `whsec_${Buffer.alloc(32, byte).toString("base64")}`;
const timestamp_seconds = Math.floor(Date.now() / 1000);
const message = { id: "evt_1", timestamp_seconds, body: '{"total":14.87,"city":"Montréal"}' };

function verify(secret: string, body: string, signature: string) {
  return new Webhook(secret).verify(body, {
    "webhook-id": message.id,
    "webhook-timestamp": String(timestamp_seconds),
    "webhook-signature": signature,
  });
}

test("while a secret is being replaced, both verify; another secret and another body do not", () => {
  const signature = signatureHeader([secretOf(2), secretOf(1)], message);
  expect(signature).toMatch(/^v1,\S+ v1,\S+$/);
  for (const byte of [1, 2]) expect(verify(secretOf(byte), message.body, signature)).toBeTruthy();
  expect(() => verify(secretOf(3), message.body, signature)).toThrow();
  expect(() => verify(secretOf(1), `${message.body} `, signature)).toThrow();
});
