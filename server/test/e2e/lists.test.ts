import { afterAll, beforeAll, expect, test } from "vitest";
import { outcomeOf, type Failure, type ListOf, type Shipment } from "../client.ts";
import { order, shipped } from "../orders.ts";
import { aShipment, boston, halifax, ottawa } from "../shipments.ts";
import { aPlatform, anAccount, must, type TestAccount, type World } from "../world.ts";

/** Lists: cursors, page numbers, filters, and whose rows they show (decisions 1 and 6). */

let world: World;
beforeAll(async () => {
  world = await aPlatform();
});
afterAll(async () => {
  await world.close();
});

type Page = ListOf<Shipment>;

async function pageAt(account: TestAccount, link: string): Promise<Page> {
  return must(await account.get<Page>(link), 200);
}

test("cursors lead through all rows, newest first, forwards and back", async () => {
  const account = await anAccount(world);
  const rows = Array.from({ length: 12 }, (_row, index) => aShipment({ reference: `R${index}` }));
  must(await account.post("/shipments", rows), 201);
  const pages: string[][] = [];
  let page = await pageAt(account, "/shipments?per_page=5&type=courier");
  expect(page.links).toMatchObject({ last: null, prev: null });
  pages.push(page.data.map(({ id }) => id));
  while (page.links.next) {
    expect(page.links.next).toContain("type=courier");
    page = await pageAt(account, page.links.next);
    pages.push(page.data.map(({ id }) => id));
  }
  expect(pages.map(({ length }) => length)).toEqual([5, 5, 2]);
  const all = pages.flat();
  expect(all).toEqual(all.toSorted().toReversed());
  expect(new Set(all).size).toBe(12);
  const back: string[][] = [pages.at(-1)!];
  while (page.links.prev) {
    page = await pageAt(account, page.links.prev);
    back.push(page.data.map(({ id }) => id));
  }
  expect(back.toReversed()).toEqual(pages);
});

test("a new row neither repeats nor hides one of a traversal that is under way", async () => {
  const account = await anAccount(world);
  must(await account.post("/shipments", [aShipment(), aShipment(), aShipment()]), 201);
  const first = await pageAt(account, "/shipments?per_page=2");
  await account.create(aShipment());
  const second = await pageAt(account, first.links.next!);
  expect(second.data).toHaveLength(1);
  expect(first.data.map(({ id }) => id)).not.toContain(second.data[0]!.id);
});

test("page numbers count, and a page past the end is empty", async () => {
  const account = await anAccount(world);
  must(
    await account.post(
      "/shipments",
      Array.from({ length: 7 }, () => aShipment()),
    ),
    201,
  );
  const page = await pageAt(account, "/shipments?page=2&per_page=3");
  expect(page.meta).toMatchObject({
    current_page: 2,
    last_page: 3,
    from: 4,
    to: 6,
    total: 7,
    per_page: 3,
  });
  expect(page.links.next).toContain("page=3");
  const past = await pageAt(account, "/shipments?page=9&per_page=3");
  expect(past.data).toEqual([]);
  expect(past.meta).toMatchObject({ current_page: 9, from: null, to: null, total: 7 });
  for (const query of [
    "page=0",
    "page=1&cursor=abc",
    "cursor=abc",
    "page=101&per_page=100",
    "per_page=0",
    "per_page=101",
  ]) {
    expect(outcomeOf(await account.get(`/shipments?${query}`))).toBe("422 validation_failed");
  }
});

const ink = {
  title: "Ink",
  quantity: 1,
  value: 5,
  currency: "CAD",
  country_of_origin: "CA",
  hs_code: "321590",
};

test("filters restrict by what they name", async () => {
  const account = await anAccount(world);
  const items = [ink];
  const abroad = await account.create(
    aShipment({ to_address: boston, items, reference: "A-1", tags: ["gift", "rush"] }),
  );
  const home = await account.create(aShipment({ reference: "A-2" }));
  const bought = await account.create(aShipment({ reference: "A-3" }));
  const { tracking_code, rate } = await account.bought(bought.id);
  const cancelled = await account.create(aShipment({ reference: "A-4" }));
  must(await account.post(`/shipments/${cancelled.id}/void`), 200);

  const found = async (query: string) => {
    const { data } = await pageAt(account, `/shipments?${query}`);
    return data.map(({ reference }) => reference).toSorted();
  };
  expect(await found("country_code=us")).toEqual(["A-1"]);
  expect(await found("reference=A-2")).toEqual(["A-2"]);
  expect(await found("status=draft")).toEqual(["A-1", "A-2"]);
  expect(await found("status=purchased,cancelled")).toEqual(["A-3", "A-4"]);
  expect(await found(`carrier=${rate.carrier.code}`)).toEqual(["A-3"]);
  expect(await found(`service=${rate.service}`)).toEqual(["A-3"]);
  expect(await found(`tracking_code=${tracking_code}`)).toEqual(["A-3"]);
  expect(await found("tracking_status=pre_transit")).toEqual(["A-3"]);
  expect(await found("tag=rush")).toEqual(["A-1"]);
  expect(await found("type=ltl")).toEqual([]);
  expect(await found(`q=${home.ship_code.slice(0, 6).toLowerCase()}`)).toEqual(["A-2"]);
  expect(await found(`q=${encodeURIComponent("delia n")}`)).toEqual(["A-1"]);
  expect(await found(`q=${tracking_code!.slice(0, 8)}`)).toEqual(["A-3"]);
  expect(await found(`q=${abroad.id}`)).toEqual(["A-1"]);
  expect(await found("q=%25")).toEqual([]);
  expect(await found(`created_from=${home.created_at}`)).toEqual(["A-2", "A-3", "A-4"]);
  expect(await found(`created_to=${abroad.created_at}`)).toEqual(["A-1"]);
  expect(await found("unknown_parameter=1")).toHaveLength(4);
  for (const wrong of ["status=lost", "type=air", "country_code=USA", "created_from=yesterday"]) {
    expect(outcomeOf(await account.get(`/shipments?${wrong}`))).toBe("422 validation_failed");
  }
});

test("a search finds a name by its beginning or its last word, without regard to accents", async () => {
  const account = await anAccount(world);
  const named = (name: string) =>
    aShipment({ to_address: { ...boston, name }, items: [ink], reference: name });
  for (const name of ["Amélie Tremblay", "Jean-François Lœwen", "ØYSTEIN ÅS"])
    await account.create(named(name));
  const found = async (q: string) =>
    (await pageAt(account, `/shipments?q=${encodeURIComponent(q)}`)).data.map(
      ({ reference }) => reference,
    );
  for (const q of ["amelie", "AMÉLIE T", "Tremblay", "trem", "Ame\u0301lie"])
    expect(await found(q), q).toEqual(["Amélie Tremblay"]);
  for (const q of ["jean-francois", "loewen", "LŒW"])
    expect(await found(q), q).toEqual(["Jean-François Lœwen"]);
  for (const q of ["oystein", "as", "ås"]) expect(await found(q), q).toEqual(["ØYSTEIN ÅS"]);
  for (const q of ["remblay", "am_lie", "tremblay a"]) expect(await found(q), q).toEqual([]);
  const { id } = await order(account, { to_address: { ...halifax, name: "Zoé Bélanger" } });
  const { id: shipment_id } = await shipped(account, id, { from_address: ottawa });
  expect((await pageAt(account, `/shipments?q=${id}`)).data.map((row) => row.id)).toEqual([
    shipment_id,
  ]);
  for (const q of ["zoe", "belanger", id]) {
    const page = must(await account.get<ListOf<{ id: string }>>(`/orders?q=${q}`), 200);
    expect(
      page.data.map((row) => row.id),
      q,
    ).toEqual([id]);
  }
});

test("no account sees another's shipments", async () => {
  const [mine, other] = [await anAccount(world), await anAccount(world)];
  const { id } = await mine.create(aShipment());
  expect((await pageAt(other, "/shipments")).data).toEqual([]);
  const foreign = await other.get(`/shipments/${id}`);
  const missing = await other.get("/shipments/shp_01k6x3v2m4f8r9t0a1b2c3d4e5");
  expect(foreign.status).toBe(404);
  expect(foreign.bytes.equals(missing.bytes)).toBe(true);
});

test("created_from and created_to take a moment or a day, an invalid status lists the valid ones", async () => {
  const account = await anAccount(world);
  const { id, created_at } = await account.create(aShipment());
  const day = created_at.slice(0, 10);
  const found = async (query: string) =>
    (await pageAt(account, `/shipments?${query}`)).data.map((row) => row.id);
  expect(await found(`created_from=${day}&created_to=${day}`)).toEqual([id]);
  expect(await found(`created_from=${created_at}&created_to=${created_at}`)).toEqual([id]);
  expect(await found("created_to=2020-01-01")).toEqual([]);
  const refused = await account.get<Failure>("/shipments?status=draft,drafty&created_from=today");
  expect(must(refused, 422).error.details).toEqual({
    status: [
      expect.stringMatching(
        /^status must be one or more of draft, .*, separated by commas; "drafty" is none of them\.$/,
      ),
    ],
    created_from: [
      "created_from must be a day such as 2026-10-05 or a moment such as 2026-10-05T14:03:22Z.",
    ],
  });
});
