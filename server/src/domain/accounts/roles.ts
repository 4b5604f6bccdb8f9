import { OneOf } from "../values/schema.ts";
import { knownScopes, type Scope } from "./scopes.ts";

/** What a person may do in an organization: a role is a named set of scopes. */

export const roles = ["owner", "shipper", "developer", "finance", "viewer"] as const;
export type Role = (typeof roles)[number];
export const Role = OneOf(roles, { $id: "Role" });

type Environment = "live" | "test";

const reads = knownScopes.filter((scope) => scope.endsWith(":read"));

const scopesByRole: Record<Role, readonly Scope[]> = {
  owner: knownScopes,
  shipper: [
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
    "products:read",
    "products:write",
    "products:classify",
    "ltl:read",
    "ltl:write",
    "orders:read",
    "orders:write",
    "addresses:read",
    "addresses:write",
    "credits:read",
    "automation:read",
    "account:read",
  ],
  developer: [...reads, "tokens:manage", "webhooks:write"],
  finance: [
    "credits:read",
    "credits:write",
    "billing:read",
    "reports:read",
    "shipments:read",
    "orders:read",
    "tracking:read",
    "ltl:read",
    "account:read",
    "account:write",
  ],
  viewer: reads,
};

/** A developer tries everything in the sandbox, where nothing costs money. */
export function scopesOf(role: Role, environment: Environment): readonly Scope[] {
  return role === "developer" && environment === "test" ? knownScopes : scopesByRole[role];
}
