import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { timeOfId } from "../../src/domain/values/ids.ts";
import type { EventPayload } from "../../src/events/payload.ts";
import { adjust } from "../adjust.ts";
import { outcomeOf, type DataOf } from "../client.ts";
import { assertInvariants } from "../invariants.ts";
import { createMany } from "../batches.ts";
import { eventsOf } from "../events.ts";
import { rule, untilRuleBought } from "../rules.ts";
import { aShipment, aSteeredShipment } from "../shipments.ts";
import { aPlatform, anAccount, must, type TestAccount, type World } from "../world.ts";

/** What events say of what happens, read from the feed as an integrator does. */

let world: World;
beforeAll(async () => {
  world = await aPlatform();
});
afterAll(async () => {
  await assertInvariants(world);
  await world.close();
});

describe("a shipment", () => {
  test("its events follow each other from its creation, with what was paid and the request of each", async () => {
    const account = await anAccount(world);
    const { id } = await account.create(aShipment());
    const bought = await account.bought(id);
    must(await account.post(`/shipments/${id}/void`, { reason: "Ask Zoé Tremblay" }), 200);
    const events = (await eventsOf(account, "shipment.*", 3)).slice(0, 3);
    expect(events.map(({ type, sequence, subject_id }) => [type, sequence, subject_id])).toEqual([
      ["shipment.created", 1, id],
      ["shipment.purchased", 2, id],
      ["shipment.voided", 3, id],
    ]);
    expect(events.map(({ data }) => data)).toMatchObject([
      { status: "draft" },
      { status: "purchased", previous_status: "draft", total: bought.cost!.total, currency: "CAD" },
      { status: "voided", previous_status: "purchased", refund_status: "pending" },
    ]);
    expect(events.every(({ actor }) => actor?.type === "token")).toBe(true);
    expect(new Set(events.map(({ request_id }) => request_id)).size).toBe(3);
    expect(JSON.stringify(events)).not.toMatch(/Tremblay|Queen|@/);
  });

  test("a refused purchase says which carrier refused and with which code, and not its sentence", async () => {
    const account = await anAccount(world);
    const { id } = await account.create(aSteeredShipment("sim:refuse"));
    expect(outcomeOf(await account.buy(id))).toBe("502 carrier_error");
    const [failed] = await eventsOf(account, "shipment.purchase_failed", 1);
    expect(failed!.data).toMatchObject({
      shipment_id: id,
      status: "draft",
      error: { code: "carrier_error", carrier_code: expect.any(String) as string },
    });
    expect(Object.keys((failed!.data as { error: object }).error).sort()).toEqual([
      "carrier_code",
      "code",
    ]);
  });
});

describe("credits.low_balance", () => {
  const threshold = (account: TestAccount, low_balance_threshold: number | null) =>
    world.operator.patch(`/accounts/${account.account_id}/settings`, { low_balance_threshold });

  test("is written each time that the balance falls below the threshold, whatever moved it", async () => {
    const account = await anAccount(world, { balance_cents: 10_000 });
    must(await threshold(account, 95), 200);
    const { id } = await account.create(aShipment());
    await account.bought(id);
    const other = await account.create(aShipment());
    // Below already.
    await account.bought(other.id);
    must(await account.post("/credits/top-up", { amount: 100 }), 201);
    must(await adjust(world, account.account_id, { amount: -150 }), 201);
    const events = await eventsOf(account, "credits.low_balance", 2);
    expect(events).toHaveLength(2);
    for (const { subject_id, data, actor } of events) {
      expect(subject_id).toBe(account.account_id);
      expect(data).toMatchObject({ threshold: 95, currency: "CAD" });
      expect((data as { balance: number }).balance).toBeLessThan(95);
      expect(actor).toEqual({ type: "system", id: "ledger" });
    }
    must(await threshold(account, null), 200);
  });

  test("its id is of the form of every event's", async () => {
    const account = await anAccount(world, { balance_cents: 1000 });
    must(await threshold(account, 9), 200);
    const before = Date.now();
    must(await adjust(world, account.account_id, { amount: -5 }), 201);
    const [event] = await eventsOf(account, "credits.low_balance", 1);
    expect(event!.id).toMatch(/^evt_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
    expect(timeOfId(event!.id).getTime()).toBeGreaterThanOrEqual(before - 1000);
    expect(timeOfId(event!.id).getTime()).toBeLessThanOrEqual(Date.now() + 1000);
    const shown = must(await account.get<DataOf<EventPayload>>(`/events/${event!.id}`), 200);
    expect(shown.data).toEqual(event);
  });
});

test("a rule that fails is told of once for all that a request created", async () => {
  const account = await anAccount(world);
  await rule(account, { priority: 1, actions: [{ type: "buy_label", max_total: 100 }] });
  const { id } = await rule(account, {
    priority: 2,
    actions: [{ type: "add_to_batch", name: "Later" }],
  });
  const ids = await createMany(account, [aShipment(), aShipment()]);
  for (const shipment of ids) await untilRuleBought(account, shipment);
  const failed = await eventsOf(account, "rule.failed", 1);
  expect(failed.map(({ subject_id, data }) => ({ subject_id, data }))).toMatchObject([
    {
      subject_id: id,
      data: { shipment_id: ids[0], failure_count: 2, error: { code: "not_applicable" } },
    },
  ]);
});
