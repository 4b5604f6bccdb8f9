import { afterAll, beforeAll, expect, test } from "vitest";
import { valuesMax } from "../../src/domain/text/parse-json.ts";
import { knownScopes } from "../../src/domain/accounts/scopes.ts";
import {
  anAccount,
  assertResponseDocumented,
  aToken,
  callUnchecked,
  testApi,
  type TestApi,
} from "../api.ts";
import { halifax } from "../shipments.ts";
import { longestStretchMs } from "./stretch.ts";

/** The largest bodies that are accepted, with as many values as they have room for. */

let api: TestApi;
let token: string;
beforeAll(async () => {
  api = await testApi({ settings: { WAYBILL_RATE_LIMITS: "off" } });
  token = await aToken(api, await anAccount(api), { scopes: [...knownScopes] });
});
afterAll(() => api.close());

interface Refusal {
  error: { code: string; message: string; details: Record<string, unknown> };
}

async function post(path: string, body: string) {
  const request = { token, method: "POST", path, body } as const;
  let reply: Awaited<ReturnType<typeof callUnchecked>> | undefined;
  const longest = await longestStretchMs(async () => {
    reply = await callUnchecked(api, request);
  });
  // Not in what is measured: it reads the whole document, and compiles its schemas.
  assertResponseDocumented(request, reply!);
  const { error } = reply!.json<Refusal>();
  return { status: reply!.statusCode, error, longest };
}

const list = (count: number, entry: string) => `[${Array(count).fill(entry).join(",")}]`;
const members = (count: number) =>
  Array.from({ length: count }, (_, place) => `"k${place}":1`).join(",");

test.each([
  ["a body of 80,000 keys", "/rates", `{${members(80_000)}}`],
  ["a row of 380,000 keys", "/shipments", `[{"metadata":{${members(380_000)}}}]`],
  ["a shipment of 2.6 million packages", "/shipments", `{"packages":${list(2_600_000, "0")}}`],
  ["an order of 1.7 million items", "/orders", `{"items":${list(1_700_000, "[]")}}`],
])("%s is refused without blocking the event loop", async (_, path, body) => {
  const { status, error, longest } = await post(path, body);
  expect([status, error.code, error.details]).toEqual([
    413,
    "payload_too_large",
    { max: valuesMax },
  ]);
  expect(longest).toBeLessThan(150);
});

test("a list that may be long is counted by its entries, and validated up to the limit", async () => {
  const rows = await post("/shipments", list(1_700_000, "{}"));
  expect([rows.status, rows.error.code]).toEqual([422, "too_many_rows"]);
  const ids = await post("/batches", `{"name":"x","shipment_ids":${list(2_500_000, "0")}}`);
  expect(ids.error.details["shipment_ids"]).toEqual([
    "shipment_ids must have at most 10000 items.",
  ]);
  const products = `{"format":"json","products":${list(1_700_000, "{}")}}`;
  const imported = await post("/imports/products", products);
  expect([imported.status, imported.error.code]).toEqual([422, "too_many_rows"]);
  expect(Math.max(rows.longest, ids.longest, imported.longest)).toBeLessThan(200);
});

test("an entry with as many values as it may have is validated without blocking the event loop", async () => {
  const wrong = (to_address: unknown, packages: string) =>
    `{"to_address":${JSON.stringify(to_address)},"packages":${packages}}`;
  await post("/rates", wrong(halifax, list(10, "{}")));
  const empty = await post("/rates", wrong(halifax, list(valuesMax / 2 - 20, "{}")));
  const zeros = await post("/rates", wrong(halifax, list(valuesMax - 20, "0")));
  for (const { status, error } of [empty, zeros]) {
    expect(status).toBe(422);
    expect(error.details["packages"]).toEqual(["packages must have at most 50 entries."]);
  }
  expect(Math.max(empty.longest, zeros.longest)).toBeLessThan(200);
});

test("a bulk call whose rows are all wrong in hundreds of fields gets a bounded response, without blocking others", async () => {
  interface Rows extends Refusal {
    data: { index: number; error: { message: string; details: object } }[];
  }
  const row = `{"to_address":${JSON.stringify(halifax)},"items":${list(400, "{}")}}`;
  const body = list(500, row);
  const send = () => callUnchecked(api, { token, method: "POST", path: "/shipments", body });
  let reply: Awaited<ReturnType<typeof send>> | undefined;
  const longest = await longestStretchMs(async () => (reply = await send()));
  const { data, error } = reply!.json<Rows>();
  expect([reply!.statusCode, error.code, data.length]).toEqual([422, "validation_failed", 500]);
  const named = data.map(({ error: { details } }) => Object.keys(details).length);
  expect(named[0]).toBeGreaterThanOrEqual(500);
  expect(named[499]).toBe(10);
  expect(data[499]!.error.message).toMatch(/ 50\d more fields are not valid\./);
  expect(reply!.body.length).toBeLessThan(10_000_000);
  expect(longest).toBeLessThan(200);
});
