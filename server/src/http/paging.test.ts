import { Type } from "typebox";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  aToken,
  anAccount,
  call,
  testApi,
  type TestAccount,
  type TestApi,
} from "../../test/api.ts";
import { newId } from "../domain/values/ids.ts";
import { checksumOf } from "./base62.ts";
import { listResponse, onPage, pageParameters } from "./paging.ts";
import { ListOf, type Routes } from "./routes.ts";

const routes: Routes = async (app) => {
  for (const path of ["/facts", "/others", "/parents/:parent/facts"]) listAt(app, path);
};

function listAt(app: Parameters<Routes>[0], path: string): void {
  app.get(
    path,
    {
      config: { scopes: [] },
      schema: {
        querystring: Type.Object({ ...pageParameters, type: Type.Optional(Type.String()) }),
        response: { 200: ListOf(Type.Object({ id: Type.String() })) },
      },
    },
    async (request) => {
      const { db, account } = request.ctx;
      const facts = db.selectFrom("holds").where("account_id", "=", account.account_id);
      return listResponse(request, {
        rows: (page) => onPage(facts.select("id"), page, "id").execute(),
        count: async () => (await facts.select("id").execute()).length,
        show: ({ id }) => ({ id }),
      });
    },
  );
}

interface List {
  data: { id: string }[];
  meta: Record<string, unknown> & { next_cursor: string | null; prev_cursor: string | null };
  links: Record<"first" | "last" | "prev" | "next", string | null>;
}

let api: TestApi;
let account: TestAccount;
let token: string;
let newestFirst: string[];
const address = "http://127.0.0.1:8080/sandbox/api/v5/facts";
beforeAll(async () => {
  const settings = { WAYBILL_RATE_LIMITS: "off", WAYBILL_PAGE_ROWS_MAX: "100" };
  api = await testApi({ routes: [routes], settings });
  account = await anAccount(api);
  token = await aToken(api, account);
  const ids = Array.from({ length: 130 }, () => newId("hld"));
  const facts = ids.map((id) => ({
    account_id: account.account_id,
    id,
    amount_cents: 1,
    status: "held" as const,
    resolved_at: null,
  }));
  await api.db.insertInto("holds").values(facts).execute();
  newestFirst = ids.reverse();
});
afterAll(() => api.close());

async function list(query = ""): Promise<List> {
  const response = await call(api, { token, path: `/facts${query}` });
  expect(response.statusCode, response.body).toBe(200);
  return JSON.parse(response.body) as List;
}
const follow = (link: string | null) => list(link!.slice(address.length));
const idsOf = ({ data }: List) => data.map(({ id }) => id);

describe("by cursor", () => {
  test("the first page is the newest 25 and states its position", async () => {
    const page = await list();
    expect(idsOf(page)).toEqual(newestFirst.slice(0, 25));
    const next_cursor = page.meta.next_cursor!;
    expect(page.meta).toEqual({ path: address, per_page: 25, next_cursor, prev_cursor: null });
    expect(page.links).toEqual({
      first: address,
      last: null,
      prev: null,
      next: `${address}?cursor=${next_cursor}`,
    });
  });

  test("following next shows every row once, in order, and ends", async () => {
    const seen: string[] = [];
    for (let page = await list("?per_page=40"); ; page = await follow(page.links.next)) {
      seen.push(...idsOf(page));
      if (page.links.next === null) break;
    }
    expect(seen).toEqual(newestFirst);
  });

  test("following prev goes back over the same pages to the first", async () => {
    const first = await list("?per_page=40");
    const second = await follow(first.links.next);
    const third = await follow(second.links.next);
    const back = await follow(third.links.prev);
    expect(idsOf(back)).toEqual(idsOf(second));
    expect(back.links.next).toEqual(second.links.next);
    const start = await follow(back.links.prev);
    expect([idsOf(start), start.meta.prev_cursor]).toEqual([idsOf(first), null]);
  });

  test("a row that is created meanwhile moves nothing", async () => {
    const first = await list("?per_page=5");
    const made = newId("hld");
    await api.db
      .insertInto("holds")
      .values({
        account_id: account.account_id,
        id: made,
        amount_cents: 1,
        status: "held" as const,
        resolved_at: null,
      })
      .execute();
    expect(idsOf(await follow(first.links.next))).toEqual(newestFirst.slice(5, 10));
    await api.db.deleteFrom("holds").where("id", "=", made).execute();
  });

  test("links keep every other parameter", async () => {
    const { links } = await list("?type=a%20b&per_page=2&colour=r%C3%B6t");
    expect(links.first).toBe(`${address}?type=a+b&per_page=2&colour=r%C3%B6t`);
    expect(links.next).toContain("type=a+b&per_page=2&colour=r%C3%B6t&cursor=");
  });

  test("an account without rows has an empty page", async () => {
    const response = await call(api, {
      token: await aToken(api, await anAccount(api)),
      path: "/facts",
    });
    expect(JSON.parse(response.body)).toMatchObject({
      data: [],
      meta: { next_cursor: null, prev_cursor: null },
    });
  });
});

describe("by number", () => {
  test("a page counts rows from 1 and links its neighbours", async () => {
    const page = await list("?page=2&per_page=20");
    expect(idsOf(page)).toEqual(newestFirst.slice(20, 40));
    expect(page.meta).toEqual({
      path: address,
      per_page: 20,
      current_page: 2,
      last_page: 5,
      from: 21,
      to: 40,
      total: 100,
      total_capped: true,
    });
    expect(page.links).toEqual({
      first: `${address}?per_page=20&page=1`,
      last: `${address}?per_page=20&page=5`,
      prev: `${address}?per_page=20&page=1`,
      next: `${address}?per_page=20&page=3`,
    });
  });

  test("a total that ends with the window says so only where there are more rows", async () => {
    const some = await anAccount(api);
    const facts = ["hld_1", "hld_2", "hld_3"].map((id) => ({
      account_id: some.account_id,
      id,
      amount_cents: 1,
      status: "held" as const,
      resolved_at: null,
    }));
    await api.db.insertInto("holds").values(facts).execute();
    const response = await call(api, { token: await aToken(api, some), path: "/facts?page=1" });
    const { meta } = JSON.parse(response.body) as List;
    expect([meta["total"], meta["last_page"], meta["total_capped"]]).toEqual([3, 1, undefined]);
  });

  test("a page past the end is empty", async () => {
    const response = await call(api, {
      token: await aToken(api, await anAccount(api)),
      path: "/facts?page=4",
    });
    expect(JSON.parse(response.body)).toMatchObject({
      data: [],
      meta: { current_page: 4, last_page: 1, from: null, to: null, total: 0 },
    });
  });

  test("no page shows a row beyond the window", async () => {
    const page = await list("?page=4&per_page=30");
    expect(idsOf(page)).toEqual(newestFirst.slice(90, 100));
    expect(page.links.next).toBeNull();
  });
});

describe("refused with 422", () => {
  test.each([
    ["per_page=0", "per_page"],
    ["per_page=101", "per_page"],
    ["per_page=ten", "per_page"],
    ["per_page=2.5", "per_page"],
    ["page=0", "page"],
    ["page=-1", "page"],
    ["page=999999999999999", "page"],
    ["page=5", "page"],
    ["cursor=", "cursor"],
    ["cursor=nonsense", "cursor"],
    [`cursor=${Buffer.from("next:evt_1").toString("base64url")}`, "cursor"],
    ["cursor=%00", "cursor"],
  ])("%s", async (query, field) => {
    const response = await call(api, { token, path: `/facts?${query}` });
    expect(response.statusCode).toBe(422);
    const { error } = JSON.parse(response.body) as { error: { code: string; details: object } };
    expect([error.code, Object.keys(error.details)]).toEqual(["validation_failed", [field]]);
  });

  test("a page beyond the window, naming cursor as the alternative", async () => {
    expect((await call(api, { token, path: "/facts?page=5&per_page=25" })).body).toContain(
      "use cursor",
    );
  });

  test("both ways at once", async () => {
    const { meta } = await list();
    expect(
      (await call(api, { token, path: `/facts?page=1&cursor=${meta.next_cursor}` })).statusCode,
    ).toBe(422);
  });

  test("a truncated cursor", async () => {
    const { meta } = await list();
    const cut = meta.next_cursor!.slice(0, -1);
    expect((await call(api, { token, path: `/facts?cursor=${cut}` })).statusCode).toBe(422);
  });

  test("a cursor of another list, of the same list of another parent, or of another account", async () => {
    const cursorOf = async (path: string) =>
      (JSON.parse((await call(api, { token, path })).body) as List).meta.next_cursor;
    const statusAt = async (path: string, cursor: string | null, as = token) =>
      (await call(api, { token: as, path: `${path}?cursor=${cursor}` })).statusCode;
    const cursor = await cursorOf("/facts");
    expect(await statusAt("/facts", cursor)).toBe(200);
    expect(await statusAt("/others", cursor)).toBe(422);
    const ofParent = await cursorOf("/parents/1/facts");
    expect(await statusAt("/parents/1/facts", ofParent)).toBe(200);
    expect(await statusAt("/parents/2/facts", ofParent)).toBe(422);
    const stranger = await aToken(api, await anAccount(api));
    expect(await statusAt("/facts", cursor, stranger)).toBe(422);
  });

  test("a cursor whose checksum covers its position alone, as those of earlier releases", async () => {
    const text = "next:hld_1";
    const cursor = Buffer.from(`${checksumOf(text)}${text}`).toString("base64url");
    const response = await call(api, { token, path: `/facts?cursor=${cursor}` });
    expect(response.statusCode).toBe(422);
    expect(response.body).toContain("is not a cursor of this list.");
  });
});
