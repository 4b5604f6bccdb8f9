import { ApiError } from "../errors/errors.ts";
import { OneOf } from "../values/schema.ts";

/** The permissions of tokens (decision 3), and the only rule of implication. */
export const knownScopes = [
  "shipments:read",
  "shipments:write",
  "shipments:void",
  "rates:read",
  "labels:create",
  "pickups:read",
  "pickups:write",
  "tracking:read",
  "batches:read",
  "batches:write",
  "credits:read",
  "credits:write",
  "products:read",
  "products:write",
  "products:classify",
  "products:approve",
  "ltl:read",
  "ltl:write",
  "orders:read",
  "orders:write",
  "automation:read",
  "automation:write",
  "billing:read",
  "addresses:read",
  "addresses:write",
  "account:read",
  "account:write",
  "carriers:read",
  "carriers:write",
  "reports:read",
  "webhooks:read",
  "webhooks:write",
  "logs:read",
  "tokens:manage",
] as const;
export const Scope = OneOf(knownScopes, { $id: "Scope" });

export type Scope = (typeof knownScopes)[number];

/** Whether one scope contains another: itself, or `<resource>:write` its `<resource>:read`. */
export function implies(granted: string, needed: string): boolean {
  if (granted === needed) return true;
  const [resource, action] = granted.split(":");
  return action === "write" && needed === `${resource}:read`;
}

/** Whether any granted scope satisfies any of those needed. An empty list needs nothing. */
export function allows(granted: readonly string[], anyOf: readonly Scope[]): boolean {
  return (
    anyOf.length === 0 || anyOf.some((needed) => granted.some((scope) => implies(scope, needed)))
  );
}

/** Throws 403 unless `allows`. */
export function requireScope(token: { scopes: readonly string[] }, anyOf: readonly Scope[]): void {
  if (allows(token.scopes, anyOf)) return;
  throw new ApiError("scope_missing", {
    details: { required_scopes: anyOf, token_scopes: token.scopes },
  });
}

/**
 * Throws 403 `scope_missing` where a verb finds that it needs a scope beyond its route's. The route states
 * it among its `verb_scopes`, because a stored answer is replayed before any verb runs: a token without
 * the scope that the verb would require must not get another's answer. An unstated one is a bug, and
 * thrown as such.
 */
export function requireVerbScope(caller: VerbCaller, needed: Scope): void {
  refuseUnstated(caller, needed);
  requireScope(caller.token, [needed]);
}

/** Whether the caller has it, for what the verb does only then. */
export function hasVerbScope(caller: VerbCaller, needed: Scope): boolean {
  refuseUnstated(caller, needed);
  return allows(caller.token.scopes, [needed]);
}

function refuseUnstated({ verb_scopes = [] }: VerbCaller, needed: Scope): void {
  if (!verb_scopes.includes(needed))
    throw new Error(`a verb needs ${needed}, which its route does not state in verb_scopes`);
}

interface VerbCaller {
  token: { scopes: readonly string[] };
  verb_scopes?: readonly Scope[];
}
