import { afterAll, beforeAll, expect, test } from "vitest";
import { addDays, nextBusinessDay } from "../../src/domain/time/business-days.ts";
import { momentOf } from "../../src/domain/time/wall-clock.ts";
import type { Waiting } from "../../src/shipping/pickups/schemas.ts";
import { aLabelled, cancel, days, schedule, scheduled } from "../pickups.ts";
import { aShipment, ottawa } from "../shipments.ts";
import { aPlatform, anAccount, must, type TestAccount, type World } from "../world.ts";

/** What waits for a pickup: `GET /pickups/waiting`. */

let world: World;
const zone = "America/Toronto";
const day = days().next;
const dayAfter = nextBusinessDay(day, ottawa);
const at = (on: string, time: string) => momentOf(`${on}T${time}`, zone);
let now = at(day, "12:00");
beforeAll(async () => {
  world = await aPlatform({}, { clock: { now: () => now } });
});
afterAll(() => world.close());

const waiting = async (account: TestAccount) =>
  must(await account.get<Waiting>("/pickups/waiting"), 200);

test("parcels wait by carrier and address, with the fee that the pickup then costs", async () => {
  const account = await anAccount(world);
  const ids = [await aLabelled(account, "ups"), await aLabelled(account, "ups")];
  const other = await aLabelled(account, "ups", { ...ottawa, address1: "2 Other Street" });
  const { data, meta } = await waiting(account);
  expect(meta).toEqual({ capped: false });
  const pair = data.find(({ shipment_count }) => shipment_count === 2)!;
  expect([...pair.shipment_ids].sort()).toEqual(ids.sort());
  expect(pair).toMatchObject({ carrier: "ups", package_count: 2 });
  expect(data.filter((each) => each !== pair).map((each) => each.shipment_ids)).toEqual([[other]]);
  const pickup = await scheduled(account, ...ids);
  expect(pickup.cost.total).toBeGreaterThan(0);
  expect(pickup.cost).toEqual(pair.fee);
  expect((await waiting(account)).data.map(({ shipment_ids }) => shipment_ids)).toEqual([[other]]);
  must(await cancel(account, pickup.id), 200);
  expect((await waiting(account)).data).toHaveLength(2);
});

test("what no carrier can fetch does not wait: drafts, voided labels, freight, other accounts' parcels", async () => {
  const account = await anAccount(world);
  await account.create(aShipment({}));
  const voided = await aLabelled(account);
  must(await account.post(`/shipments/${voided}/void`), 200);
  expect((await waiting(account)).data).toEqual([]);
});

test("until the cutoff the earliest day is today, past it the next business day", async () => {
  const account = await anAccount(world);
  const shipment_ids = [await aLabelled(account, "purolator")];
  now = at(day, "14:59");
  const { today } = (await waiting(account)).data[0]!;
  expect(today!.date).toBe(day);
  expect(new Date(today!.cutoff_at).toLocaleString("sv-SE", { timeZone: zone })).toBe(
    `${day} 15:00:00`,
  );
  now = at(day, "15:00");
  const after = (await waiting(account)).data[0]!;
  expect(after.today).toBeNull();
  expect(after.next_date).toBe(dayAfter);
  expect((await schedule(account, { shipment_ids, date: day })).status).toBe(422);
  must(await schedule(account, { shipment_ids, date: after.next_date }), 201);
});

test("a pickup today may close at close_time_min, and a minute earlier is refused", async () => {
  const account = await anAccount(world);
  const shipment_ids = [await aLabelled(account, "ups")];
  now = at(day, "15:29");
  const { today, window_minutes } = (await waiting(account)).data[0]!;
  const { close_time_min } = today!;
  expect(at(day, close_time_min).getTime()).toBe(now.getTime() + window_minutes * 60_000);
  const until = (close_time: string) => schedule(account, { shipment_ids, date: day, close_time });
  const earlier = new Date(at(day, close_time_min).getTime() - 60_000);
  const close_time = earlier.toLocaleTimeString("sv-SE", { timeZone: zone, timeStyle: "short" });
  expect((await until(close_time)).body).toHaveProperty("error.details.close_time");
  must(await until(close_time_min), 201);
});

test("a parcel whose pickup's day has passed waits again", async () => {
  const account = await anAccount(world);
  const id = await aLabelled(account, "purolator");
  now = at(day, "10:00");
  must(await schedule(account, { shipment_ids: [id], date: day }), 201);
  expect((await waiting(account)).data).toEqual([]);
  // In UTC the day is over, in Ottawa it is not.
  now = at(day, "22:00");
  expect((await waiting(account)).data).toEqual([]);
  now = at(addDays(day, 1), "00:30");
  expect((await waiting(account)).data.map(({ shipment_ids }) => shipment_ids)).toEqual([[id]]);
});
