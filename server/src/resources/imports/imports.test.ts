import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { call, type TestApi } from "../../../test/api.ts";
import { aShop, importApi, shopify } from "./import-world.ts";

let api: TestApi;
beforeAll(async () => {
  api = await importApi();
});
afterAll(() => api.close());

describe("Shopify's product export", () => {
  test("has a product for each variant, with the shared fields of the first row", async () => {
    const shop = await aShop(api);
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
    const shop = await aShop(api);
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
    const shop = await aShop(api);
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

test("Shopify's inventory export adds codes and countries, once for all locations", async () => {
  const shop = await aShop(api);
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

test("WooCommerce's variations inherit from their parent what they leave out", async () => {
  const shop = await aShop(api);
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
  test("imports any field; wrong rows are reported and do not keep others from being imported", async () => {
    const shop = await aShop(api);
    const done = await shop.imported("json", [
      { sku: "a", title: "A", hs_code: "0409.00", manufacturer: "Bees", country_of_origin: "ca" },
      { sku: "a", title: "Again" },
      { title: "No sku" },
      7 as unknown as object,
      { sku: "b", title: "B\u0000" },
      { sku: "c" },
      { sku: "d", title: "D", image_url: "x y", manufacturer_address: { country_code: "ZZ" } },
    ]);
    expect(done).toMatchObject({
      status: "completed_with_errors",
      row_count: 7,
      processed_count: 7,
      created_count: 1,
      error_count: 6,
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
      [4, null, null, ["row"]],
      [5, null, "b", ["title"]],
      [6, null, "c", ["title"]],
      [7, null, "d", ["image_url", "manufacturer_address.country_code"]],
    ]);
    expect(await shop.product("a")).toMatchObject({
      status: "Manufacturer Verified",
      country_of_origin: "CA",
      cusma: { preference_criterion: "A" },
    });
  });

  test("a product that failed after the import is verified again and then approved", async () => {
    const shop = await aShop(api);
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

  test("an approved product stays approved when it is imported unchanged, and waits when it changed", async () => {
    const shop = await aShop(api);
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
