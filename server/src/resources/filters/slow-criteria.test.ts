import { afterAll, beforeAll, expect, test } from "vitest";
import { aToken, anAccount, call, testApi, type TestApi } from "../../../test/api.ts";
import { aShipment } from "../../../test/shipments.ts";

/** Criteria that take as long as they may: 50 texts, each compared with 60,000 titles. */

const scopes = ["shipments:write", "automation:write", "credits:read"];
let api: TestApi;
let token: string;
beforeAll(async () => {
  api = await testApi({
    settings: { WAYBILL_RATE_LIMITS: "off", WAYBILL_CRITERIA_TIMEOUT_MS: "300" },
  });
  token = await aToken(api, await anAccount(api), { scopes });
  const items = Array.from({ length: 50 }, (_, place) => ({
    title: `Cotton shirt ${place} `.repeat(8).slice(0, 100),
    quantity: 1,
    value: 3,
    currency: "CAD",
    country_of_origin: "CA",
    hs_code: "610910",
  }));
  const rows = Array(100).fill({ ...aShipment(), items });
  for (let created = 0; created < 1200; created += 100) {
    const response = await call(api, { token, method: "POST", path: "/shipments", body: rows });
    expect(response.statusCode, response.body.slice(0, 500)).toBe(201);
  }
}, 120_000);
afterAll(() => api.close());

const costly = {
  target: "shipments",
  criteria: {
    match: "all",
    conditions: Array.from({ length: 50 }, (_, place) => ({
      field: "items.title",
      operator: "not_contains",
      value: `absent ${place} `.repeat(10).slice(0, 100),
    })),
  },
};
const preview = (headers: Record<string, string> = {}) =>
  call(api, { token, method: "POST", path: "/filters/preview", body: costly, headers });

test("past their timeout they are 422 with a code of their own, which is stored for no key", async () => {
  for (let times = 0; times < 2; times++) {
    const response = await preview({ "idempotency-key": "slow" });
    expect([response.statusCode, response.headers["idempotent-replay"]]).toEqual([422, undefined]);
    const { error } = JSON.parse(response.body) as { error: { code: string; details: object } };
    expect([error.code, error.details]).toEqual(["criteria_too_slow", { limit_ms: 300 }]);
  }
});

test("a saved filter in a list has the same timeout", async () => {
  const saved = await call(api, {
    token,
    method: "POST",
    path: "/filters",
    body: { name: "Costly", ...costly },
  });
  const { id } = (JSON.parse(saved.body) as { data: { id: string } }).data;
  for (const path of [`/shipments?filter_id=${id}`, `/shipments?filter_id=${id}&page=1`]) {
    const { statusCode, body } = await call(api, { token, path });
    expect([statusCode, body]).toEqual([422, expect.stringContaining("criteria_too_slow")]);
  }
});

test("thirty at once keep neither another account nor their own other calls from the database", async () => {
  const other = await aToken(api, await anAccount(api), { scopes });
  const requests = Promise.all(Array.from({ length: 30 }, () => preview()));
  let isOver = false;
  void requests.then(() => (isOver = true));
  let answered = 0;
  while (!isOver) {
    for (const who of [other, token]) {
      const response = await call(api, { token: who, path: "/shipments?per_page=1" });
      expect(response.statusCode, response.body).toBe(200);
      answered++;
    }
  }
  expect(answered).toBeGreaterThan(4);
  // Those that got no slot in time got 429.
  const statuses = new Set((await requests).map(({ statusCode }) => statusCode));
  expect([...statuses].filter((status) => status !== 422 && status !== 429)).toEqual([]);
}, 60_000);
