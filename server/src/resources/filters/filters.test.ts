import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  aToken,
  anAccount,
  call,
  testApi,
  type TestAccount,
  type TestApi,
} from "../../../test/api.ts";
import { aShipment, boston, halifax, ottawa } from "../../../test/shipments.ts";
import { manualClock } from "../../domain/time/clock.ts";
import { knownScopes } from "../../domain/accounts/scopes.ts";

const clock = manualClock(new Date("2026-03-10T12:00:00.000Z"));
let api: TestApi;
let account: TestAccount;
let full: string;
beforeAll(async () => {
  api = await testApi({ settings: { WAYBILL_RATE_LIMITS: "off" }, clock });
  account = await anAccount(api);
  full = await aToken(api, account, { scopes: [...knownScopes] });
});
afterAll(() => api.close());

interface Shown {
  id: string;
  name: string;
  target: string;
  criteria: unknown;
  used_by_rules: number;
  created_at: string;
  updated_at: string;
}
type Response = Awaited<ReturnType<typeof call>>;

const send = (method: "GET" | "POST" | "PUT" | "DELETE", path: string, body?: unknown, as = full) =>
  call(api, { token: as, method, path, body });
const data = (response: Response) => response.json<{ data: Shown }>().data;
const problems = (response: Response) => {
  expect(response.statusCode, response.body).toBe(422);
  return response.json<{ error: { details: Record<string, string[]> } }>().error.details;
};

const condition = (field: string, operator: string, value?: unknown) => ({
  field,
  operator,
  ...(value === undefined ? {} : { value }),
});
const all = (...conditions: unknown[]) => ({ match: "all", conditions });
const any = (...conditions: unknown[]) => ({ match: "any", conditions });

let count = 0;
const body = (criteria: unknown = all(condition("tags", "exists")), more: object = {}) => ({
  name: `Filter ${++count}`,
  target: "shipments",
  criteria,
  ...more,
});
const create = async (criteria?: unknown, more?: object) => {
  const response = await send("POST", "/filters", body(criteria, more));
  expect(response.statusCode, response.body).toBe(201);
  return data(response);
};

describe("a filter", () => {
  test("is saved and shown as it was sent", async () => {
    const criteria = all(
      condition("to_address.country_code", "eq", "us"),
      any(
        condition("total_weight", "between", [kg(1), { value: 40, unit: "lbs" }]),
        condition("items.sku", "exists"),
      ),
    );
    const saved = await create(criteria, { name: "Heavy ", target: "both" });
    expect(saved).toEqual({
      id: expect.stringMatching(/^flt_/) as string,
      name: "Heavy",
      target: "both",
      criteria,
      used_by_rules: 0,
      created_at: clock.now().toISOString(),
      updated_at: clock.now().toISOString(),
    });
    expect(data(await send("GET", `/filters/${saved.id}`))).toEqual(saved);
  });

  test("is listed, newest first", async () => {
    const other = await aToken(api, await anAccount(api), { scopes: [...knownScopes] });
    const ids: string[] = [];
    for (const name of ["A", "B", "C"]) {
      clock.advance(1);
      ids.unshift(data(await send("POST", "/filters", body(undefined, { name }), other)).id);
    }
    const list = (await send("GET", "/filters?per_page=2", undefined, other)).json<{
      data: Shown[];
    }>();
    expect(list.data.map(({ id }) => id)).toEqual(ids.slice(0, 2));
  });

  test("is replaced as a whole", async () => {
    const saved = await create();
    clock.advance(1000);
    const next = body(all(condition("status", "eq", "draft")), { target: "both" });
    const replaced = data(await send("PUT", `/filters/${saved.id}`, next));
    expect(replaced).toEqual({ ...saved, ...next, updated_at: clock.now().toISOString() });
    expect(data(await send("GET", `/filters/${saved.id}`))).toEqual(replaced);
  });

  test("is deleted", async () => {
    const { id } = await create();
    expect((await send("DELETE", `/filters/${id}`)).statusCode).toBe(204);
    for (const method of ["GET", "DELETE"] as const)
      expect((await send(method, `/filters/${id}`)).statusCode).toBe(404);
    expect((await send("PUT", `/filters/${id}`, body())).statusCode).toBe(404);
  });

  test("has a unique name in its account", async () => {
    const [first, second] = [await create(), await create()];
    for (const [method, path] of [
      ["POST", "/filters"],
      ["PUT", `/filters/${second.id}`],
    ] as const) {
      const refused = await send(method, path, body(undefined, { name: first.name }));
      expect([refused.statusCode, refused.json()]).toMatchObject([
        409,
        { error: { code: "conflict", details: { name: first.name } } },
      ]);
    }
    const itself = await send("PUT", `/filters/${first.id}`, body(undefined, { name: first.name }));
    expect(itself.statusCode).toBe(200);
    const elsewhere = await aToken(api, await anAccount(api), { scopes: ["automation:write"] });
    const same = await send("POST", "/filters", body(undefined, { name: first.name }), elsewhere);
    expect(same.statusCode).toBe(201);
  });

  test("saved again with its key is saved once", async () => {
    const filter = body();
    const save = () =>
      call(api, {
        token: full,
        method: "POST",
        path: "/filters",
        body: filter,
        headers: { "idempotency-key": "one" },
      });
    expect((await save()).body).toBe((await save()).body);
  });
});

describe("refused when saved", () => {
  test("is every wrong part at once, by its path", async () => {
    const refused = await send("POST", "/filters", {
      target: "boxes",
      criteria: all(
        condition("to_address.country_code", "eq", 7),
        condition("weight", "gt", 1),
        any(
          condition("total_weight", "gt", { value: "2", unit: "stone" }),
          any(condition("tags", "gt", "a")),
        ),
        condition("status", "in", ["draft", "lost"]),
        condition("created_at", "gt", "yesterday"),
        condition("items.quantity", "between", [5, 1]),
        "tags",
      ),
    });
    expect(problems(refused)).toEqual({
      name: ["name is required."],
      target: ["target must be one of orders, shipments, both."],
      "criteria.conditions.0.value": ["value must be a string."],
      "criteria.conditions.1.field": [
        expect.stringMatching(/^field must be one of to_address.country_code, /),
      ],
      "criteria.conditions.2.conditions.0.value.value": ["value must be a number."],
      "criteria.conditions.2.conditions.0.value.unit": ["unit must be one of lbs, kg, g, oz."],
      "criteria.conditions.2.conditions.1.conditions.0.operator": [
        expect.stringMatching(/^operator does not go with tags, which takes eq, /),
      ],
      "criteria.conditions.3.value.1": [expect.stringMatching(/^value.1 must be one of /)],
      "criteria.conditions.4.value": [expect.stringMatching(/^value must be a day such as /)],
      "criteria.conditions.5.value": ["value must have the low value first."],
      "criteria.conditions.6": ["conditions.6 must be an object."],
    });
  });

  test.each([
    ["a field of orders, for shipments", condition("order_total", "gt", 5), "field"],
    ["no field", { operator: "eq", value: 1 }, "field"],
    ["a name from the prototype", condition("constructor", "eq", 1), "field"],
    ["no operator", { field: "tags", value: "a" }, "operator"],
    ["an operator from the prototype", condition("tags", "toString", "a"), "operator"],
    ["a pattern", condition("to_address.city", "matches", ".*"), "operator"],
    ["no value", condition("tags", "eq"), "value"],
    ["null for a value", condition("tags", "eq", null), "value"],
    ["a value for exists", condition("tags", "exists", true), "value"],
    ["a list for eq", condition("tags", "eq", ["a"]), "value"],
    ["one value for in", condition("tags", "in", "a"), "value"],
    ["an empty list", condition("tags", "in", []), "value"],
    ["half a range", condition("package_count", "between", [1]), "value"],
    ["three ends", condition("package_count", "between", [1, 2, 3]), "value"],
    ["a text for a number", condition("package_count", "gt", "1"), "value"],
    ["a number for a text", condition("to_address.city", "contains", 5), "value"],
    ["half a package", condition("package_count", "gt", 1.5), "value"],
    ["a tenth of a cent", condition("declared_value", "gt", 1.005), "value"],
    ["a bare number for a weight", condition("total_weight", "gt", 5), "value"],
    ["a text for a truth value", condition("is_international", "eq", "true"), "value"],
    ["a country that is none", condition("to_address.country_code", "eq", "XX"), "value"],
    ["letters in an HS code", condition("items.hs_code", "starts_with", "61a"), "value"],
    ["a blank text", condition("to_address.city", "contains", "  "), "value"],
    ["an order's status", condition("status", "eq", "fulfilled"), "value"],
    ["a day that is none", condition("created_at", "gt", "2026-02-30"), "value"],
    ["a currency in small letters", condition("currency", "eq", "cad"), "value"],
    ["an exact age", condition("age_hours", "eq", 5), "operator"],
  ])("is %s", async (_what, wrong, part) => {
    const found = problems(await send("POST", "/filters", body(all(wrong))));
    expect(Object.keys(found)).toEqual([`criteria.conditions.0.${part}`]);
  });

  test.each([
    ["nothing", undefined, ["criteria"]],
    ["null", null, ["criteria"]],
    ["a list", [], ["criteria"]],
    ["no match", { conditions: [condition("tags", "exists")] }, ["criteria.match"]],
    [
      "another match",
      { match: "some", conditions: [condition("tags", "exists")] },
      ["criteria.match"],
    ],
    ["no conditions", { match: "all" }, ["criteria.conditions"]],
    ["an empty group", all(), ["criteria.conditions"]],
    ["an empty group in a group", all(any()), ["criteria.conditions.0.conditions"]],
    ["an object of conditions", { match: "all", conditions: {} }, ["criteria.conditions"]],
    [
      "a fourth level",
      all(any(all(any(condition("tags", "exists"))))),
      ["criteria.conditions.0.conditions.0.conditions.0"],
    ],
    [
      "what is both",
      all({ ...all(condition("tags", "exists")), field: "tags", operator: "exists" }),
      ["criteria.conditions.0"],
    ],
    [
      "51 conditions",
      all(...Array<unknown>(51).fill(condition("tags", "exists"))),
      ["criteria.conditions"],
    ],
    [
      "51 conditions in two groups",
      all(
        any(...Array<unknown>(26).fill(condition("tags", "exists"))),
        any(...Array<unknown>(25).fill(condition("tags", "exists"))),
      ),
      ["criteria.conditions"],
    ],
    [
      "6,000 conditions",
      all(...Array<unknown>(6_000).fill(condition("tags", "exists"))),
      ["criteria.conditions"],
    ],
    ["5,000 empty groups", all(...Array<unknown>(5_000).fill(all())), ["criteria.conditions"]],
    [
      "501 values",
      all(condition("tags", "in", Array<string>(501).fill("a"))),
      ["criteria.conditions.0.value"],
    ],
    [
      "25,000 wrong values",
      all(condition("tags", "in", Array<number>(25_000).fill(1))),
      ["criteria.conditions.0.value"],
    ],
    ["a NUL", all(condition("tags", "eq", "a\0")), ["criteria.conditions.0.value"]],
    [
      "half a surrogate pair",
      all(condition("tags", "eq", "\ud800")),
      ["criteria.conditions.0.value"],
    ],
    [
      "what is as deep as the sea",
      Array.from({ length: 40 }).reduce<unknown>(
        (inner) => all(inner),
        condition("tags", "exists"),
      ),
      ["criteria"],
    ],
  ])("is %s", async (_what, criteria, paths) => {
    expect(Object.keys(problems(await send("POST", "/filters", { ...body(), criteria })))).toEqual(
      paths,
    );
  });

  test("are names that are empty, blank or long, and bodies that are no object", async () => {
    for (const name of ["", " ", "x".repeat(81), 5, null])
      expect(
        Object.keys(problems(await send("POST", "/filters", body(undefined, { name })))),
      ).toEqual(["name"]);
    for (const none of [[], 5, '"x"'])
      expect(Object.keys(problems(await send("POST", "/filters", none)))).toEqual(["body"]);
  });

  test("are unknown parts in a PUT, which POST ignores and does not store", async () => {
    const saved = await create();
    const unknown = {
      ...body({ ...all({ ...condition("tags", "eq", "a"), note: 1 }), colour: "red" }),
      size: 1,
    };
    expect(
      Object.keys(problems(await send("PUT", `/filters/${saved.id}`, unknown))).sort(),
    ).toEqual(["criteria.colour", "criteria.conditions.0.note", "size"]);
    const created = data(await send("POST", "/filters", unknown));
    expect(created.criteria).toEqual(all(condition("tags", "eq", "a")));
    for (const part of ["name", "target", "criteria"]) {
      const { [part]: _missing, ...rest } = body() as Record<string, unknown>;
      expect(problems(await send("PUT", `/filters/${saved.id}`, rest))).toEqual({
        [part]: [`${part} is required.`],
      });
    }
    expect(data(await send("GET", `/filters/${saved.id}`))).toEqual(saved);
  });

  test("are not the read-only ones: a filter can be sent back as it was read", async () => {
    const saved = await create();
    const path = `/filters/${saved.id}`;
    const sent = { ...saved, name: "Renamed", used_by_rules: 5, created_at: "never" };
    const { updated_at: _at, ...kept } = data(await send("PUT", path, sent));
    const { updated_at: _before, ...before } = saved;
    expect(kept).toEqual({ ...before, name: "Renamed" });
  });
});

describe("on a list", () => {
  let references: (query: string) => Promise<string[]>;
  beforeAll(async () => {
    const rows = [
      aShipment({ from_address: ottawa, to_address: halifax, reference: "light", tags: ["Été"] }),
      aShipment({
        from_address: ottawa,
        to_address: boston,
        reference: "abroad",
        tags: ["rush", "50%"],
        items: [ink],
      }),
      aShipment({
        from_address: ottawa,
        to_address: halifax,
        reference: "heavy",
        packages: [
          { weight: 30, weight_unit: "lbs" },
          { weight: 15, weight_unit: "kg" },
        ],
      }),
    ];
    const created = await send("POST", "/shipments", rows);
    expect(created.json<{ meta: object }>().meta).toMatchObject({ created: 3 });
    references = async (query) => {
      const response = await send("GET", `/shipments?${query}`);
      expect(response.statusCode, response.body).toBe(200);
      return response
        .json<{ data: { reference: string }[] }>()
        .data.map(({ reference }) => reference)
        .sort();
    };
  });

  test.each([
    ["a country", condition("to_address.country_code", "neq", "CA"), ["abroad"]],
    ["an accent written otherwise", condition("tags", "contains", "E\u0301TE\u0301"), ["light"]],
    [
      "a weight in another unit",
      condition("total_weight", "gt", { value: 28, unit: "kg" }),
      ["heavy"],
    ],
    ["a wildcard that is none", condition("tags", "starts_with", "%"), []],
    ["a character that could be one", condition("tags", "ends_with", "%"), ["abroad"]],
    ["a quote", condition("to_address.city", "contains", "' OR 1=1 --"), []],
    ["an item", condition("items.hs_code", "starts_with", "32.15"), ["abroad"]],
    ["an age", condition("age_hours", "lte", 0), ["abroad", "heavy", "light"]],
    [
      "a group",
      any(condition("package_count", "gt", 1), condition("tags", "in", ["ete", "x"])),
      ["heavy", "light"],
    ],
  ])("filters by %s", async (_what, wanted, found) => {
    const { id } = await create(all(wanted));
    expect(await references(`filter_id=${id}`)).toEqual(found);
  });

  test("adds to the list's own filters, and its counts", async () => {
    const { id } = await create(all(condition("to_address.country_code", "eq", "CA")), {
      target: "both",
    });
    expect(await references(`filter_id=${id}&reference=heavy`)).toEqual(["heavy"]);
    expect(await references(`filter_id=${id}&status=purchased`)).toEqual([]);
    const page = await send("GET", `/shipments?filter_id=${id}&page=1&per_page=1`);
    expect(page.json()).toMatchObject({ meta: { total: 2, last_page: 2 } });
    expect(page.json<{ links: { next: string } }>().links.next).toContain(`filter_id=${id}`);
  });

  test("may be as large as a filter can be", async () => {
    const days = Array.from({ length: 500 }, (_day, index) =>
      new Date(clock.now().getTime() - index * 86_400_000).toISOString().slice(0, 10),
    );
    const large = Array<unknown>(50).fill(condition("created_at", "in", days));
    const { id } = await create(any(...large));
    expect(await references(`filter_id=${id}`)).toEqual(["abroad", "heavy", "light"]);
  });

  test("is 422 when it is unknown, another account's, or not for shipments", async () => {
    const other = await aToken(api, await anAccount(api), { scopes: [...knownScopes] });
    const theirs = data(await send("POST", "/filters", body(), other));
    for (const id of ["flt_nobody", theirs.id, "%00"])
      expect(Object.keys(problems(await send("GET", `/shipments?filter_id=${id}`)))).toEqual([
        "filter_id",
      ]);
    const { id } = await create(all(condition("source", "eq", "csv")), { target: "orders" });
    expect(problems(await send("GET", `/shipments?filter_id=${id}`))).toEqual({
      filter_id: ["filter_id names a filter of orders, not of shipments."],
    });
  });

  test("is previewed before it is saved", async () => {
    const home = all(condition("to_address.country_code", "eq", "CA"));
    const seen = previewed(await preview(home, { per_page: 1 }));
    expect(seen).toMatchObject({ count: 2, count_capped: false, orders: [] });
    expect(seen.shipments).toHaveLength(1);
    expect(["heavy", "light"]).toContain(seen.shipments[0]?.reference);
    expect(previewed(await preview(home)).shipments).toHaveLength(2);
    expect(problems(await preview(all(condition("tags", "gt", 1)), { per_page: 0 }))).toEqual({
      per_page: ["per_page must be at least 1."],
      "criteria.conditions.0.operator": [expect.stringMatching(/^operator does not go with tags/)],
    });
  });
});

describe("on the list of orders", () => {
  const order = (order_number: string, more: object) => ({
    order_number,
    to_address: halifax,
    packages: [{ weight: 1, weight_unit: "kg" }],
    ...more,
  });
  beforeAll(async () => {
    const created = await send("POST", "/orders", [
      order("dear", { source: "shopify", totals: { total: 250.5 }, tags: ["VIP"] }),
      order("old", {
        source: "csv",
        placed_at: "2026-03-01T12:00:00Z",
        requested_service: "Express",
      }),
      order("abroad", {
        to_address: boston,
        packages: [],
        items: [{ ...ink, weight: 2, weight_unit: "lbs" }],
      }),
    ]);
    expect(created.json<{ meta: object }>().meta).toMatchObject({ created: 3 });
  });

  test.each([
    ["its total", condition("order_total", "gte", 250.5), ["dear"]],
    ["its source", condition("source", "neq", "api"), ["dear", "old"]],
    ["the requested data", condition("requested_service", "contains", "express"), ["old"]],
    ["the day that it was placed", condition("placed_at", "eq", "2026-03-01"), ["old"]],
    ["its age since then", condition("age_hours", "gt", 24 * 8), ["old"]],
    ["what its items weigh", condition("total_weight", "lt", kg(1)), ["abroad"]],
    ["a tag", condition("tags", "contains", "vip"), ["dear"]],
  ])("filters by %s", async (_what, wanted, found) => {
    const { id } = await create(all(wanted), { target: "orders" });
    const response = await send("GET", `/orders?filter_id=${id}&page=1`);
    const { data: rows, meta } = response.json<{
      data: { order_number: string }[];
      meta: { total: number };
    }>();
    expect(rows.map(({ order_number }) => order_number).sort()).toEqual(found);
    expect(meta.total).toBe(found.length);
  });

  test("is 422 when it is for shipments only", async () => {
    const { id } = await create();
    expect(problems(await send("GET", `/orders?filter_id=${id}`))).toEqual({
      filter_id: ["filter_id names a filter of shipments, not of orders."],
    });
  });

  test("is previewed with shipments, when it is for both, by a token that may read both", async () => {
    const abroad = all(condition("to_address.country_code", "eq", "US"));
    expect(previewed(await preview(abroad, { target: "both" }))).toMatchObject({
      count: 2,
      orders: [{ order_number: "abroad", shipments: [] }],
      shipments: [{ reference: "abroad" }],
    });
    const statuses: number[] = [];
    for (const scope of ["automation:read", "orders:read", "shipments:read"]) {
      const as = await aToken(api, account, { scopes: [scope] });
      for (const target of ["orders", "shipments", "both"])
        statuses.push((await preview(abroad, { target }, as)).statusCode);
    }
    expect(statuses).toEqual([403, 403, 403, 200, 403, 403, 403, 200, 403]);
  });
});

interface Preview {
  count: number;
  count_capped: boolean;
  orders: object[];
  shipments: { reference: string }[];
}

function preview(criteria: unknown, more: object = {}, as = full): Promise<Response> {
  return send("POST", "/filters/preview", { target: "shipments", criteria, ...more }, as);
}

function previewed(response: Response): Preview {
  expect(response.statusCode, response.body).toBe(200);
  return response.json<{ data: Preview }>().data;
}

function kg(value: number) {
  return { value, unit: "kg" };
}

const ink = {
  title: "Ink",
  quantity: 1,
  value: 5,
  currency: "CAD",
  country_of_origin: "CA",
  hs_code: "321590",
};
