import { expect } from "vitest";
import { anAccount, aToken, call, testApi, type TestApi } from "../../../test/api.ts";
import { runNext } from "./run-imports.ts";

/** An account that imports, on a platform whose worker runs when the test says so. */

export interface Result {
  row: number;
  line: number | null;
  sku: string | null;
  status: string;
  error: { code: string; details: Record<string, string[]> } | null;
}
export interface Body {
  data: Record<string, unknown> & { id: string };
  error: { code: string; details: Record<string, string[]> };
}
type ProductShown = Record<string, unknown> & { sku: string; status: string };

const scopes = ["products:read", "products:write", "products:approve", "products:classify"];

/** One import has at most 400 rows. */
export function importApi(): Promise<TestApi> {
  return testApi({ settings: { WAYBILL_RATE_LIMITS: "off", WAYBILL_IMPORT_ROWS_MAX: "400" } });
}

export async function aShop(api: TestApi) {
  const account = await anAccount(api);
  const token = await aToken(api, account, { scopes });
  const send = async (body: unknown, headers = {}) => {
    const reply = await call(api, {
      token,
      method: "POST",
      path: "/imports/products",
      body,
      headers,
    });
    return { status: reply.statusCode, ...reply.json<Body>() };
  };
  const get = async <T>(path: string) =>
    (await call(api, { token, path })).json<{ data: T; meta: { next_cursor: string | null } }>();
  const finished = async (id: string) => {
    while (await runNext(api.platform));
    const { data } = await get<Record<string, unknown>>(`/imports/${id}`);
    return data;
  };
  const rowsOf = async (id: string) => {
    const rows: Result[] = [];
    for (let path = `/imports/${id}/rows?per_page=100`; ;) {
      const page = await get<Result[]>(path);
      rows.push(...page.data);
      if (page.meta.next_cursor === null) return rows;
      path = `/imports/${id}/rows?per_page=100&cursor=${page.meta.next_cursor}`;
    }
  };
  return {
    ...account,
    token,
    send,
    get,
    rowsOf,
    /** Imports, to the end, and returns the results. */
    async imported(format: string, content: string | object[]) {
      const body = typeof content === "string" ? { content } : { products: content };
      const started = await send({ format, ...body });
      expect(started.status, JSON.stringify(started)).toBe(202);
      const done = await finished(started.data.id);
      return { ...done, rows: await rowsOf(started.data.id) };
    },
    finished,
    async product(sku: string) {
      return (await get<ProductShown>(`/products/${encodeURIComponent(sku)}`)).data;
    },
    async refused(format: string, content: string): Promise<string> {
      const { status, error } = await send({ format, content });
      expect([status, error.code]).toEqual([422, "validation_failed"]);
      expect((await get<unknown[]>("/products")).data).toEqual([]);
      return error.details["content"]!.join(" ");
    },
  };
}

/** The header of Shopify's product export of before 2024. */
export const legacy =
  "Handle,Title,Body (HTML),Vendor,Option1 Name,Option1 Value,Variant SKU,Variant Grams,Variant Price,Image Src,Variant Image";

/** An export of these rows. */
export const shopify = (...rows: string[]) => [legacy, ...rows].join("\n");
