import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { json } from "../../src/database/tables.ts";
import { outcomeOf, type DataOf, type Shipment } from "../client.ts";
import { besides, fakeFreight } from "../fake-freight.ts";
import { aFreight, dock, shop, unit, type FreightEntry } from "../freight-shipments.ts";
import { order } from "../orders.ts";
import {
  aShipment,
  boston,
  halifax,
  notebooks,
  ottawa,
  parcel,
  type ShipmentEntry,
} from "../shipments.ts";
import { aPlatform, anAccount, must, type TestAccount, type World } from "../world.ts";

/** Clients send back what they read: what they did not change stays, and what was derived is derived anew. */

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await aPlatform({}, { carriers: besides(fakeFreight()) });
  account = await anAccount(world, { balance_cents: 900_000 });
});
afterAll(() => world.close());

const put = async (id: string, body: object) =>
  must(await account.put<DataOf<Shipment>>(`/shipments/${id}`, body), 200).data;

async function revisionOf(id: string): Promise<number> {
  const { revision } = await world.db
    .selectFrom("shipments")
    .select("revision")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return revision;
}

function timeless({ updated_at: _moved, ...shipment }: Shipment) {
  return shipment;
}

const anAddress = fc.constantFrom(ottawa, halifax, dock, shop);
const aPackage = fc.constantFrom(
  parcel,
  { weight: 300, weight_unit: "g" },
  { ...parcel, declared_value: 20, currency: "USD", reference: " box  1 " },
);
const merchant = {
  reference: fc.constantFrom("PO-1", null),
  tags: fc.constantFrom(["new"], []),
  contents_type: fc.constantFrom("gift", null),
};

const aParcelEntry = fc
  .record({
    ...merchant,
    from_address: anAddress,
    to_address: fc.oneof(anAddress, fc.constant({ ...boston, postal_code: " 02116 " })),
    return_address: fc.constantFrom(null, shop),
    packages: fc.array(aPackage, { minLength: 1, maxLength: 3 }),
    service: fc.constantFrom(null, "cheapest"),
    add_ons: fc.constantFrom([], ["signature"]),
    is_return: fc.boolean(),
    label_format: fc.constantFrom(null, "zpl"),
    insured_value: fc.constantFrom(null, 12.34),
  })
  .map((entry) => ({ ...entry, items: [notebooks] }) as unknown as ShipmentEntry);

const locations = ["residential", "farm", "business_without_dock", null] as const;
const aUnit = fc.record({
  weight: fc.constantFrom(90, 620, 1500),
  hazmat: fc.boolean(),
  freight_class: fc.constantFrom(null, "70", 92.5),
});
const aFreightEntry = fc
  .record({
    ...merchant,
    from_address: fc.constantFrom(dock, { ...ottawa, is_residential: true }),
    to_address: fc.constantFrom(shop, halifax),
    units: fc.array(aUnit, { minLength: 1, maxLength: 2 }),
    pickup: fc.record({
      location_type: fc.constantFrom(...locations),
      accessorials: fc.subarray(["liftgate_pickup", "protect_from_freeze"]),
    }),
    delivery: fc.record({
      location_type: fc.constantFrom(...locations),
      appointment_required: fc.constantFrom(true, null),
      accessorials: fc.subarray(["notify_before_delivery", "residential_delivery"]),
    }),
  })
  .map(({ units, ...entry }) =>
    aFreight({
      ...(entry as object),
      handling_units: units.map((each) => ({ ...unit, ...each })),
    }),
  );

describe("a shipment, or any part of it, that is written back as it was read is not changed", () => {
  test.each<[string, fc.Arbitrary<ShipmentEntry | FreightEntry>]>([
    ["a parcel", aParcelEntry],
    ["freight", aFreightEntry],
  ])("%s", async (_type, anEntry) => {
    await fc.assert(
      fc.asyncProperty(anEntry, fc.infiniteStream(fc.boolean()), async (entry, isSent) => {
        const read = await account.create(entry);
        const part = Object.entries(read).filter(() => isSent.next().value);
        for (const body of [read, Object.fromEntries(part)])
          expect(timeless(await put(read.id, body))).toEqual(timeless(read));
        expect(await revisionOf(read.id)).toBe(1);
      }),
      { numRuns: 40 },
    );
  });

  test.each([
    ["a parcel", aShipment()],
    ["freight", aFreight()],
  ])("%s keeps its rates, also with new tags", async (_type, entry) => {
    const { id } = await account.create(entry);
    const [rate] = (await account.rates(id)).data;
    const read = await account.show(id);
    expect((await put(id, { ...read, tags: ["vip"] })).tags).toEqual(["vip"]);
    await account.bought(id, { rate_id: rate!.id });
  });

  test.each([
    ["a parcel", aShipment({ items: [notebooks] })],
    ["freight", aFreight()],
  ])("%s that is purchased takes the merchant's own fields with it", async (_type, entry) => {
    const { id } = await account.create(entry);
    await account.bought(id, { service: "cheapest" });
    const read = await account.show(id);
    const changed = await put(id, { ...read, reference: "late", tags: ["vip"] });
    expect(timeless(changed)).toEqual({
      ...timeless(read),
      reference: "late",
      tags: ["vip"],
      documents: changed.documents,
      label_url: changed.label_url,
    });
    expect((await put(id, { reference: "y", service: read.service })).reference).toBe("y");
    const moved = { ...read, to_address: boston };
    expect(outcomeOf(await account.put(`/shipments/${id}`, moved))).toBe("409 already_labelled");
  });

  test("a cancelled one too, and one that is taken off its order", async () => {
    const { id: order_id } = await order(account);
    const { id } = await account.create(aShipment({ order_id }));
    must(await account.post(`/shipments/${id}/void`), 200);
    const read = await account.show(id);
    expect(timeless(await put(id, read))).toEqual(timeless(read));
    expect((await put(id, { ...read, order_id: null })).order_id).toBeNull();
  });

  test("a draft whose pickup day has passed takes new tags, and no other pickup of that day", async () => {
    const made = await account.create(aFreight());
    const pickup = { ...made.pickup!, date: "2026-01-05" };
    await world.db
      .updateTable("shipments")
      .set({ pickup: json(pickup) })
      .where("id", "=", made.id)
      .execute();
    const read = await account.show(made.id);
    expect((await put(made.id, { ...read, tags: ["late"] })).tags).toEqual(["late"]);
    const later = { ...read, pickup: { ...pickup, close_time: "18:00" } };
    expect(outcomeOf(await account.put(`/shipments/${made.id}`, later))).toBe(
      "422 validation_failed",
    );
  });

  test("a field that only the other type has is no part of it", async () => {
    const { id } = await account.create(aShipment());
    const body = { ...(await account.show(id)), pickup: { location_type: "farm" } };
    expect(outcomeOf(await account.put(`/shipments/${id}`, body))).toBe("422 validation_failed");
    await account.bought(id);
    expect(outcomeOf(await account.put(`/shipments/${id}`, body))).toBe("409 already_labelled");
  });
});

test("a changed package keeps its id, by the id that it is sent with or else by its place", async () => {
  const made = await account.create(aShipment({ packages: [parcel, { ...parcel, weight: 2 }] }));
  const [first, second] = made.packages;
  const idsOf = ({ packages }: Shipment) => packages.map(({ id }) => id);
  expect(idsOf(await put(made.id, { service: "cheapest" }))).toEqual([first!.id, second!.id]);
  expect(idsOf(await put(made.id, { packages: [second, first] }))).toEqual([second!.id, first!.id]);
  const changed = await put(made.id, { packages: [{ ...first!, weight: 9 }, parcel, parcel] });
  expect(changed.packages[0]).toMatchObject({ id: first!.id, weight: 9 });
  expect(new Set(idsOf(changed)).size).toBe(3);
  const twice = idsOf(await put(made.id, { packages: [first, { ...first, weight: 3 }] }));
  expect(twice[0]).toBe(first!.id);
  expect(new Set(twice).size).toBe(2);
});

describe("what was derived of freight follows, also when it is written back", () => {
  test("the class that came from the density", async () => {
    const made = await account.create(aFreight());
    expect(made.handling_units[0]).toMatchObject({
      freight_class: "92.5",
      freight_class_source: "density",
    });
    const served = await put(made.id, { service: "cheapest" });
    expect(served.handling_units).toEqual(made.handling_units);
    const [read] = served.handling_units;
    const heavier = { handling_units: [{ ...read, weight: 2 * read!.weight }] };
    const { handling_units } = await put(made.id, heavier);
    const anew = await account.create(aFreight({ handling_units: [{ ...unit, weight: 1240 }] }));
    expect(handling_units).toEqual(anew.handling_units);
    expect(handling_units[0]).toMatchObject({
      freight_class: "70",
      freight_class_source: "density",
    });
    const given = { ...read, freight_class: "85", freight_class_source: "given" };
    expect((await put(made.id, { handling_units: [given] })).handling_units[0]).toMatchObject({
      freight_class: "85",
      freight_class_source: "given",
    });
  });

  test("the accessorials that a place implied", async () => {
    const { id } = await account.create(
      aFreight({
        delivery: {
          location_type: "business_without_dock",
          accessorials: ["notify_before_delivery"],
        },
      }),
    );
    const { delivery } = await account.show(id);
    expect(delivery!.implied_accessorials).toEqual(["liftgate_delivery"]);
    const atDock = { ...delivery, location_type: "business_with_dock" };
    expect((await put(id, { delivery: atDock })).delivery).toMatchObject({
      accessorials: ["notify_before_delivery"],
      implied_accessorials: [],
    });
  });

  test("and a place that is sent back is no other place", async () => {
    const { id, to_address, delivery } = await account.create(
      aFreight({ delivery: { location_type: "farm", contact: { name: "Gate 3" } } }),
    );
    const body = { to_address, contents_type: "gift" };
    expect((await put(id, body)).delivery).toEqual(delivery);
    const moved = await put(id, { to_address: { ...to_address, city: "Dartmouth" } });
    expect(moved.delivery).toMatchObject({
      location_type: "business_with_dock",
      contact: { name: halifax.name },
    });
  });
});
