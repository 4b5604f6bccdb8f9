import { expect, test } from "vitest";
import { roles, scopesOf } from "../../server/src/domain/accounts/roles.ts";
import { knownScopes } from "../../server/src/domain/accounts/scopes.ts";
import { rolesWith } from "../src/kit/roles.ts";

test("the roles that the dashboard names for a scope are those that hold it", () => {
  for (const scope of knownScopes) {
    const holders = roles.filter((role) => scopesOf(role, "live").includes(scope));
    expect([scope, rolesWith([scope]).sort()]).toEqual([scope, holders.toSorted()]);
  }
});
