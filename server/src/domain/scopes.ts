import { ApiError } from "./errors.ts";

/** What tokens may be allowed to do (decision 3), and the only rule of implication. */
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
  "webhooks:read",
  "webhooks:write",
  "tokens:manage",
] as const;

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

/** Throws 403 unless `allows`. For verbs whose need depends on what they find; routes state theirs. */
export function requireScope(token: { scopes: readonly string[] }, anyOf: readonly Scope[]): void {
  if (allows(token.scopes, anyOf)) return;
  throw new ApiError("scope_missing", {
    details: { required_scopes: anyOf, token_scopes: token.scopes },
  });
}
