import { afterAll, beforeAll, expect, test } from "vitest";
import { knownScopes } from "../../src/domain/accounts/scopes.ts";
import { hashToken, newToken } from "../../src/http/tokens.ts";
import { baseOf } from "../../src/http/authenticate.ts";
import { anAccount, aToken, testApi, type TestApi } from "../api.ts";
import { longestStretchMs } from "./stretch.ts";

/** Files as large as a call accepts, with as many rows or columns as they have room for. */

let api: TestApi;
let operator: string;
let seller: string;
beforeAll(async () => {
  api = await testApi({ settings: { WAYBILL_RATE_LIMITS: "off" } });
  seller = await aToken(api, await anAccount(api), { scopes: [...knownScopes] });
  operator = newToken("op");
  const row = { token_hash: hashToken(operator), name: "test operator" };
  await api.db.insertInto("operator_tokens").values(row).execute();
  // What is loaded at the first call is no promise of these tests.
  await post({ url: locations, token: operator, body: { ...places, content: header } });
  await post({ url: products, token: seller, body: { format: "shopify_products", content: "x" } });
  await post({ url: rates, token: operator, body: { format: "csv", content: "x" } });
});
afterAll(() => api.close());

const locations = "/api/admin/locations/imports";
const rates = "/api/admin/exchange-rates/import";
const products = `${baseOf.test}/imports/products`;
const places = { environment: "test", format: "csv" };

interface Reply {
  data?: Record<string, unknown>;
  error?: { code: string; message: string; details: Record<string, unknown> };
}

async function post(call: { url: string; token: string; body: object }) {
  const { url, token, body } = call;
  const headers = { authorization: `Bearer ${token}` };
  let reply: Awaited<ReturnType<typeof api.app.inject>> | undefined;
  const longest = await longestStretchMs(async () => {
    reply = await api.app.inject({ method: "POST", url, headers, payload: body });
  });
  return { status: reply!.statusCode, ...reply!.json<Reply>(), longest };
}

const header =
  "carrier,external_id,name,type,address1,city,province_code,postal_code,country_code,latitude,longitude,time_zone\n";
const aPlace = (id: string) =>
  `ups,${id},Shop,branch,1 King St,Toronto,ON,M5H 1A1,CA,43.6,-79.3,America/Toronto\n`;
const rowsOf = (count: number, row: (place: string) => string) =>
  Array.from({ length: count }, (_, place) => row(String(place))).join("");

test("twenty thousand locations are imported without blocking the event loop", async () => {
  const content = header + rowsOf(20_000, aPlace);
  const body = { ...places, content, retire_missing: true };
  const { status, data, longest } = await post({ url: locations, token: operator, body });
  expect([status, data]).toMatchObject([200, { created: 20_000, error_count: 0 }]);
  expect(longest).toBeLessThan(50);
}, 60_000);

test.each([
  ["good locations", rowsOf(55_000, aPlace)],
  ["bad locations", "x\n".repeat(1_500_000)],
])(
  "more %s than a call takes are refused as a whole, without blocking",
  async (_, rows) => {
    const body = { ...places, content: header + rows };
    const { status, error, longest } = await post({ url: locations, token: operator, body });
    expect([status, error]).toMatchObject([
      422,
      { code: "too_many_rows", details: { max: 20_000 } },
    ]);
    expect(longest).toBeLessThan(50);
  },
  60_000,
);

const columns = "base,quote,rate,valid_from\n";
const days = (count: number) =>
  Array.from({ length: count }, (_, place) =>
    new Date(Date.UTC(1800, 0, 1 + place)).toISOString().slice(0, 10),
  );

test("a hundred thousand exchange rates are imported without blocking the event loop", async () => {
  const content =
    columns +
    days(50_000)
      .map((day) => `USD,CAD,1.3,${day}\nCAD,EUR,0.7,${day}\n`)
      .join("");
  const body = { format: "csv", content };
  const { status, data, longest } = await post({ url: rates, token: operator, body });
  expect([status, data]).toMatchObject([200, { created: 100_000, first_day: "1800-01-01" }]);
  expect(longest).toBeLessThan(50);
}, 60_000);

const bad = "x,x,x,x\n";
test.each([
  [
    "rows",
    "csv",
    columns + bad.repeat(500_000),
    { code: "too_many_rows", details: { max: 100_000 } },
  ],
  [
    "columns",
    "csv",
    `${columns}${",".repeat(4_900_000)}`,
    { details: { content: ["content has more than 200 columns in line 2."] } },
  ],
  [
    "columns in its header",
    "bank_of_canada",
    `date,${"FXUSDCAD,".repeat(500_000)}x\n`,
    { details: { content: ["content has more than 200 columns in line 1."] } },
  ],
])(
  "a file of exchange rates with too many %s is refused without blocking",
  async (_, format, content, expected) => {
    const body = { format, content };
    const { status, error, longest } = await post({ url: rates, token: operator, body });
    expect([status, error]).toMatchObject([422, expected]);
    expect(longest).toBeLessThan(50);
  },
  60_000,
);

test("of a hundred thousand bad exchange rates a thousand problems are named, without blocking", async () => {
  const body = { format: "csv", content: columns + bad.repeat(100_000) };
  const { status, error, longest } = await post({ url: rates, token: operator, body });
  expect(status).toBe(422);
  expect(Object.keys(error!.details)).toHaveLength(1001);
  expect(error!.details["content"]).toEqual([
    "content has more that cannot be read; the first 1000 are named.",
  ]);
  expect(longest).toBeLessThan(50);
}, 60_000);

test.each([
  ["a header of 600,000 columns", rowsOf(600_000, (place) => `c${place},`), 1],
  ["a row of 4 million cells", `Handle,Title,Variant SKU\n${",".repeat(4_000_000)}`, 2],
])(
  "a file of products with %s is refused without blocking the event loop",
  async (_, content, line) => {
    const body = { format: "shopify_products", content };
    const { status, error, longest } = await post({ url: products, token: seller, body });
    expect([status, error!.details]).toEqual([
      422,
      { content: [`content has more than 1000 columns in line ${line}.`] },
    ]);
    expect(longest).toBeLessThan(50);
  },
  60_000,
);
