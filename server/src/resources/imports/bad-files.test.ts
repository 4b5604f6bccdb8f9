import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TestApi } from "../../../test/api.ts";
import { baseOf } from "../../http/authenticate.ts";
import { aShop, importApi, legacy, shopify, type Body, type Result } from "./import-world.ts";

let api: TestApi;
beforeAll(async () => {
  api = await importApi();
});
afterAll(() => api.close());

describe("a form", () => {
  const formOf = (parts: Record<string, string | Buffer>, ...more: [string, string | Buffer][]) => {
    const boundary = "xxBOUNDARYxx";
    const pieces = [...Object.entries(parts), ...more].flatMap(([name, value]) => [
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

  test("uploads a file, byte for byte", async () => {
    const shop = await aShop(api);
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
  ])("with %s is refused as a whole, with the reason", async (_name, file, word) => {
    const shop = await aShop(api);
    const { status, error } = await post(shop.token, formOf({ format: "shopify_products", file }));
    expect([status, error.code]).toEqual([422, "validation_failed"]);
    expect(error.details["file"]!.join(" ")).toContain(word);
  });

  test("with a part that comes twice is refused at its name, and nothing is imported", async () => {
    const shop = await aShop(api);
    const parts = { format: "shopify_products", file: sheet };
    const other = Buffer.from(shopify("mug,Mug,,Maple,Size,S,MUG-S,180,25,,"));
    for (const [more, names] of [
      [[["file", other]], ["file"]],
      [[["format", "csv"]], ["format"]],
      [
        [
          ["format", "shopify_products"],
          ["file", sheet],
        ],
        ["file", "format"],
      ],
    ] as [[string, string | Buffer][], string[]][]) {
      const { status, error } = await post(shop.token, formOf(parts, ...more));
      expect([status, error.code]).toEqual([422, "validation_failed"]);
      expect(error.details).toEqual(
        Object.fromEntries(names.map((name) => [name, [`${name} must be given once.`]])),
      );
    }
    const listed = await api.app.inject({
      url: `${baseOf.test}/imports`,
      headers: { authorization: `Bearer ${shop.token}` },
    });
    expect(listed.json<{ data: unknown[] }>().data).toEqual([]);
  });

  test("may have ten parts, and not one more", async () => {
    const shop = await aShop(api);
    const parts = { format: "shopify_products", file: sheet };
    const others = Array.from({ length: 8 }, (): [string, string] => ["other", "x"]);
    expect((await post(shop.token, formOf(parts, ...others))).status).toBe(202);
    const { status, error } = await post(shop.token, formOf(parts, ...others, ["other", "x"]));
    expect([status, error.details]).toEqual([422, { body: ["body has more than 10 parts."] }]);
  });

  test("may have a preamble, an epilogue, and a boundary in quotation marks, of the characters of RFC 2046", async () => {
    const shop = await aShop(api);
    const form = formOf({ format: "shopify_products", file: sheet });
    const long = Buffer.alloc(20_000, "x");
    const payload = Buffer.concat([Buffer.from("x\r\n"), form.payload, long]);
    const statusOf = async (boundary: string) => {
      const headers = { "content-type": `multipart/form-data; charset=utf-8; ${boundary}` };
      return (await post(shop.token, { payload, headers })).status;
    };
    expect(await statusOf('boundary="xxBOUNDARYxx"')).toBe(202);
    expect(await statusOf("boundary=xxBOUNDARYxx; x=y")).toBe(202);
    for (const other of ["boundary=", `boundary=${"x".repeat(71)}`, "boundary=x{y", "bound=x"])
      expect(await statusOf(other)).toBe(400);
  });

  test("is refused where none is accepted, and where it is malformed", async () => {
    const shop = await aShop(api);
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
    const shop = await aShop(api);
    expect(await shop.refused("shopify_products", "Handle,Variant SKU\na,b\n")).toContain(
      '"title"',
    );
    expect(await shop.refused("woocommerce_products", `${legacy}\n`)).toContain('"name"');
    expect(await shop.refused("shopify_inventory", `${legacy}\nx\n`)).toContain('"hs code"');
    expect(await shop.refused("shopify_products", `${legacy}\n\n,,,\n`)).toContain("no rows");
    expect(await shop.refused("shopify_products", "\uFEFF")).toContain("empty");
  });

  test("formulas, lost letters, invalid numbers and too many cells are errors of their rows", async () => {
    const shop = await aShop(api);
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
      "row",
      null,
    ]);
    expect(created_count).toBe(1);
  });

  test("with more rows than one call takes are refused", async () => {
    const shop = await aShop(api);
    const products = Array.from({ length: 401 }, (_, place) => ({ sku: `${place}`, title: "A" }));
    expect(await shop.send({ format: "json", products })).toMatchObject({
      status: 422,
      error: { code: "too_many_rows", details: { max: 400 } },
    });
  });

  test("without anything to import name what is missing", async () => {
    const shop = await aShop(api);
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
