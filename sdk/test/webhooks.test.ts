import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { InvalidSignature, verifyWebhook } from "../src/index.ts";

const secret = `whsec_${Buffer.from("a secret of thirty-two bytes, yes").toString("base64")}`;
const other = `whsec_${Buffer.from("another one of thirty-two bytes!!").toString("base64")}`;
const body = JSON.stringify({ id: "evt_1", type: "shipment.created", data: { name: "Amélie" } });

function signed(by: string, at = new Date()) {
  return {
    "webhook-id": "evt_1",
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": new Webhook(by).sign("evt_1", at, body),
  };
}

test("what the reference library signs is verified, as text, bytes, Headers or fields", async () => {
  const headers = signed(secret);
  const bytes = new TextEncoder().encode(body);
  for (const raw of [body, bytes])
    for (const each of [headers, new Headers(headers), { "Webhook-Id": "evt_1", ...headers }])
      expect(await verifyWebhook(raw, each, secret)).toEqual(JSON.parse(body));
});

test("while a secret is rotated, either of both verifies, on either side", async () => {
  expect(await verifyWebhook(body, signed(other), [secret, other])).toMatchObject({ id: "evt_1" });
  const both = signed(secret);
  both["webhook-signature"] = `${signed(other)["webhook-signature"]} ${both["webhook-signature"]}`;
  expect(await verifyWebhook(body, both, secret)).toMatchObject({ id: "evt_1" });
});

test.each([
  ["another secret", body, signed(other)],
  ["another body", `${body} `, signed(secret)],
  ["another id", body, { ...signed(secret), "webhook-id": "evt_2" }],
  ["a signature that is no base64", body, { ...signed(secret), "webhook-signature": "v1,%%%" }],
  ["another version", body, { ...signed(secret), "webhook-signature": "v2,YWJj" }],
  ["no signature", body, { ...signed(secret), "webhook-signature": undefined }],
  ["a time of six minutes ago", body, signed(secret, new Date(Date.now() - 360_000))],
  ["a time in six minutes", body, signed(secret, new Date(Date.now() + 360_000))],
  ["a time that is no number", body, { ...signed(secret), "webhook-timestamp": "now" }],
])("refused: %s, as by the reference library", async (_, raw, headers) => {
  await expect(verifyWebhook(raw, headers, secret)).rejects.toBeInstanceOf(InvalidSignature);
  expect(() => new Webhook(secret).verify(raw, headers as Record<string, string>)).toThrow();
});
