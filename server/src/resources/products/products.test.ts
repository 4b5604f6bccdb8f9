import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { anAccount, aToken, call, testApi, type TestApi } from "../../../test/api.ts";
import type { Verification } from "../../domain/products/verification.ts";
import { loadDeniedParties } from "./denied-parties.ts";

let api: TestApi;
beforeAll(async () => {
  api = await testApi({ settings: { WAYBILL_RATE_LIMITS: "off" } });
});
afterAll(() => api.close());

const scopes = ["products:read", "products:write", "products:classify", "products:approve"];

interface Body {
  data: Record<string, unknown> & { cusma: Verification | null };
  error: { code: string; message: string; details: Record<string, unknown> };
}

/** An account's calls, with the setting on unless the test is about it. */
async function aShop({ products_api_create = true } = {}) {
  const account = await anAccount(api, { settings: { products_api_create } });
  const token = await aToken(api, account, { scopes });
  const send = async (method: "GET" | "POST" | "PUT", path: string, body?: unknown) => {
    const reply = await call(api, { token, method, path, body });
    return { status: reply.statusCode, headers: reply.headers, ...reply.json<Body>() };
  };
  const must = async (...request: Parameters<typeof send>) => {
    const reply = await send(...request);
    expect(reply.status, JSON.stringify(reply)).toBeLessThan(300);
    return reply.data;
  };
  return {
    ...account,
    token,
    send,
    must,
    create: (product: object) => must("POST", "/products", { title: "A thing", ...product }),
    verify: (body: object) => send("POST", "/products/verify-manufacturer", body),
    approve: (sku: string, body?: object) =>
      send("POST", `/products/${sku}/approve-classification`, body),
    statusOf: async (sku: string) => (await must("GET", `/products/${sku}`))["status"],
  };
}

const movesOf = async (account_id: string) =>
  (
    await api.db
      .selectFrom("recorded_events")
      .select(["subject_id", "data"])
      .where("account_id", "=", account_id)
      .where("type", "=", "product.status_changed")
      .orderBy("id")
      .execute()
  ).map(({ data }) => {
    const { previous_status, status } = data as Record<string, string | null>;
    return `${previous_status} → ${status}`;
  });

const montreal = {
  address1: "275 Rue Notre-Dame Est",
  city: "Montréal",
  province_code: "qc",
  country_code: "ca",
};

describe("POST /products", () => {
  test("is 405 and names the import while the setting is off, and changes nothing", async () => {
    const shop = await aShop({ products_api_create: false });
    const refused = await shop.send("POST", "/products", { sku: "A", title: "A" });
    expect([refused.status, refused.error.code, refused.headers["allow"]]).toEqual([
      405,
      "method_not_allowed",
      "GET, HEAD",
    ]);
    expect(refused.error.message).toContain("POST /imports/products");
    expect((await shop.send("GET", "/products/A")).status).toBe(404);
  });

  test("creates while it is on, cleaned, once for each sku", async () => {
    const shop = await aShop();
    const body = {
      sku: " tee/blue ",
      title: "Blue  tee",
      hs_code: "6109.10 00",
      country_of_origin: "ca",
      value: 19.99,
      weight: 180,
      weight_unit: "g",
      manufacturer_address: "275 Rue Notre-Dame Est, Montréal, QC H2Y 1C6, CA",
      unknown_field: 1,
    };
    const created = await shop.send("POST", "/products", body);
    expect(created).toMatchObject({
      status: 201,
      data: {
        sku: "tee/blue",
        title: "Blue tee",
        hs_code: "61091000",
        hs_code_source: "manual",
        country_of_origin: "CA",
        value: 19.99,
        currency: "CAD",
        status: "Classified",
        manufacturer_address: {
          address1: "275 Rue Notre-Dame Est",
          city: "Montréal",
          province_code: "QC",
          postal_code: "H2Y 1C6",
          country_code: "CA",
        },
      },
    });
    expect(await shop.must("GET", "/products/tee%2Fblue")).toEqual(created.data);
    expect(await shop.send("POST", "/products", body)).toMatchObject({
      status: 409,
      error: { code: "conflict", details: { sku: "tee/blue" } },
    });
  });

  test("names every failing field at once", async () => {
    const shop = await aShop();
    const { status, error } = await shop.send("POST", "/products", {
      sku: " \u200b ",
      title: "a\nb",
      hs_code: "12",
      country_of_origin: "ZZ",
      value: 1.234,
      weight: 1,
      image_url: 7,
      manufacturer_address: { country_code: "ZZ" },
    });
    expect(status).toBe(422);
    expect(Object.keys(error.details).sort()).toEqual([
      ...["country_of_origin", "hs_code", "image_url", "manufacturer_address.country_code"],
      ...["sku", "title", "value", "weight_unit"],
    ]);
  });
});

describe("a product's picture and its maker's country", () => {
  test.each([
    [{ image_url: "javascript:alert(1)" }, "image_url"],
    [{ image_url: "data:image/png;base64,AA" }, "image_url"],
    [{ image_url: "x y" }, "image_url"],
    [{ image_url: "https://x.test/a b.jpg" }, "image_url"],
    [{ image_url: "/mug.jpg" }, "image_url"],
    [{ manufacturer_address: { country_code: "ZZ" } }, "manufacturer_address.country_code"],
    [{ manufacturer_address: "1 Rue Basse, Paris, 75001, zz" }, "manufacturer_address"],
  ])("are refused where they are no web address and no country: %j", async (wrong, path) => {
    const shop = await aShop();
    const before = await shop.create({ sku: "mug" });
    for (const [method, url, body] of [
      ["PUT", "/products/mug", wrong],
      ["POST", "/products", { sku: "new", title: "New", ...wrong }],
      ...("manufacturer_address" in wrong
        ? [["POST", "/products/verify-manufacturer", { sku: "mug", ...wrong }] as const]
        : []),
    ] as const) {
      const { status, error } = await shop.send(method, url, body);
      expect([status, Object.keys(error.details)]).toEqual([422, [path]]);
    }
    expect(await shop.must("GET", "/products/mug")).toEqual(before);
    expect((await shop.send("GET", "/products/new")).status).toBe(404);
  });

  test("are taken as they are, and taken back by null", async () => {
    const shop = await aShop();
    await shop.create({ sku: "mug", manufacturer_address: "1 Rue Basse, Paris, 75001, fr" });
    for (const image_url of ["https://x.test/mug.jpg?v=1#a", "HTTP://x.test/é.png", null])
      expect(await shop.must("PUT", "/products/mug", { image_url })).toMatchObject({
        image_url,
        manufacturer_address: { country_code: "FR" },
      });
  });
});

test("products are listed newest first, by status, and only an account's own", async () => {
  const shop = await aShop();
  const other = await aShop();
  await other.create({ sku: "theirs" });
  for (const sku of ["z", "a", "m"])
    await shop.create({ sku, hs_code: sku === "a" ? "010121" : null });
  const skus = async (path: string) =>
    ((await shop.must("GET", path)) as unknown as { sku: string }[]).map(({ sku }) => sku);
  expect(await skus("/products")).toEqual(["m", "a", "z"]);
  expect(await skus("/products?status=Classified")).toEqual(["a"]);
  expect(await skus("/products?status=Imported&page=1")).toEqual(["m", "z"]);
  expect((await shop.send("GET", "/products?status=Nope")).status).toBe(422);
});

describe("PUT /products/{sku}", () => {
  test("changes the fields that it names and nothing else", async () => {
    const shop = await aShop();
    const before = await shop.create({ sku: "a", description: "old", value: 5 });
    const after = await shop.must("PUT", "/products/a", { description: "new", sku: "a" });
    expect(after).toEqual({ ...before, description: "new", updated_at: after["updated_at"] });
    expect(await shop.send("PUT", "/products/nobody", {})).toMatchObject({ status: 404 });
    expect(await shop.send("PUT", "/products/a", { sku: "b", title: null })).toMatchObject({
      status: 422,
    });
  });

  test.each([
    [{ hs_code: "6109.90" }, "Pending Approval"],
    [{ country_of_origin: "US" }, "Pending Approval"],
    [{ customs_description: "Another" }, "Pending Approval"],
    [{ hs_code: "6109.10" }, "Approved"],
    [{ value: 99, title: "Another", description: "Another" }, "Approved"],
  ])("of an approved product with %j leaves it %s", async (changes, status) => {
    const shop = await aShop();
    await shop.create({ sku: "a", hs_code: "610910", country_of_origin: "CA" });
    expect((await shop.approve("a")).data["status"]).toBe("Approved");
    const changed = await shop.must("PUT", "/products/a", changes);
    expect(changed["status"]).toBe(status);
    expect(changed["approved_at"] === null).toBe(status !== "Approved");
  });
});

describe("POST /products/verify-manufacturer", () => {
  test("returns the complete shape, and the reasons", async () => {
    const shop = await aShop();
    const { status, data } = await shop.verify({
      manufacturer: "Maple Knits Ltd.",
      country_of_origin: "ca",
      manufacturer_address: montreal,
      hs_code: "6109.10",
    });
    expect(status).toBe(200);
    expect(data).toEqual({
      status: "needs_review",
      cusma_eligible: true,
      preference_criterion: null,
      checks: [
        ["manufacturer_present", true],
        ["country_of_origin_present", true],
        ["country_of_origin_valid", true],
        ["cusma_country", true],
        ["preference_criterion", false],
        ["mid_code", true],
        ["denied_party", true],
      ].map(([code, passed]) => ({
        code,
        passed,
        message: expect.stringMatching(/\.$/) as unknown,
      })),
      reasons: [expect.stringContaining("61.09") as unknown],
      certificate_required: true,
      mid_code: "XQMAPKNI275MON",
      verified_at: expect.stringMatching(/Z$/) as unknown,
    });
  });

  test.each([
    [
      { manufacturer: "Clover Apiaries", country_of_origin: "CA", hs_code: "0409.00" },
      "verified",
      "A",
      true,
    ],
    [
      { manufacturer: "Shenzhen Lamps", country_of_origin: "CN", hs_code: "9405.21" },
      "verified",
      null,
      false,
    ],
    [{ manufacturer: " ", country_of_origin: "CA" }, "failed", null, false],
    [{ manufacturer: "A Maker", country_of_origin: "Atlantis" }, "failed", null, false],
    [
      { manufacturer: "Blocked Sample Industries Inc.", country_of_origin: "CA" },
      "failed",
      null,
      false,
    ],
    [
      { manufacturer: "Blocked Sampl Industries", country_of_origin: "DE" },
      "needs_review",
      null,
      false,
    ],
  ])("of %j is %s with criterion %s", async (body, status, criterion, eligible) => {
    const shop = await aShop();
    expect((await shop.verify(body)).data).toMatchObject({
      status,
      preference_criterion: criterion,
      cusma_eligible: eligible,
      certificate_required: eligible,
      mid_code: null,
    });
  });

  test("needs both fields, or a known sku", async () => {
    const shop = await aShop();
    const { status, error } = await shop.verify({ hs_code: "x" });
    expect([status, Object.keys(error.details).sort()]).toEqual([
      422,
      ["country_of_origin", "hs_code", "manufacturer"],
    ]);
    expect((await shop.verify({ sku: "nobody" })).status).toBe(404);
  });

  test("a failed manufacturer keeps a product from approval until it is verified again", async () => {
    const shop = await aShop();
    await shop.create({ sku: "a", hs_code: "940521" });
    expect((await shop.verify({ sku: "a" })).data["status"]).toBe("failed");
    expect(await shop.must("GET", "/products/a")).toMatchObject({
      status: "Manufacturer Failed",
      status_reason: expect.stringContaining("missing") as unknown,
    });
    expect(await shop.approve("a", { hs_code: "940521" })).toMatchObject({
      status: 409,
      error: { code: "conflict", details: { status: "Manufacturer Failed" } },
    });
    const again = { sku: "a", manufacturer: "Shenzhen Lamps", country_of_origin: "CN" };
    expect((await shop.verify(again)).data["status"]).toBe("verified");
    expect(await shop.must("GET", "/products/a")).toMatchObject({
      status: "Manufacturer Verified",
      status_reason: null,
      manufacturer: "Shenzhen Lamps",
      country_of_origin: "CN",
      cusma: { status: "verified" },
    });
    expect(await shop.approve("a")).toMatchObject({ status: 200, data: { status: "Approved" } });
    expect(await movesOf(shop.account_id)).toEqual([
      "null → Classified",
      "Classified → Manufacturer Failed",
      "Manufacturer Failed → Manufacturer Verified",
      "Manufacturer Verified → Approved",
    ]);
  });
});

describe("approval", () => {
  test("takes a code, from the product or the body", async () => {
    const shop = await aShop();
    await shop.create({ sku: "a" });
    expect(await shop.approve("a")).toMatchObject({
      status: 422,
      error: { details: { hs_code: [expect.any(String) as unknown] } },
    });
    expect(await shop.approve("a", { hs_code: "12" })).toMatchObject({ status: 422 });
    expect(await shop.statusOf("a")).toBe("Imported");
    expect(await shop.approve("a", { hs_code: "6109.10", notes: "ok" })).toMatchObject({
      data: { status: "Approved", hs_code: "610910", approved_at: expect.any(String) as unknown },
    });
    const actions = await api.db
      .selectFrom("audit_log")
      .select(["action", "subject_id", "details"])
      .where("account_id", "=", shop.account_id)
      .where("action", "=", "product.approved")
      .execute();
    expect(actions).toEqual([
      { action: "product.approved", subject_id: "a", details: { hs_code: "610910", notes: "ok" } },
    ]);
  });

  test("a rejected product shows the reason, and can be approved later", async () => {
    const shop = await aShop();
    await shop.create({ sku: "a", hs_code: "610910" });
    const reason = "It is woven.";
    const path = "/products/a/reject-classification";
    expect(await shop.must("POST", path, { reason })).toMatchObject({
      status: "Rejected",
      status_reason: reason,
    });
    expect(await shop.approve("a", { hs_code: "620520" })).toMatchObject({
      data: { status: "Approved", status_reason: null },
    });
  });
});

test("a loaded list replaces the test names in production, and the list before", async () => {
  const load = (text: string) => loadDeniedParties(api.db, Readable.from([text]));
  const verdicts = async (environment: "live" | "test") => {
    const shop = await anAccount(api, { environment });
    const token = await aToken(api, shop, { scopes });
    const names = ["Blocked Sample Industries", "Quiet Harbour GmbH", "Silent Cove"];
    const replies = names.map((manufacturer) =>
      call(api, {
        token,
        method: "POST",
        path: "/products/verify-manufacturer",
        body: { manufacturer, country_of_origin: "DE" },
      }),
    );
    return (await Promise.all(replies)).map((reply) => reply.json<Body>().data["status"]);
  };
  expect(await verdicts("live")).toEqual(["failed", "verified", "verified"]);
  const list = 'id,Name,alt_names,source\n1,"HARBOUR, Quiet","Silent Cove Ltd; ",SDN\n';
  expect(await load(list)).toBe(2);
  expect(await verdicts("live")).toEqual(["verified", "failed", "failed"]);
  expect(await verdicts("test")).toEqual(["failed", "failed", "failed"]);
  await expect(load("id,title\n1,x\n")).rejects.toThrow("no column `name`");
  await expect(load("name\n")).rejects.toThrow("has no names");
  expect(await verdicts("live")).toEqual(["verified", "failed", "failed"]);
  expect(await load("name\nSomebody\n")).toBe(1);
  expect(await verdicts("live")).toEqual(["verified", "verified", "verified"]);
});
