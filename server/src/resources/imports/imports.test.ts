import { AsyncLocalStorage } from "node:async_hooks";
import { gzipSync } from "node:zlib";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { anAccount, aToken, call, testApi, type TestApi } from "../../../test/api.ts";
import { inTransaction } from "../../database/connect.ts";
import { baseOf } from "../../http/authenticate.ts";
import { ClassifierError } from "../../providers/classification/classifier.ts";
import { runNext } from "./run-imports.ts";

let api: TestApi;
beforeAll(async () => {
  api = await testApi({ settings: { WAYBILL_RATE_LIMITS: "off", WAYBILL_IMPORT_ROWS_MAX: "400" } });
});
afterAll(() => api.close());

// Beside the transaction of a test, as another process is.
const outside = AsyncLocalStorage.snapshot();

async function holderOf(id: string): Promise<string | null> {
  const row = await api.db
    .selectFrom("imports")
    .select("holder_id")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return row.holder_id;
}

interface Result {
  row: number;
  line: number | null;
  sku: string | null;
  status: string;
  error: { code: string; details: Record<string, string[]> } | null;
}
interface Body {
  data: Record<string, unknown> & { id: string };
  error: { code: string; details: Record<string, string[]> };
}
type ProductShown = Record<string, unknown> & { sku: string; status: string };

const scopes = ["products:read", "products:write", "products:approve", "products:classify"];

async function aShop() {
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
    /** Imports, to the end, and returns what it came to. */
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

const legacy =
  "Handle,Title,Body (HTML),Vendor,Option1 Name,Option1 Value,Variant SKU,Variant Grams,Variant Price,Image Src,Variant Image";
const shopify = (...rows: string[]) => [legacy, ...rows].join("\n");

describe("Shopify's product export", () => {
  test("has a product for each variant, with what the first row says of all", async () => {
    const shop = await aShop();
    const done = await shop.imported(
      "shopify_products",
      shopify(
        'tee,Tee,"<p>Soft &amp; <b>light</b>,\n of cotton</p><script>x()</script>",Maple Knits,Size,S,TEE-S,180,"1,024.50",https://x.test/1.jpg,',
        "tee,,,,,M,TEE-M,0,25,,https://x.test/m.jpg",
        "tee,,,,,,,,,https://x.test/2.jpg,",
        "mug,Mug,,Clay Works,Title,Default Title,,300,18,,",
      ),
    );
    expect(done).toMatchObject({
      status: "completed",
      row_count: 3,
      processed_count: 3,
      created_count: 3,
      updated_count: 0,
      error_count: 0,
    });
    expect(done.rows.map(({ row, line, sku, status }) => [row, line, sku, status])).toEqual([
      [1, 2, "TEE-S", "created"],
      [2, 4, "TEE-M", "created"],
      [3, 6, "mug", "created"],
    ]);
    expect(await shop.product("TEE-S")).toMatchObject({
      title: "Tee - S",
      description: "Soft & light ,\nof cotton",
      manufacturer: "Maple Knits",
      value: 1024.5,
      currency: "CAD",
      weight: 180,
      weight_unit: "g",
      image_url: "https://x.test/1.jpg",
      store: "shopify",
      external_id: "tee",
      hs_code: "610910",
      hs_code_source: "classified",
      status: "Manufacturer Failed",
    });
    expect(await shop.product("TEE-M")).toMatchObject({
      title: "Tee - M",
      manufacturer: "Maple Knits",
      weight: null,
      image_url: "https://x.test/m.jpg",
    });
  });

  test("is read with today's header, too", async () => {
    const shop = await aShop();
    const header =
      "Title,URL handle,Description,Vendor,SKU,Option1 name,Option1 value,Price,Weight value (grams),Product image URL";
    const content = `\uFEFF${header}\r\nTee,tee,Soft,Maple,TEE-S,Size,S,25.00,180,https://x.test/1.jpg\r\n,tee,,,TEE-M,,M,26,181,\r\n`;
    expect(await shop.imported("shopify_products", content)).toMatchObject({ created_count: 2 });
    expect(await shop.product("TEE-M")).toMatchObject({
      title: "Tee - M",
      value: 26,
      weight: 181,
      image_url: "https://x.test/1.jpg",
    });
  });

  test("variants without a sku get one from handle and options, the same each time", async () => {
    const shop = await aShop();
    const content = shopify("tee,Tee,,Maple,Size,X Large,,1,25,,", "tee,,,,,S,,1,25,,");
    const first = await shop.imported("shopify_products", content);
    expect(first.rows.map(({ sku }) => sku)).toEqual(["tee-x-large", "tee-s"]);
    expect(await shop.imported("shopify_products", content)).toMatchObject({
      status: "completed",
      created_count: 0,
      updated_count: 2,
    });
  });
});

test("Shopify's inventory export brings codes and countries, once for all places", async () => {
  const shop = await aShop();
  await shop.imported("shopify_products", shopify("tee,Tee,,Maple Knits,Size,S,TEE-S,180,25,,"));
  const header =
    "Handle,Title,Option1 Name,Option1 Value,SKU,HS Code,COO,Location,On hand (current)";
  const done = await shop.imported(
    "shopify_inventory",
    [
      header,
      "tee,Tee,Size,S,TEE-S,6109.10,CN,Toronto,5",
      "tee,Tee,Size,S,TEE-S,6109.10,CN,Calgary,not stocked",
      "mug,Mug,Title,Default Title,MUG,691200,ZZ,Toronto,1",
      "cup,,Title,Default Title,CUP,691200,CN,Toronto,1",
      "tee,Tee,Size,S,TEE-S,6109.90,CN,Ottawa,5",
    ].join("\n"),
  );
  expect(done).toMatchObject({ status: "completed_with_errors", row_count: 4, updated_count: 1 });
  expect(
    done.rows.map(({ line, status, error }) => [line, status, Object.keys(error?.details ?? {})]),
  ).toEqual([
    [2, "updated", []],
    [4, "error", ["country_of_origin"]],
    [5, "error", ["title"]],
    [6, "error", ["sku"]],
  ]);
  expect(await shop.product("TEE-S")).toMatchObject({
    title: "Tee - S",
    hs_code: "610910",
    hs_code_source: "import",
    country_of_origin: "CN",
    value: 25,
    status: "Manufacturer Verified",
  });
});

test("WooCommerce's variations have of their parent what they leave out", async () => {
  const shop = await aShop();
  const header =
    "ID,Type,SKU,Name,Description,Weight (lbs),Regular price,Images,Parent,Attribute 1 value(s),Brands,Meta: _hs_code,Meta: country_of_origin";
  const done = await shop.imported(
    "woocommerce_products",
    [
      header,
      '7,variable,tee,Tee,"Soft\\ncotton",0.5,,"https://x.test/1.jpg, https://x.test/2.jpg",,"Red, Blue",Maple,6109.10,CN',
      "8,variation,tee-r,Tee - Red,,,25,,tee,Red,,,",
      "9,variation,,Tee - Blue,,0.6,25,,id:7,Blue,,,",
      '10,"simple, virtual",,Gift,,,x,,,,,,',
    ].join("\n"),
  );
  expect(done.rows.map(({ sku, status }) => [sku, status])).toEqual([
    ["tee", "created"],
    ["tee-r", "created"],
    ["tee-blue", "created"],
    ["woocommerce-10", "error"],
  ]);
  expect(await shop.product("tee-blue")).toMatchObject({
    title: "Tee - Blue",
    description: "Soft\ncotton",
    weight: 0.6,
    weight_unit: "lbs",
    image_url: "https://x.test/1.jpg",
    manufacturer: "Maple",
    hs_code: "610910",
    country_of_origin: "CN",
    external_id: "9",
    status: "Manufacturer Verified",
  });
});

describe("JSON", () => {
  test("brings any field; rows that are wrong say so and keep nobody else from coming in", async () => {
    const shop = await aShop();
    const done = await shop.imported("json", [
      { sku: "a", title: "A", hs_code: "0409.00", manufacturer: "Bees", country_of_origin: "ca" },
      { sku: "a", title: "Again" },
      { title: "No sku" },
      7 as unknown as object,
      { sku: "b", title: "B\u0000" },
      { sku: "c" },
    ]);
    expect(done).toMatchObject({
      status: "completed_with_errors",
      row_count: 6,
      processed_count: 6,
      created_count: 1,
      error_count: 5,
    });
    expect(
      done.rows.map(({ row, line, sku, error }) => [
        row,
        line,
        sku,
        error && Object.keys(error.details),
      ]),
    ).toEqual([
      [1, null, "a", null],
      [2, null, "a", ["sku"]],
      [3, null, null, ["sku"]],
      [4, null, null, [""]],
      [5, null, "b", ["title"]],
      [6, null, "c", ["title"]],
    ]);
    expect(await shop.product("a")).toMatchObject({
      status: "Manufacturer Verified",
      country_of_origin: "CA",
      cusma: { preference_criterion: "A" },
    });
  });

  test("a product that failed after the import is verified again and then approved", async () => {
    const shop = await aShop();
    await shop.imported("json", [
      { sku: "a", title: "Lamp", hs_code: "940521", manufacturer: "L" },
    ]);
    expect(await shop.product("a")).toMatchObject({ status: "Manufacturer Failed" });
    const post = (path: string, body: object) =>
      call(api, { token: shop.token, method: "POST", path, body });
    expect((await post("/products/a/approve-classification", {})).statusCode).toBe(409);
    await post("/products/verify-manufacturer", { sku: "a", country_of_origin: "CN" });
    expect((await post("/products/a/approve-classification", {})).statusCode).toBe(200);
  });

  test("an approved product stays approved when it comes again as it was, and waits when it changed", async () => {
    const shop = await aShop();
    const lamp = {
      sku: "a",
      title: "Lamp",
      hs_code: "9405.21",
      manufacturer: "L",
      country_of_origin: "CN",
    };
    await shop.imported("json", [lamp]);
    await call(api, {
      token: shop.token,
      method: "POST",
      path: "/products/a/approve-classification",
    });
    await shop.imported("json", [{ ...lamp, title: "Table lamp" }]);
    expect(await shop.product("a")).toMatchObject({ status: "Approved", title: "Table lamp" });
    await shop.imported("json", [{ ...lamp, country_of_origin: "VN" }]);
    expect(await shop.product("a")).toMatchObject({
      status: "Pending Approval",
      approved_at: null,
    });
  });
});

describe("the classification of rows without a code", () => {
  const mug = { sku: "a", title: "Stoneware mug", manufacturer: "Clay", country_of_origin: "CN" };

  test("is asked for once, until the store describes the product anew, and never against a given code", async () => {
    const shop = await aShop();
    await shop.imported("json", [mug, { ...mug, sku: "b", hs_code: "960800" }]);
    const first = await shop.product("a");
    expect(first).toMatchObject({
      hs_code: expect.stringMatching(/^69/) as unknown,
      hs_code_source: "classified",
      status: "Manufacturer Verified",
    });
    expect(await shop.product("b")).toMatchObject({ hs_code: "960800", classification: null });
    await shop.imported("json", [{ ...mug, value: 4 }]);
    expect((await shop.product("a"))["classification"]).toEqual(first["classification"]);
    await shop.imported("json", [{ ...mug, title: "Ballpoint pen" }]);
    expect(await shop.product("a")).toMatchObject({ hs_code: "960810" });
  });

  test("keeps nobody from coming in when the classifier is down, and is made up for next time", async () => {
    const shop = await aShop();
    const products = Array.from({ length: 9 }, (_, place) => ({ ...mug, sku: `m${place}` }));
    const { data } = await shop.send({ format: "json", products });
    let asked = 0;
    const classify = () => {
      asked++;
      const failure = {
        party: "zonos",
        kind: "unreachable",
        code: "gone",
        message: "Gone.",
      } as const;
      return Promise.reject(new ClassifierError({ ...failure, is_retryable: true }));
    };
    const classifiers = { forAccount: () => ({ party: "zonos" as const, classify }) };
    await runNext({ ...api.platform, classifiers });
    expect(asked).toBeLessThan(9);
    expect(await shop.finished(data.id)).toMatchObject({ status: "completed", created_count: 9 });
    expect(await shop.product("m8")).toMatchObject({ hs_code: null, classification: null });
    await shop.imported("json", products);
    expect(await shop.product("m8")).toMatchObject({ hs_code_source: "classified" });
  });
});

describe("a form", () => {
  const formOf = (parts: Record<string, string | Buffer>) => {
    const boundary = "xxBOUNDARYxx";
    const pieces = Object.entries(parts).flatMap(([name, value]) => [
      `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${typeof value === "string" ? "" : '; filename="f.csv"\r\ncontent-type: text/csv'}\r\n\r\n`,
      value,
      "\r\n",
    ]);
    const payload = Buffer.concat(
      [...pieces, `--${boundary}--\r\n`].map((each) => Buffer.from(each)),
    );
    return { payload, headers: { "content-type": `multipart/form-data; boundary=${boundary}` } };
  };
  const post = async (
    token: string,
    form: { payload: Buffer; headers: Record<string, string> },
    path = "/imports/products",
  ) => {
    const headers = { ...form.headers, authorization: `Bearer ${token}` };
    const reply = await api.app.inject({
      method: "POST",
      url: baseOf.test + path,
      payload: form.payload,
      headers,
    });
    return { status: reply.statusCode, ...reply.json<Body>() };
  };
  const sheet = Buffer.from(shopify("tee,Té,,Maple,Size,S,TEE-S,180,25,,"));

  test("brings a file, byte for byte", async () => {
    const shop = await aShop();
    const { status, data } = await post(
      shop.token,
      formOf({ format: "shopify_products", file: sheet }),
    );
    expect(status).toBe(202);
    expect(await shop.finished(data.id)).toMatchObject({ status: "completed", created_count: 1 });
    expect(await shop.product("TEE-S")).toMatchObject({ title: "Té - S" });
  });

  test.each([
    ["UTF-16 with its mark", Buffer.from(`\uFEFF${sheet.toString()}`, "utf16le"), "UTF-16"],
    ["UTF-16 without", Buffer.from(sheet.toString(), "utf16le"), "UTF-16"],
    ["Latin-1", Buffer.from(sheet.toString(), "latin1"), "line 2"],
    ["a zip", Buffer.from("PK\u0003\u0004 and so on"), "zip"],
    ["gzip", gzipSync(sheet), "gzip"],
    ["an old workbook", Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1]), "Excel"],
    ["nothing", Buffer.alloc(0), "empty"],
    ["zeros", Buffer.alloc(100_000), "NUL"],
    ["no end of quotes", Buffer.from(`${legacy}\na,"b\n`.padEnd(200_000, "x\n")), "line 2"],
  ])("with %s is refused as a whole, and says why", async (_name, file, word) => {
    const shop = await aShop();
    const { status, error } = await post(shop.token, formOf({ format: "shopify_products", file }));
    expect([status, error.code]).toEqual([422, "validation_failed"]);
    expect(error.details["content"]!.join(" ")).toContain(word);
  });

  test("is refused where none is taken, and where it is none", async () => {
    const shop = await aShop();
    const form = formOf({ format: "shopify_products", file: sheet });
    expect((await post(shop.token, form, "/products/verify-manufacturer")).status).toBe(415);
    const broken = { ...form, payload: form.payload.subarray(0, 60) };
    expect(await post(shop.token, broken)).toMatchObject({
      status: 400,
      error: { code: "bad_request" },
    });
    const large = formOf({ format: "json", file: Buffer.alloc(6_000_000, "x") });
    expect((await post(shop.token, large)).status).toBe(413);
    expect(
      (await post(shop.token, formOf({ format: "x", other: Buffer.alloc(4_000_000) }))).status,
    ).toBe(422);
  });
});

describe("bad files", () => {
  test("with columns missing are refused, and the columns named", async () => {
    const shop = await aShop();
    expect(await shop.refused("shopify_products", "Handle,Variant SKU\na,b\n")).toContain(
      '"title"',
    );
    expect(await shop.refused("woocommerce_products", `${legacy}\n`)).toContain('"name"');
    expect(await shop.refused("shopify_inventory", `${legacy}\nx\n`)).toContain('"hs code"');
    expect(await shop.refused("shopify_products", `${legacy}\n\n,,,\n`)).toContain("no rows");
    expect(await shop.refused("shopify_products", "\uFEFF")).toContain("empty");
  });

  test("formulas, lost letters, no numbers and too many cells are errors of their rows", async () => {
    const shop = await aShop();
    const { rows, created_count } = (await shop.imported(
      "shopify_products",
      shopify(
        "a,=1+1,,V,,,A,1,1,,",
        `b,B,,"=HYPERLINK(""http://x"")",,,B,1,1,,`,
        "c,@SUM(A1),,V,,,C,1,1,,",
        "d,+cmd|' /C calc'!A0,,V,,,D,1,1,,",
        "e,Caf\uFFFD,,V,,,E,1,1,,",
        "f,F,,V,,,F,1,free,,",
        "g,G,,V,,,G,1,1,,,too,many",
        "h,-50% (sale) @home,,+Plus,,,H,1,1,,",
      ),
    )) as unknown as { rows: Result[]; created_count: number };
    expect(rows.map(({ error }) => Object.keys(error?.details ?? {})[0] ?? null)).toEqual([
      "title",
      "manufacturer",
      "title",
      "title",
      "title",
      "value",
      "",
      null,
    ]);
    expect(created_count).toBe(1);
  });

  test("with more rows than one call takes are refused", async () => {
    const shop = await aShop();
    const products = Array.from({ length: 401 }, (_, place) => ({ sku: `${place}`, title: "A" }));
    expect(await shop.send({ format: "json", products })).toMatchObject({
      status: 422,
      error: { code: "too_many_rows", details: { max: 400 } },
    });
  });

  test("without anything to import name what is missing", async () => {
    const shop = await aShop();
    for (const [body, fields] of [
      [{}, ["content", "format"]],
      [{ format: "json" }, ["products"]],
      [{ format: "json", products: [], content: "x" }, ["content", "products"]],
      [{ format: "shopify_products", file: "x" }, ["file"]],
      [{ format: "xml", content: 7 }, ["content", "format"]],
    ] as const) {
      const { status, error } = await shop.send(body);
      expect([status, Object.keys(error.details).sort()]).toEqual([422, fields]);
    }
  });
});

describe("an import under way", () => {
  const many = Array.from({ length: 250 }, (_, place) => ({
    sku: `P${place}`,
    title: `P ${place}`,
  }));

  test("tells how far it is, and goes on in parts, with others between them", async () => {
    const shop = await aShop();
    const other = await aShop();
    const { data } = await shop.send({ format: "json", products: many });
    expect(data).toMatchObject({
      status: "processing",
      row_count: 250,
      processed_count: 0,
      completed_at: null,
    });
    await runNext(api.platform);
    const { data: small } = await other.send({ format: "json", products: many.slice(0, 3) });
    await runNext(api.platform);
    expect((await other.get(`/imports/${small.id}`)).data).toMatchObject({ status: "completed" });
    expect((await shop.get(`/imports/${data.id}`)).data).toMatchObject({
      status: "processing",
      processed_count: 100,
      created_count: 100,
    });
    expect(await shop.rowsOf(data.id)).toHaveLength(100);
    expect(await shop.finished(data.id)).toMatchObject({ status: "completed", created_count: 250 });
    expect((await shop.rowsOf(data.id)).map(({ row }) => row)).toEqual(
      many.map((_, place) => place + 1),
    );
    const page = await call(api, { token: shop.token, path: `/imports/${data.id}/rows?page=3` });
    expect(page.json()).toMatchObject({ meta: { total: 250, from: 51 }, data: { 0: { row: 51 } } });
  });

  test("is taken over from a dead process, which writes nothing any more; no row comes twice", async () => {
    const shop = await aShop();
    const { data } = await shop.send({ format: "json", products: many });
    await runNext(api.platform);
    const claim = (holder_id: string) =>
      api.db.updateTable("imports").set({ holder_id }).where("id", "=", data.id).execute();
    await claim("prc_dead");
    expect(await shop.finished(data.id)).toMatchObject({ status: "completed", created_count: 250 });
    const events = await api.db
      .selectFrom("events")
      .select("subject_id")
      .where("account_id", "=", shop.account_id)
      .where("type", "=", "product.status_changed")
      .execute();
    expect(new Set(events.map(({ subject_id }) => subject_id)).size).toBe(250);
    expect(events).toHaveLength(250);
  });

  test("leaves rows alone that another process has taken over in the meantime", async () => {
    const shop = await aShop();
    const { data } = await shop.send({ format: "json", products: many.slice(0, 5) });
    // The list of denied parties is read after the import was taken, and before its rows are written.
    const running = await inTransaction(api.db, async (tx) => {
      await sql`LOCK TABLE denied_party_lists IN ACCESS EXCLUSIVE MODE`.execute(tx);
      const begun = outside(() => runNext(api.platform));
      await expect.poll(() => outside(() => holderOf(data.id))).toBe(api.platform.process_id);
      await tx
        .updateTable("imports")
        .set({ holder_id: "prc_other" })
        .where("id", "=", data.id)
        .execute();
      return { begun };
    });
    expect(await running.begun).toBe(true);
    expect((await shop.get(`/imports/${data.id}`)).data).toMatchObject({ processed_count: 0 });
    expect(await shop.rowsOf(data.id)).toEqual([]);
    expect(await shop.finished(data.id)).toMatchObject({ created_count: 5 });
  });
});
