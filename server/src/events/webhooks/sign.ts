import { createHmac } from "node:crypto";

/**
 * The header `webhook-signature` of Standard Webhooks v1: a signature by each secret in force, the newest
 * first, so that receivers may change to a new one at their own time.
 */
export function signatureHeader(
  secrets: readonly string[],
  { id, timestamp_seconds, body }: { id: string; timestamp_seconds: number; body: string },
): string {
  const signed = `${id}.${timestamp_seconds}.${body}`;
  return secrets.map((secret) => `v1,${signatureOf(secret, signed)}`).join(" ");
}

function signatureOf(secret: string, signed: string): string {
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  return createHmac("sha256", key).update(signed).digest("base64");
}
