import { Ajv } from "ajv";
import { afterAll, expect, test, vi } from "vitest";
import { knownScopes } from "../../src/domain/accounts/scopes.ts";
import { anAccount, aToken, call, testApi } from "../api.ts";

const api = await testApi({});
afterAll(() => api.close());

test("the first calls of a process compile no large schema", async () => {
  const compile = vi.spyOn(Ajv.prototype, "compile");
  const token = await aToken(api, await anAccount(api), { scopes: [...knownScopes] });
  for (const path of ["/shipments", "/orders", "/rates", "/rates/estimate", "/labels"]) {
    for (const body of [{}, { type: "ltl" }]) {
      const { statusCode } = await call(api, { token, method: "POST", path, body });
      expect([path, statusCode]).toEqual([path, 422]);
    }
  }
  expect(compile).not.toHaveBeenCalled();
});
