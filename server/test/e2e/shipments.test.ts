import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { countOutcomes, outcomeOf, type DataOf, type Failure, type Shipment } from "../client.ts";
import { assertInvariants } from "../invariants.ts";
import { aShipment, boston, halifax, ottawa, parcel } from "../shipments.ts";
import { aPlatform, anAccount, must, type TestAccount, type World } from "../world.ts";

/** Changing and deleting shipments (spec 4.1, decisions 6 and 8). */

let world: World;
beforeAll(async () => {
  world = await aPlatform();
});
afterAll(async () => {
  await assertInvariants(world);
  await world.close();
});

describe("PUT", () => {
  test("changes what the body names and leaves the rest", async () => {
    const account = await anAccount(world);
    const before = await account.create(
      aShipment({ reference: "old", tags: ["a"], metadata: { order: 7 } }),
    );
    const body = { reference: "new", packages: [{ ...parcel, weight: 3, reference: "box" }] };
    const after = must(
      await account.put<DataOf<Shipment>>(`/shipments/${before.id}`, body),
      200,
    ).data;
    expect(after).toMatchObject({
      reference: "new",
      tags: ["a"],
      metadata: { order: 7 },
      to_address: before.to_address,
      ship_code: before.ship_code,
      created_at: before.created_at,
    });
    expect(after.packages[0]).toMatchObject({ weight: 3, reference: "box", weight_unit: "kg" });
    const cleared = must(
      await account.put<DataOf<Shipment>>(`/shipments/${before.id}`, { reference: null }),
      200,
    );
    expect(cleared.data.reference).toBeNull();
  });

  test("validates the shipment as it would become, and changes nothing when that is invalid", async () => {
    const account = await anAccount(world);
    const { id } = await account.create(aShipment());
    const before = await account.show(id);
    // Across the border the customs lines are missing.
    const refused = await account.put<Failure>(`/shipments/${id}`, {
      to_address: boston,
      reference: "x",
    });
    expect(Object.keys(must(refused, 422).error.details)).toEqual(["items"]);
    const mixed = {
      packages: [{ ...parcel, weight: "2" }],
      reference: 7,
      to_address: { ...halifax, postal_code: "X" },
    };
    const wrong = must(await account.put<Failure>(`/shipments/${id}`, mixed), 422).error.details;
    expect(Object.keys(wrong).toSorted()).toEqual([
      "packages.0.weight",
      "reference",
      "to_address.postal_code",
    ]);
    for (const body of [null, [], '"x"', 7])
      expect((await account.put(`/shipments/${id}`, body)).status).toBe(422);
    expect(await account.show(id)).toEqual(before);
  });

  test("after purchase changes the merchant's own fields only", async () => {
    const account = await anAccount(world);
    const { id } = await account.create(aShipment());
    const { tracking_code } = await account.bought(id);
    const own = { reference: "late", tags: ["t"], metadata: { a: 1 } };
    const changed = must(await account.put<DataOf<Shipment>>(`/shipments/${id}`, own), 200).data;
    expect(changed).toMatchObject({ ...own, tracking_code, status: "purchased" });
    const refused = await account.put<Failure>(`/shipments/${id}`, {
      to_address: ottawa,
      reference: "no",
    });
    expect(must(refused, 409).error).toMatchObject({
      code: "already_labelled",
      details: { shipment_id: id, tracking_code, status: "purchased" },
    });
    expect((await account.show(id)).reference).toBe("late");
  });
});

describe("a body that is wrong in any state is 422 in every state", () => {
  const body = { reference: 5, packages: [], to_address: "here" };
  const fields = ["packages", "reference", "to_address"];
  const refused = async (account: TestAccount, id: string, changes: object) => {
    const reply = await account.put<Failure>(`/shipments/${id}`, changes);
    return Object.keys(must(reply, 422).error.details).toSorted();
  };

  test("of a shipment that has its label, or was cancelled", async () => {
    const account = await anAccount(world);
    const [bought, cancelled] = await Promise.all([1, 2].map(() => account.create(aShipment())));
    await account.bought(bought!.id);
    must(await account.post(`/shipments/${cancelled!.id}/void`), 200);
    for (const { id } of [bought!, cancelled!]) {
      expect(await refused(account, id, body)).toEqual(fields);
      expect(await refused(account, id, { type: "ltl", on_hold: 1 })).toEqual(["on_hold", "type"]);
    }
    const right = { reference: "x", packages: [{ ...parcel, weight: 9 }] };
    expect(outcomeOf(await account.put(`/shipments/${bought!.id}`, right))).toBe(
      "409 already_labelled",
    );
  });

  test("of one that there is not: what neither type can have, else 404", async () => {
    const account = await anAccount(world);
    const unknown = "shp_01k6x3v2m4f8r9t0a1b2c3d4e5";
    expect(await refused(account, unknown, { packages: 5 })).toEqual(["packages"]);
    expect(await refused(account, unknown, { ...body, pickup: "now" })).toEqual(
      expect.arrayContaining(["reference", "to_address"]),
    );
    for (const changes of [{ reference: "x" }, { is_return: 5 }, { handling_units: 5 }])
      expect(outcomeOf(await account.put(`/shipments/${unknown}`, changes))).toBe("404 not_found");
  });
});

describe("DELETE and void", () => {
  test("a draft is deleted; a second time it is 404", async () => {
    const account = await anAccount(world);
    const { id } = await account.create(aShipment());
    await account.rates(id);
    const gone = await account.delete(`/shipments/${id}`);
    expect([gone.status, gone.bytes.length]).toEqual([204, 0]);
    expect(outcomeOf(await account.get(`/shipments/${id}`))).toBe("404 not_found");
    expect(outcomeOf(await account.delete(`/shipments/${id}`))).toBe("404 not_found");
  });

  test("a labelled shipment is voided and stays as a record", async () => {
    const account = await anAccount(world, { balance_cents: 50_000 });
    const { id } = await account.create(aShipment());
    await account.bought(id);
    const voided = must(await account.delete<DataOf<Shipment>>(`/shipments/${id}`), 200).data;
    expect(voided).toMatchObject({ id, status: "voided" });
    await assertInvariants(world);
    expect(await account.balanceCents()).toBe(50_000);
    expect(outcomeOf(await account.buy(id))).toBe("409 conflict");
  });

  test("voiding a draft cancels it; a cancelled one can only be removed", async () => {
    const account = await anAccount(world);
    const { id } = await account.create(aShipment());
    const cancelled = must(
      await account.post<DataOf<Shipment>>(`/shipments/${id}/void`, { reason: "typo" }),
      200,
    );
    expect(cancelled.data).toMatchObject({ status: "cancelled", refund: null });
    const again = must(await account.post<DataOf<Shipment>>(`/shipments/${id}/void`), 200);
    expect(again.data).toEqual(cancelled.data);
    expect(outcomeOf(await account.buy(id))).toBe("409 conflict");
    expect(outcomeOf(await account.put(`/shipments/${id}`, { to_address: ottawa }))).toBe(
      "409 conflict",
    );
    expect((await account.delete(`/shipments/${id}`)).status).toBe(204);
  });

  test("rates that are being fetched while their shipment is deleted end in 200 or 404, never in 500", async () => {
    const account = await anAccount(world);
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, async () => {
        const { id } = await account.create(aShipment());
        const [rates] = await Promise.all([
          account.get(`/rates/${id}`),
          account.delete(`/shipments/${id}`),
        ]);
        return rates;
      }),
    );
    for (const outcome of Object.keys(countOutcomes(outcomes)))
      expect(["200", "404 not_found"]).toContain(outcome);
  });
});
