import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { outcomeOf } from "../client.ts";
import { aLabelled, scheduled } from "../pickups.ts";
import { anAccount, aQuotedDraft, setDials } from "../world.ts";
import { aRecovery } from "./recoveries.ts";
import { aServedPlatform, type ServedWorld } from "./served.ts";

/**
 * A purchase that was marked absent is looked up again after a minute, ten, an hour and a day, whatever
 * happens in between.
 */

let world: ServedWorld;
beforeAll(async () => {
  world = await aServedPlatform({}, { roles: ["api"] });
});
afterAll(() => world.close());

/** A purchase that never arrived, whose outcome is still unknown. */
async function unheard(): Promise<string> {
  const { account, shipment, service } = await aQuotedDraft(world, 40_000);
  await setDials(world, { "*": { error_rate: 1, operations: ["purchases"] } });
  expect(outcomeOf(await account.buy(shipment.id, { service }))).toBe("409 purchase_pending");
  await setDials(world, {});
  return shipment.id;
}

/** The same, and a recovery has marked it absent. */
async function givenUp(): Promise<string> {
  const id = await unheard();
  await change(id, { begun_at: sql<Date>`now() - interval '1 hour'` });
  expect(await aRecovery(world).recover()).toBe(1);
  return id;
}

async function change(id: string, values: Record<string, unknown>): Promise<void> {
  await world.db
    .updateTable("attempts")
    .set({ look_at: sql<Date>`now()`, ...values })
    .where("subject_id", "=", id)
    .execute();
}

/** Looks it up now, as if it had been marked absent so long ago, and returns when it is looked up next. */
async function watched(id: string, ago: string): Promise<number | null> {
  await change(id, { resolved_at: sql<Date>`now() - ${ago}::interval` });
  expect(await aRecovery(world).recover()).toBe(1);
  const { rows } = await sql<{ minutes: number | null }>`
    SELECT round(extract(epoch FROM look_at - now()) / 60)::int AS minutes FROM attempts
    WHERE subject_id = ${id} AND status = 'absent'`.execute(world.db);
  return rows[0]!.minutes;
}

test("after a minute, ten more, an hour more and a day more, and then no more", async () => {
  const id = await givenUp();
  expect(await watched(id, "61 seconds")).toBe(10);
  expect(await watched(id, "662 seconds")).toBe(60);
  expect(await watched(id, "4263 seconds")).toBe(1440);
  expect(await watched(id, "90664 seconds")).toBeNull();
});

test("a lookup that the carrier cannot answer for a while does not count", async () => {
  const id = await givenUp();
  await setDials(world, { "*": { error_rate: 1, operations: ["look_ups"] } });
  for (let look = 0; look < 6; look++) expect(await watched(id, "90 seconds")).toBeLessThan(2);
  await setDials(world, {});
  expect(await watched(id, "3 minutes")).toBe(8);
  expect(await watched(id, "3 hours")).toBe(1331);
  await setDials(world, { "*": { error_rate: 1, operations: ["look_ups"] } });
  expect(await watched(id, "2 days")).toBeLessThan(2);
  expect(await watched(id, "3 days")).toBeNull();
  await setDials(world, {});
});

/** A pickup whose request never arrived, which is not known yet. */
async function unheardPickup(): Promise<string> {
  const account = await anAccount(world);
  const labelled = await aLabelled(account);
  await setDials(world, { "*": { error_rate: 1, operations: ["pickups"] } });
  const { id } = await scheduled(account, labelled);
  await setDials(world, {});
  return id;
}

test.each([
  ["purchase", unheard],
  ["pickup", unheardPickup],
])("a %s stays open while its call may still wait for its slot", async (_kind, begin) => {
  const id = await begin();
  // A lease of two minutes lets a call wait for 30 seconds, in addition to the carrier's own five.
  const patient = () => aRecovery(world, undefined, { WAYBILL_LEASE_SECONDS: "120" });
  await change(id, { begun_at: sql<Date>`now() - interval '8 seconds'` });
  expect(await patient().recover()).toBe(1);
  expect(await statusOf(id)).toBe("unknown");
  await change(id, { begun_at: sql<Date>`now() - interval '36 seconds'` });
  expect(await patient().recover()).toBe(1);
  expect(await statusOf(id)).toBe("absent");
});

test.each(["-1 hour", "1 hour"])(
  "a process whose clock is off by %s gives its carrier neither less time nor more",
  async (off) => {
    const id = await unheard();
    await change(id, { sent_at: sql<Date>`now() + ${off}::interval` });
    expect(await aRecovery(world).recover()).toBe(1);
    expect(await statusOf(id)).toBe("unknown");
    await change(id, { begun_at: sql<Date>`now() - interval '1 minute'` });
    expect(await aRecovery(world).recover()).toBe(1);
    expect(await statusOf(id)).toBe("absent");
  },
);

async function statusOf(id: string): Promise<string> {
  const attempt = world.db.selectFrom("attempts").select("status").where("subject_id", "=", id);
  return (await attempt.executeTakeFirstOrThrow()).status;
}
