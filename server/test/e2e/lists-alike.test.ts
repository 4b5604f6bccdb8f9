import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { outcomeOf, type DataOf, type Failure, type ListOf } from "../client.ts";
import { order } from "../orders.ts";
import { aShipment } from "../shipments.ts";
import { aPlatform, anAccount, must, type TestAccount, type World } from "../world.ts";

/** What all lists have in common (decision 1): their envelope, their paging, and how their parameters are read. */

interface Parameter {
  name: string;
  in: string;
}
interface Operation {
  parameters?: Parameter[];
}
interface Document {
  paths: Record<string, { get?: Operation }>;
}

let world: World;
let account: TestAccount;
let lists: [path: string, names: string[]][];
beforeAll(async () => {
  world = await aPlatform();
  account = await anAccount(world);
  const settings = `/accounts/${account.account_id}/settings`;
  must(await world.operator.patch(settings, { own_carrier_accounts: true }), 200);
  const document = must(await account.get<Document>("/openapi.json"), 200);
  lists = Object.entries(document.paths).flatMap(([path, { get }]) => {
    const names = (get?.parameters ?? [])
      .filter((parameter) => parameter.in === "query")
      .map(({ name }) => name);
    return names.includes("cursor") && !path.includes("{") ? [[path, names]] : [];
  });
});
afterAll(() => world.close());

test("every list without a parent is among them", () => {
  expect(lists.map(([path]) => path)).toEqual(
    expect.arrayContaining(["/credits/payment-methods", "/imports", "/orders", "/shipments"]),
  );
});

test("every list has data, meta and links, and refuses invalid pages", async () => {
  for (const [path] of lists) {
    const page = must(await account.get<ListOf<unknown>>(path), 200);
    expect(Object.keys(page), path).toEqual(["data", "meta", "links"]);
    expect(page.meta, path).toMatchObject({ per_page: 25, prev_cursor: null });
    // Of requests there are those of this test.
    if (path !== "/requests") expect(page.meta["next_cursor"], path).toBeNull();
    for (const wrong of ["per_page=0", "per_page=101", "cursor=x", "page=0", "page=1&cursor=x"])
      expect(outcomeOf(await account.get(`${path}?${wrong}`)), `${path}?${wrong}`).toBe(
        "422 validation_failed",
      );
  }
});

test("a parameter that is present and empty is 422 in every list", async () => {
  for (const [path, names] of lists)
    for (const name of names) {
      const refused = await account.get<Failure>(`${path}?${name}=`);
      expect(must(refused, 422).error.details, path).toEqual({
        [name]: [`${name} must not be empty; leave it out.`],
      });
    }
});

test("a list reports the parameters that it does not know, and links keep them", async () => {
  for (const [path] of lists)
    for (const paging of ["", "&page=1"]) {
      const page = must(
        await account.get<ListOf<unknown>>(`${path}?colour=red&per_page=5&size=L${paging}`),
        200,
      );
      expect(page.meta["ignored_parameters"], path).toEqual(["colour", "size"]);
      expect(page.links.first).toContain("colour=red");
    }
  const { meta } = must(await account.get<ListOf<unknown>>("/orders?status=on_hold"), 200);
  expect(meta).not.toHaveProperty("ignored_parameters");
});

describe("enumerated options in a query", () => {
  const some = {
    "/shipments": [
      "status=DRAFT,%20Purchased",
      "type=courier,LTL",
      "tracking_status=Unknown,exception",
    ],
    "/orders": ["status=unfulfilled,ON_HOLD", "source=API,csv"],
    "/tracking": ["status=delivered,In_Transit"],
    "/products": ["status=approved,Manufacturer%20verified"],
    "/pickups": ["status=Scheduled"],
    "/locations": ["type=branch,PARTNER"],
  };

  test.each(Object.entries(some))(
    "of %s count in any case, several with commas",
    async (path, queries) => {
      for (const query of queries) must(await account.get(`${path}?${query}`), 200);
    },
  );

  test("match any of those that are named", async () => {
    const mine = await anAccount(world);
    await mine.create(aShipment({ reference: "1" }));
    const gone = await mine.create(aShipment({ reference: "2" }));
    must(await mine.post(`/shipments/${gone.id}/void`), 200);
    await order(mine, { order_number: "A" });
    await order(mine, { order_number: "B", source: "csv" });
    await order(mine, { order_number: "C", source: "shopify" });
    const found = async (query: string) =>
      must(await mine.get<ListOf<{ reference?: string; order_number?: string }>>(query), 200)
        .data.map(({ reference, order_number }) => reference ?? order_number)
        .toSorted();
    expect(await found("/shipments?status=Draft,CANCELLED")).toEqual(["1", "2"]);
    expect(await found("/shipments?status=CANCELLED")).toEqual(["2"]);
    expect(await found("/shipments?type=ltl,courier")).toEqual(["1", "2"]);
    expect(await found("/orders?source=API,Csv")).toEqual(["A", "B"]);
    const refused = must(await mine.get<Failure>("/orders?source=api,etsy"), 422);
    expect(refused.error.message).toMatch(/^source must be one or more of api, csv, .*, separated/);
  });

  test("find a carrier by its code in any case", async () => {
    const mine = await anAccount(world);
    const { id } = await mine.create(aShipment());
    const { rate } = await mine.bought(id);
    const { code } = rate.carrier;
    const { data } = must(
      await mine.get<ListOf<{ id: string }>>(
        `/shipments?carrier=${code.toUpperCase()}&service=${rate.service.toUpperCase()}`,
      ),
      200,
    );
    expect(data.map((row) => row.id)).toEqual([id]);
  });
});

test("cards are a list in the order of their ids, page by page", async () => {
  interface Card {
    id: string;
  }
  const all = must(await account.get<ListOf<Card>>("/credits/payment-methods"), 200).data;
  expect(all.length).toBeGreaterThan(1);
  expect(all.map(({ id }) => id)).toEqual(all.map(({ id }) => id).toSorted());
  const walked: string[] = [];
  let link: string | null = "/credits/payment-methods?per_page=1";
  while (link) {
    const page: ListOf<Card> = must(await account.get<ListOf<Card>>(link), 200);
    walked.push(...page.data.map(({ id }) => id));
    link = page.links.next;
  }
  expect(walked).toEqual(all.map(({ id }) => id));
});

test("one transaction can be read by the id that a list or a top-up returned", async () => {
  const topped = must(
    await account.post<DataOf<{ id: string }>>("/credits/top-up", { amount: 20 }),
    201,
  );
  const path = `/credits/transactions/${topped.data.id}`;
  expect(must(await account.get<DataOf<object>>(path), 200).data).toMatchObject({
    id: topped.data.id,
    type: "top_up",
    amount: 20,
  });
  const other = await anAccount(world);
  expect(outcomeOf(await other.get(path))).toBe("404 not_found");
});

test("imports are a list, newest first", async () => {
  const mine = await anAccount(world);
  const started = async (sku: string) => {
    const reply = await mine.post<DataOf<{ id: string }>>("/imports/products", {
      format: "json",
      products: [{ sku, title: "Mug" }],
    });
    expect(reply.headers["retry-after"]).toBe("2");
    return must(reply, 202).data.id;
  };
  const ids = [await started("A"), await started("B")];
  const { data } = must(await mine.get<ListOf<{ id: string }>>("/imports"), 200);
  expect(data.map(({ id }) => id)).toEqual(ids.toReversed());
});
