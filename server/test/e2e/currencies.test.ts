import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { outcomeOf, type Failure, type ListOf, type Rates, type Reply } from "../client.ts";
import { createMany, errorsOf, processed } from "../batches.ts";
import { rule, runsOn, when } from "../rules.ts";
import { aShipment, boston, notebooks, parcel, type PackageEntry } from "../shipments.ts";
import { anAccount, aPlatform, must, type TestAccount, type World } from "../world.ts";

/** Until there are exchange rates no amount is priced, compared or added up in another currency than its own. */

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await aPlatform();
  account = await anAccount(world);
});
afterAll(() => world.close());

const declared = (declared_value: number, currency?: string): PackageEntry => ({
  ...parcel,
  declared_value,
  ...(currency ? { currency } : {}),
});
const protectionIn = ({ data }: Rates) =>
  data.flatMap(({ add_ons }) => add_ons.filter(({ code }) => code === "protection"));
const detailsOf = (reply: Reply<unknown>) => (reply.body as Failure).error.details;
const must422 = (reply: Reply<unknown>) => detailsOf({ ...reply, body: must(reply, 422) });
const refused = {
  "packages.0.currency": [
    "currency must be CAD, the account's currency, for protection; or send insured_value.",
  ],
};

describe("a value that is declared in another currency than the account's", () => {
  test.each(["USD", "JPY", "KWD"])(
    "in %s is kept, and rated without protection",
    async (currency) => {
      const value = currency === "JPY" ? 100_000 : 9_000;
      const entry = aShipment({ packages: [declared(value, currency)] });
      const own = await account.post<Rates>(
        "/rates",
        aShipment({ packages: [declared(900, "CAD")] }),
      );
      const { id, packages } = await account.create(entry);
      expect(packages[0]).toMatchObject({ declared_value: value, currency });
      for (const rates of [
        await account.rates(id),
        must(await account.post<Rates>("/rates", entry), 200),
      ]) {
        expect(rates.data.map(({ service }) => service)).toEqual(
          must(own, 200).data.map(({ service }) => service),
        );
        expect(protectionIn(rates)).toEqual([]);
        expect(rates.meta.excluded_services.filter(({ retryable }) => retryable)).toEqual([]);
      }
      expect(protectionIn(must(own, 200)).length).toBeGreaterThan(0);
      await account.bought(id);
    },
  );

  test("has no protection: requesting it is 422 at the package's currency, in every call", async () => {
    const entry = aShipment({ packages: [declared(1_000, "USD")] });
    const insured = { ...entry, add_ons: ["protection"] };
    for (const path of ["/shipments", "/rates"])
      expect(must422(await account.post(path, insured))).toEqual(refused);
    expect(must422(await account.post("/labels", { ...insured, service: "cheapest" }))).toEqual(
      refused,
    );
    const { id } = await account.create(entry);
    await account.rates(id);
    for (const service of ["cheapest", "canada_post.expedited_parcel"])
      expect(must422(await account.buy(id, { service, add_ons: ["protection"] }))).toEqual(refused);
    expect(must422(await account.put(`/shipments/${id}`, { add_ons: ["protection"] }))).toEqual(
      refused,
    );
  });

  test("is covered by an insured_value, which is in the account's currency", async () => {
    const packages = [declared(1_000, "USD"), declared(100, "CAD")];
    const entry = { ...aShipment({ packages, add_ons: ["protection"] }), insured_value: 200 };
    const rates = must(await account.post<Rates>("/rates", entry), 200);
    for (const { price } of protectionIn(rates))
      expect(price).toMatchObject({ subtotal: 3, currency: "CAD" });
    expect(protectionIn(rates).length).toBeGreaterThan(0);
  });

  test("is not added to one in the account's own", async () => {
    const entry = aShipment({ packages: [declared(100, "CAD"), declared(100, "USD")] });
    expect(protectionIn(must(await account.post<Rates>("/rates", entry), 200))).toEqual([]);
    const same = aShipment({ packages: [declared(100, "CAD"), declared(100)] });
    const [first] = protectionIn(must(await account.post<Rates>("/rates", same), 200));
    expect(first!.price.subtotal).toBe(3);
  });

  test("keeps a rule from adding protection, and a batch from buying with it", async () => {
    const shop = await anAccount(world);
    const [id] = await createMany(shop, [aShipment({ packages: [declared(1_000, "USD")] })]);
    const { sql } = await import("kysely");
    await sql`UPDATE shipments SET add_ons = '{protection}' WHERE id = ${id}`.execute(world.db);
    const batch = await processed(shop, [id!]);
    expect((await errorsOf(shop, batch.id)).get(id!)).toMatchObject({
      code: "validation_failed",
      details: refused,
    });
    await rule(shop, { actions: [{ type: "add_add_on", add_on: "protection" }] });
    const ruled = await shop.create(aShipment({ packages: [declared(1_000, "USD")] }));
    expect(ruled.add_ons).toEqual([]);
    expect(await runsOn(shop, ruled.id)).toMatchObject([{ status: "failed" }]);
  });
});

test("criteria on declared_value find no shipment whose packages are declared in two currencies", async () => {
  const shop = await anAccount(world);
  const [mixed, usd, cad] = await createMany(shop, [
    aShipment({ packages: [declared(100, "CAD"), declared(100, "USD")] }),
    aShipment({ packages: [declared(100, "USD"), declared(100, "USD")] }),
    aShipment({ packages: [declared(100, "CAD"), declared(100)] }),
  ]);
  const found = async (operator: string, value?: number) => {
    const filter = await shop.post<{ data: { id: string } }>("/filters", {
      name: operator,
      target: "shipments",
      criteria: when("declared_value", operator, value),
    });
    const path = `/shipments?filter_id=${must(filter, 201).data.id}`;
    return must(await shop.get<ListOf<{ id: string }>>(path), 200).data.map(({ id }) => id);
  };
  expect(await found("eq", 200)).toEqual([cad, usd]);
  expect(await found("not_exists")).toEqual([mixed]);
});

test("a currency is one of ISO 4217 in every field", async () => {
  const item = { ...notebooks, currency: "ZZZ" };
  const bodies: [string, object, string][] = [
    ["/shipments", aShipment({ packages: [declared(1, "ZZZ")] }), "packages.0.currency"],
    ["/shipments", aShipment({ to_address: boston, items: [item] }), "items.0.currency"],
    ["/rates", aShipment({ packages: [declared(1, "XXX")] }), "packages.0.currency"],
    [
      "/orders",
      { order_number: "1", to_address: boston, totals: { total: 1, currency: "XTS" } },
      "totals.currency",
    ],
    [
      "/filters",
      { name: "z", target: "both", criteria: when("currency", "eq", "ZZZ") },
      "criteria.conditions.0.value",
    ],
    ["/credits/top-up", { amount: 10, currency: "ZZZ" }, "currency"],
  ];
  for (const [path, body, field] of bodies) {
    const reply = await account.post(path, body);
    expect([path, outcomeOf(reply)]).toEqual([path, "422 validation_failed"]);
    expect(Object.keys(detailsOf(reply))).toEqual([field]);
  }
  const mug = { sku: "MUG-1", title: "Mug", country_of_origin: "CA", value: 18, currency: "CAD" };
  const settings = `/accounts/${account.account_id}/settings`;
  must(await world.operator.patch(settings, { products_api_create: true }), 200);
  must(await account.post("/products", mug), 201);
  const product = await account.put("/products/MUG-1", { ...mug, currency: "ZZZ" });
  expect(Object.keys(must422(product))).toEqual(["currency"]);
});
