import { expect, test } from "vitest";
import { roles, scopesOf } from "./roles.ts";
import { allows, knownScopes, type Scope } from "./scopes.ts";

const writes = (role: (typeof roles)[number], environment: "live" | "test" = "live") =>
  scopesOf(role, environment).filter((scope) => !scope.endsWith(":read"));

test("an owner has every scope, and a developer has every scope of the sandbox", () => {
  expect(scopesOf("owner", "live")).toEqual(knownScopes);
  expect(scopesOf("developer", "test")).toEqual(knownScopes);
});

test("a viewer changes nothing", () => {
  expect(writes("viewer")).toEqual([]);
});

test("in production a developer changes tokens and webhooks only", () => {
  expect(writes("developer")).toEqual(["tokens:manage", "webhooks:write"]);
});

test("finance changes credits and the account, and buys no label", () => {
  expect(writes("finance")).toEqual(["credits:write", "account:write"]);
});

test("a shipper ships, and touches neither money, rules nor tokens", () => {
  const refused: Scope[] = [
    "credits:write",
    "automation:write",
    "tokens:manage",
    "products:approve",
  ];
  for (const scope of refused)
    expect(allows(scopesOf("shipper", "live"), [scope]), scope).toBe(false);
  expect(allows(scopesOf("shipper", "live"), ["labels:create"])).toBe(true);
});

test("every role reads the account", () => {
  for (const role of roles) expect(allows(scopesOf(role, "live"), ["account:read"])).toBe(true);
});
