import { afterAll, beforeAll, expect, test } from "vitest";
import { knownScopes } from "../../src/domain/accounts/scopes.ts";
import { baseOf } from "../../src/http/authenticate.ts";
import { anAccount, aToken, testApi, type TestApi } from "../api.ts";
import { longestStretchMs } from "./stretch.ts";

/** Files as large as a call accepts, with as many rows or columns as they have room for. */

let api: TestApi;
let seller: string;
beforeAll(async () => {
  api = await testApi({ settings: { WAYBILL_RATE_LIMITS: "off" } });
  seller = await aToken(api, await anAccount(api), { scopes: [...knownScopes] });
  // What is loaded at the first call is no promise of these tests.
  await post({ url: products, token: seller, body: { format: "shopify_products", content: "x" } });
});
afterAll(() => api.close());

const products = `${baseOf.test}/imports/products`;

interface Reply {
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

const rowsOf = (count: number, row: (place: string) => string) =>
  Array.from({ length: count }, (_, place) => row(String(place))).join("");

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
