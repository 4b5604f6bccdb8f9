import { afterAll, beforeAll, expect, test } from "vitest";
import { anAccount, aToken, call, testApi, type TestApi } from "../../../test/api.ts";
import { longestStretchMs } from "../../../test/loop/stretch.ts";
import { aRule } from "../../../test/rules.ts";
import { aShipment, boston, notebooks } from "../../../test/shipments.ts";
import { knownScopes } from "../../domain/accounts/scopes.ts";

/** The most rules, conditions and rows of one account: its own call may take long, other accounts' do not. */

let api: TestApi;
beforeAll(async () => {
  api = await testApi({ settings: { WAYBILL_RATE_LIMITS: "off" } });
});
afterAll(() => api.close());

interface Created {
  data: { id: string }[];
  meta: { created: number };
  error: { code: string; details: { max: number; rows: number } };
}

async function aShopWithRules(count: number, conditions: (rule: number) => object[]) {
  const token = await aToken(api, await anAccount(api), { scopes: [...knownScopes] });
  const send = (method: "GET" | "POST", path: string, body?: unknown) =>
    call(api, { token, method, path, body });
  for (let rule = 0; rule < count; rule++) {
    const criteria = { match: "any", conditions: conditions(rule) };
    const { statusCode } = await send("POST", "/rules", aRule({ criteria }));
    expect(statusCode).toBe(201);
  }
  const create = async (body: string) => {
    const reply = await send("POST", "/shipments", body);
    return { status: reply.statusCode, ...reply.json<Created>() };
  };
  return { create, send };
}

const rows = (count: number, items: number) =>
  JSON.stringify(
    Array.from({ length: count }, () => ({
      ...aShipment({ to_address: boston }),
      items: Array.from({ length: items }, (_, place) => ({
        ...notebooks,
        title: `Notebook ${place}`.padEnd(90, " of paper"),
      })),
    })),
  );

const contains = (rule: number, count: number) =>
  Array.from({ length: count }, (_, place) => ({
    field: "items.title",
    operator: "contains",
    value: `no such words ${rule} ${place}`,
  }));

test("a bulk call under two hundred rules succeeds, and blocks the process no longer than a moment", async () => {
  const shop = await aShopWithRules(200, (rule) => contains(rule, 3));
  await shop.create(rows(2, 2));
  const body = rows(500, 15);
  let created: Awaited<ReturnType<typeof shop.create>> | undefined;
  const longest = await longestStretchMs(async () => (created = await shop.create(body)));
  expect(created).toMatchObject({ status: 201, meta: { created: 500 } });
  expect(longest).toBeLessThan(200);
});

test("more comparisons than a call may cause are refused at once, with how many rows may be sent", async () => {
  const shop = await aShopWithRules(200, (rule) => contains(rule, 50));
  const refused = await shop.create(rows(300, 50));
  expect(refused).toMatchObject({ status: 422, error: { code: "too_many_rows" } });
  const { max, rows: sent } = refused.error.details;
  expect([max, sent]).toEqual([100, 300]);
  expect((await shop.send("GET", "/shipments")).json<Created>().data).toEqual([]);
  expect((await shop.create(rows(3, 50))).status).toBe(201);
});
