/** The roles that a person may have, and what the API lets each do, to name those that may do something. */
type RoleName = "owner" | "shipper" | "developer" | "finance" | "viewer";

const reads = ["developer", "viewer"] as const;

/** As `server/src/domain/accounts/roles.ts` has them for live accounts; an owner holds all of them. */
const held: Record<"shipper" | "developer" | "finance", readonly string[]> = {
  shipper: [
    ...["shipments:read", "shipments:write", "shipments:void", "rates:read", "labels:create"],
    ...["pickups:read", "pickups:write", "tracking:read", "batches:read", "batches:write"],
    ...["products:read", "products:write", "products:classify", "ltl:read", "ltl:write"],
    ...["orders:read", "orders:write", "addresses:read", "addresses:write", "credits:read"],
    ...["automation:read", "account:read"],
  ],
  developer: ["tokens:manage", "webhooks:write"],
  finance: [
    ...["credits:read", "credits:write", "billing:read", "reports:read", "shipments:read"],
    ...["orders:read", "tracking:read", "ltl:read", "account:read", "account:write"],
  ],
};

/** The roles that hold any of the scopes. */
export function rolesWith(scopes: readonly string[]): RoleName[] {
  const found = new Set<RoleName>(["owner"]);
  for (const [role, own] of Object.entries(held))
    if (scopes.some((scope) => own.includes(scope))) found.add(role as RoleName);
  if (scopes.some((scope) => scope.endsWith(":read"))) for (const role of reads) found.add(role);
  return [...found];
}
