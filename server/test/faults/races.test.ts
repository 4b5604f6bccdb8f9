import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { outcomeOf, type DataOf, type Failure, type Reply, type Shipment } from "../client.ts";
import { assertInvariants, untilAtRest } from "../invariants.ts";
import { halifax, parcel } from "../shipments.ts";
import { aPlatform, aQuotedDraft, setDials, type TestAccount, type World } from "../world.ts";
import { soldLabels } from "./moments.ts";

/** A purchase against a void, a change or a removal of the same shipment: one of them comes first. */

let world: World;
beforeAll(async () => {
  world = await aPlatform();
});
afterEach(async () => {
  await setDials(world, {});
  await assertInvariants(world);
});
afterAll(async () => {
  await world.close();
});

const openingCents = 50_000;

/** Races a purchase, slowed down at the carrier or not, against something else done to the shipment. */
async function race(
  rival: (account: TestAccount, id: string) => Promise<Reply<unknown>>,
  latency_ms: number,
): Promise<{ account: TestAccount; shipment: Shipment; bought: string; other: string }[]> {
  await setDials(world, { "*": { latency_ms, operations: ["purchases"] } });
  const run = async () => {
    const { account, shipment, service } = await aQuotedDraft(world, openingCents);
    const [bought, other] = await Promise.all([
      account.buy(shipment.id, { service }),
      rival(account, shipment.id),
    ]);
    return { account, shipment, bought: outcomeOf(bought), other: outcomeOf(other) };
  };
  return Promise.all(Array.from({ length: 25 }, run));
}

test.each([0, 60])(
  "buy ∥ void, the carrier taking %i ms more: bought, or cancelled, or bought and then voided",
  async (latency) => {
    const races = await race((account, id) => account.post(`/shipments/${id}/void`), latency);
    await untilAtRest(world.db);
    for (const { account, shipment, bought, other } of races) {
      const { status } = await account.show(shipment.id);
      const sold = await soldLabels(world, shipment.id);
      if (other === "200" && bought === "201") expect([status, sold]).toEqual(["voided", 1]);
      else if (other === "200") {
        expect(bought).toBe("409 conflict");
        expect([status, sold]).toEqual(["cancelled", 0]);
      } else {
        expect([bought, other]).toEqual(["201", "409 purchase_pending"]);
        expect([status, sold]).toEqual(["purchased", 1]);
      }
      if (status !== "purchased") expect(await account.balanceCents()).toBe(openingCents);
    }
  },
);

test.each([0, 60])(
  "buy ∥ PUT of ship data, the carrier taking %i ms more: the label is of the data that was bought",
  async (latency) => {
    const heavier = {
      packages: [{ ...parcel, weight: 11 }],
      to_address: { ...halifax, name: "Ines Roy" },
    };
    const races = await race((account, id) => account.put(`/shipments/${id}`, heavier), latency);
    for (const { account, shipment, bought, other } of races) {
      const { status, packages, to_address } = await account.show(shipment.id);
      const changed = packages[0]!.weight === 11;
      expect(to_address.name === "Ines Roy").toBe(changed);
      if (bought === "201" && other === "200") {
        // The change came first, and the purchase was made after it, at the new weight's price.
        expect([status, changed]).toEqual(["purchased", true]);
        const { cost, selected_rate } = await account.show(shipment.id);
        expect(selected_rate).toMatchObject({ total: cost!.total, billable_weight: { value: 11 } });
      } else if (bought === "201") {
        expect(["409 already_labelled", "409 purchase_pending"]).toContain(other);
        expect([status, changed]).toEqual(["purchased", false]);
      } else {
        expect([bought, other]).toEqual(["409 conflict", "200"]);
        expect([status, changed]).toEqual(["draft", true]);
      }
      expect(await soldLabels(world, shipment.id)).toBe(status === "purchased" ? 1 : 0);
    }
  },
);

test.each([0, 60])(
  "buy ∥ DELETE, the carrier taking %i ms more: gone unpaid, or bought, or bought and voided",
  async (latency) => {
    const races = await race((account, id) => account.delete(`/shipments/${id}`), latency);
    await untilAtRest(world.db);
    for (const { account, shipment, bought, other } of races) {
      const shown = await account.get<DataOf<Shipment> & Failure>(`/shipments/${shipment.id}`);
      if (other === "204") {
        expect(bought).toBe("404 not_found");
        expect(shown.status).toBe(404);
        expect(await soldLabels(world, shipment.id)).toBe(0);
        expect(await account.balanceCents()).toBe(openingCents);
      } else {
        expect(bought).toBe("201");
        expect(["200", "409 purchase_pending"]).toContain(other);
        expect(shown.body.data.status).toBe(other === "200" ? "voided" : "purchased");
        expect(await soldLabels(world, shipment.id)).toBe(1);
      }
    }
  },
);
