import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { StoredResponse } from "./idempotency.ts";

/**
 * Conditional reads (RFC 9110, section 13): a client that has the current answer gets a 304. The tag
 * is weak, because the same answer may be compressed in several ways.
 */
export function etagOf(...facts: readonly unknown[]): string {
  const digest = createHash("sha256").update(JSON.stringify(facts)).digest("base64url");
  return `W/"${digest.slice(0, 27)}"`;
}

/**
 * Sets the tag, and returns whether the client has the current version: the answer is then 304, without a
 * body.
 */
export function isUnchanged(request: FastifyRequest, reply: FastifyReply, etag: string): boolean {
  reply.header("etag", etag);
  // Not even a shared cache may answer without revalidating: answers belong to one account.
  reply.header("cache-control", "private, no-cache");
  const known = request.headers["if-none-match"];
  if (known === undefined) return false;
  return known.trim() === "*" || tagsIn(known).includes(bare(etag));
}

/** The response to a client whose copy is current. */
export const notModified: StoredResponse = { status: 304, headers: {}, body: "" };

function tagsIn(header: string): string[] {
  return (header.match(/(?:W\/)?"[\x21\x23-\x7e]*"/g) ?? []).map(bare);
}

function bare(tag: string): string {
  return tag.replace(/^W\//, "");
}
