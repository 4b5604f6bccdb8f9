import type { Event, webhooks } from "../generated/types.ts";
import { webCrypto } from "./key.ts";

type BodyOf<W> = W extends {
  post: { requestBody: { content: { "application/json": infer B } } };
}
  ? B
  : never;

/** An event of a type that this release knows, or of another; `type` tells them apart. */
export type WaybillEvent = BodyOf<webhooks[keyof webhooks]> | (Event & { type: string & {} });

/** The body is not what the server signed, or was signed too long ago. Answer 400, and act on nothing. */
export class InvalidSignature extends Error {
  override readonly name = "InvalidSignature";
}

type HeadersLike = Headers | Record<string, string | string[] | undefined>;

/** How far the clocks of both sides may differ, and how old a delivery may be. */
const toleranceSeconds = 300;

/**
 * The event of a delivery, by Standard Webhooks. `body` is the raw body, as it was received; `secrets` are those in force,
 * `whsec_…`: two while one is rotated. Throws `InvalidSignature`.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: HeadersLike,
  secrets: string | readonly string[],
): Promise<WaybillEvent> {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const id = headerOf(headers, "webhook-id");
  const timestamp = headerOf(headers, "webhook-timestamp");
  const signatures = headerOf(headers, "webhook-signature");
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= toleranceSeconds))
    throw new InvalidSignature("webhook-timestamp is more than five minutes from now.");
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
  for (const secret of typeof secrets === "string" ? [secrets] : secrets)
    if (await isSigned(secret, signed, signatures))
      return JSON.parse(new TextDecoder().decode(bytes)) as WaybillEvent;
  throw new InvalidSignature("No signature is by one of these secrets.");
}

function headerOf(headers: HeadersLike, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : fieldOf(headers, name);
  if (!value) throw new InvalidSignature(`The header ${name} is missing.`);
  return value;
}

/** Frameworks differ in how they write names. */
function fieldOf(headers: Record<string, string | string[] | undefined>, name: string) {
  const value = Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1];
  return Array.isArray(value) ? value[0] : value;
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

/** `verify` compares in constant time. */
async function isSigned(
  secret: string,
  signed: Uint8Array<ArrayBuffer>,
  signatures: string,
): Promise<boolean> {
  const { subtle } = await webCrypto();
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const raw = fromBase64(secret.replace(/^whsec_/, ""));
  if (!raw) throw new TypeError("A webhook's secret is whsec_ and base64.");
  const key = await subtle.importKey("raw", raw, algorithm, false, ["verify"]);
  for (const each of signatures.split(" ")) {
    const signature = each.startsWith("v1,") ? fromBase64(each.slice(3)) : null;
    if (signature && (await subtle.verify("HMAC", key, signature, signed))) return true;
  }
  return false;
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (each) => each.charCodeAt(0));
  } catch {
    return null;
  }
}
