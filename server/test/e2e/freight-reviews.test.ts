import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { aClient, outcomeOf } from "../client.ts";
import { aFreight, shop } from "../freight-shipments.ts";
import { assertInvariants, readJournal, referencesOf, type JournalEntry } from "../invariants.ts";
import { aPlatformOfBlindCarriers, decide, untilUnderReview, type Review } from "../reviews.ts";
import { anAccount, must, setDials, type TestAccount, type World } from "../world.ts";

/** Bookings of freight, and their cancellations, whose outcome only the carrier's own site shows. */

let world: World;
beforeAll(async () => {
  world = await aPlatformOfBlindCarriers({ WAYBILL_REVIEW_AFTER_MINUTES: "0" });
});
afterEach(async () => {
  await setDials(world, {});
  await assertInvariants(world);
});
afterAll(() => world.close());

/** The carrier's own site on a booking, and on its cancellation. */
interface OnSite extends JournalEntry {
  booking_id: string;
  confirmation_number: string;
  bol_number: string;
  pro_number: string | null;
  cancellation_number: string;
}

async function entryOf(operation: JournalEntry["operation"], shipmentId: string): Promise<OnSite> {
  const references = await referencesOf(world.db, shipmentId);
  const entry = (await readJournal(world)).find(
    (each) => each.operation === operation && references.includes(each.reference),
  );
  return entry as OnSite;
}

interface LostBooking {
  account: TestAccount;
  id: string;
  retry(): ReturnType<TestAccount["buy"]>;
  review: Review;
  booked: OnSite;
}

/** A booking with an Idempotency-Key whose response was lost after the carrier had made it. */
async function aLostBooking(carrier: string): Promise<LostBooking> {
  const account = await anAccount(world, { balance_cents: 500_000 });
  const to_address = { ...shop, address2: "sim:lost_answer" };
  const { id } = await account.create(aFreight({ to_address }));
  const quotes = (await account.rates(id)).data;
  const { service } = quotes.find((rate) => rate.carrier.code === carrier)!;
  const retry = () => account.buy(id, { service }, { "idempotency-key": `book ${id}` });
  expect(outcomeOf(await retry())).toBe("409 purchase_pending");
  const review = await untilUnderReview(world, id);
  return { account, id, retry, review, booked: await entryOf("ltl_booking", id) };
}

/** Cancels the booking directly at the carrier. */
async function cancelByHand({ carrier, reference, booking_id }: OnSite): Promise<void> {
  const { account_id } = await world.db
    .selectFrom("attempts")
    .select("account_id")
    .where("reference", "=", reference)
    .executeTakeFirstOrThrow();
  const site = aClient(`${world.simulator_url}/carriers/${carrier}`, `sim_test_${account_id}`);
  const cancel = () => site.post(`/freight/bookings/${booking_id}/cancel`, { reference });
  // The steering that lost the booking's response loses the first cancellation's, too.
  await cancel().catch(() => undefined);
  must(await cancel(), 200);
}

function asBooked({ booking_id, tracking_code, ...booked }: OnSite, more: object = {}) {
  const { confirmation_number, bol_number } = booked;
  const label = { carrier_label_id: booking_id, tracking_code, confirmation_number, bol_number };
  return { decision: "stands", label: { ...label, ...more } };
}

test("a booking that stands has its numbers and documents, is paid once, and the key replays it", async () => {
  const { account, id, retry, review, booked } = await aLostBooking("day_ross");
  expect(review).toMatchObject({ kind: "label_purchase", carrier: "day_ross", shipment_id: id });
  expect(review.advice).toContain("confirmation_number");
  expect(outcomeOf(await retry())).toBe("409 purchase_pending");
  const { pro_number } = booked;
  must(await decide(world, review, asBooked(booked, { pro_number })), 200);
  const bought = must(await retry(), 201).data;
  const { confirmation_number, bol_number } = booked;
  expect(bought).toMatchObject({ confirmation_number, bol_number, pro_number, label_url: null });
  expect(bought.documents.map(({ type }) => type)).toEqual(["bol", "pallet_label"]);
  for (const { url } of bought.documents) expect((await fetch(url)).status).toBe(200);
  expect(await account.balance()).toMatchObject({ balance: bought.balance_after, held: 0 });
  expect(await account.show(id)).toMatchObject({ status: "booked", pro_number });
});

test("a booking without its numbers, or with a label's file, is no evidence, and changes nothing", async () => {
  const { account, id, review, booked } = await aLostBooking("manitoulin");
  const bare = { confirmation_number: null, bol_number: null, label_base64: "JVBERi0=" };
  const bad = must(await decide(world, review, asBooked(booked, bare)), 422);
  expect(Object.keys(bad.error.details).toSorted()).toEqual([
    "label.bol_number",
    "label.confirmation_number",
    "label.label_base64",
  ]);
  expect(await account.show(id)).toMatchObject({ status: "purchase_pending" });
  must(await decide(world, review, asBooked(booked)), 200);
  expect(await account.show(id)).toMatchObject({ status: "booked", pro_number: null });
});

test("a booking that the operator cancelled costs nothing, and is a draft again", async () => {
  const { account, id, review, booked } = await aLostBooking("tforce_freight");
  await cancelByHand(booked);
  must(await decide(world, review, { decision: "void" }), 200);
  expect(await account.balance()).toMatchObject({ balance: 5000, held: 0 });
  expect(await account.show(id)).toMatchObject({ status: "draft" });
});

test.each(["stands", "void"])("a cancellation with an unknown outcome: %s", async (decision) => {
  const account = await anAccount(world, { balance_cents: 500_000 });
  const { id } = await account.create(aFreight());
  const { cost } = await account.bought(id);
  await setDials(world, { "*": { error_rate: 1, error_status: 500, operations: ["voids"] } });
  expect(outcomeOf(await account.post(`/ltl/${id}/cancel`))).toBe("409 purchase_pending");
  const review = await untilUnderReview(world, id);
  expect(review).toMatchObject({ kind: "ltl_cancel", shipment_id: id, held: null });
  await setDials(world, {});
  if (decision === "stands") {
    const bad = must(await decide(world, review, { decision, fee: -1 }), 422);
    expect(Object.keys(bad.error.details).toSorted()).toEqual(["carrier_confirmation", "fee"]);
    await cancelByHand(await entryOf("ltl_booking", id));
    const { cancellation_number: carrier_confirmation, fee_cents } = await entryOf(
      "ltl_cancel",
      id,
    );
    const found = { carrier_confirmation, fee: fee_cents! / 100 };
    must(await decide(world, review, { decision, ...found }), 200);
    const again = await account.post(`/ltl/${id}/cancel`);
    expect(again.body).toMatchObject({ data: { cancellation: { status: "cancelled", ...found } } });
    expect(await account.balance()).toMatchObject({ balance: 5000, held: 0 });
  } else {
    must(await decide(world, review, { decision }), 200);
    expect(await account.show(id)).toMatchObject({ status: "booked" });
    expect(await account.balance()).toMatchObject({ balance: 5000 - cost!.total, held: 0 });
  }
});
