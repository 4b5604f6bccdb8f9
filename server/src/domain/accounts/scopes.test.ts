import { expect, test } from "vitest";
import { allows, implies, knownScopes, requireScope, requireVerbScope } from "./scopes.ts";

test("write implies read of the same resource, and nothing else implies anything", () => {
  const implied = knownScopes.flatMap((granted) =>
    knownScopes
      .filter((needed) => needed !== granted && implies(granted, needed))
      .map((needed) => [granted, needed]),
  );
  const expected = knownScopes
    .filter((scope) => scope.endsWith(":write"))
    .map((scope) => [scope, scope.replace(":write", ":read")])
    .filter(([, read]) => (knownScopes as readonly string[]).includes(read!));
  expect(implied.sort()).toEqual(expected.sort());
  expect(implied.length).toBeGreaterThan(5);
});

test("any one of the needed scopes is enough", () => {
  expect(allows(["ltl:write"], ["labels:create", "ltl:write"])).toBe(true);
  expect(allows(["shipments:write"], ["shipments:read", "ltl:read"])).toBe(true);
  expect(allows(["shipments:read"], ["shipments:write"])).toBe(false);
  expect(allows([], ["rates:read"])).toBe(false);
  expect(allows([], [])).toBe(true);
});

test("a refusal names the scopes needed and those that the token has", () => {
  expect(() => requireScope({ scopes: ["rates:read"] }, ["labels:create", "ltl:write"])).toThrow(
    expect.objectContaining({
      code: "scope_missing",
      details: { required_scopes: ["labels:create", "ltl:write"], token_scopes: ["rates:read"] },
    }),
  );
});

test("a verb may require no scope that its route does not state", () => {
  const token = { scopes: ["orders:read"] };
  const caller = { token, verb_scopes: ["orders:read", "shipments:read"] as const };
  expect(() => requireVerbScope(caller, "orders:read")).not.toThrow();
  expect(() => requireVerbScope(caller, "shipments:read")).toThrow(
    expect.objectContaining({ code: "scope_missing" }),
  );
  expect(() => requireVerbScope({ token }, "orders:read")).toThrow("verb_scopes");
});
