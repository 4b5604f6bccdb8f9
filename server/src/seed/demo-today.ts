import { setTimeout } from "node:timers/promises";
import type { Context, Platform } from "../context.ts";
import { ApiError } from "../domain/errors/errors.ts";
import { carrierRegister } from "../carriers/register.ts";
import { recoverDue } from "../outbound/recovery.ts";
import { buyLabel } from "../purchasing/labels/buy-label.ts";
import { labelPurchase } from "../purchasing/labels/label-purchase.ts";
import { compareCharges } from "../reconcile/compare-charges.ts";
import { createBatch, processBatch } from "../resources/batches/service.ts";
import { schedulePickup } from "../resources/pickups/service.ts";
import { createOneShipment, updateShipment } from "../resources/shipments/service.ts";
import { demoShipments } from "./demo-shipments.ts";

/**
 * The invented shop's present day: a case of everything that a screen shows beside the ordinary. The simulator is
 * told by the destination's second line what is to go wrong, as integrators do it.
 */

/** Parcels whose itineraries do not end as they should; scanned within half a minute of the first start. */
const troubled = [
  { story: "exception", service: "ups.standard" },
  { story: "returned", service: "purolator.ground" },
  { story: "delayed", service: "fedex.ground" },
  { story: "attempted", service: "canada_post.expedited_parcel" },
  { story: "pickup", service: "purolator.express" },
  { story: "stuck", service: "canada_post.xpresspost" },
] as const;

/** The domestic recipients' entries: parcels of any carrier go there. */
const entries = demoShipments(10).map(({ entry }) => entry);

export async function liveToday(shop: Context): Promise<void> {
  const ctx = expectingFailures(shop);
  for (const [index, { story, service }] of troubled.entries())
    await buy(ctx, await shipment(ctx, index, `sim:track=${story}`), service);
  // Refused by the carrier: a draft again, with the reason.
  await buy(ctx, await shipment(ctx, 6, "sim:refuse"), "canada_post.expedited_parcel");
  await updateShipment(ctx, await shipment(ctx, 8), { on_hold: true });
  await fromTheStates(ctx);
  await fetchParcels(ctx);
  await processBatches(ctx);
}

/** What fails here fails on purpose: it is not worth a warning. */
function expectingFailures<Of extends Platform>(ctx: Of): Of {
  const log = ctx.log.child({}, { level: "fatal" });
  return { ...ctx, log, outbound: { ...ctx.outbound, log } };
}

async function shipment(ctx: Context, index: number, address2?: string): Promise<string> {
  const entry = entries[index % entries.length]!;
  const reference = `MP-${2200 + index}`;
  const to_address = { ...entry.to_address, ...(address2 === undefined ? {} : { address2 }) };
  return (await createOneShipment(ctx, { ...entry, reference, to_address })).id;
}

/** What a carrier refuses, or does not answer, is part of the demo: no failure of the start. */
export async function buy(ctx: Context, id: string, service: string): Promise<boolean> {
  try {
    await buyLabel(ctx, id, { service });
    return true;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    ctx.log.debug({ shipment_id: id, code: error.code }, "seed.not_bought");
    return false;
  }
}

/** The postal service of the States takes parcels there only. */
async function fromTheStates(ctx: Context): Promise<void> {
  const buffalo = {
    company: "Maple & Pine Goods",
    address1: "65 Niagara Square",
    city: "Buffalo",
    province_code: "NY",
    postal_code: "14202",
    country_code: "US",
    phone: "716-555-0134",
  };
  const entry = demoShipments(14)[12]!.entry;
  const { id } = await createOneShipment(ctx, {
    ...entry,
    reference: "MP-2220",
    from_address: buffalo,
  });
  await buy(ctx, id, "usps.ground_advantage");
}

async function fetchParcels(ctx: Context): Promise<void> {
  const shipment_ids: string[] = [];
  for (const index of [0, 1]) {
    const id = await shipment(ctx, 30 + index);
    if (await buy(ctx, id, index === 0 ? "purolator.ground" : "ups.standard"))
      shipment_ids.push(id);
  }
  await schedulePickup(ctx, { shipment_ids }).catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error;
    ctx.log.debug({ code: error.code }, "seed.not_fetched");
  });
}

/** One that the workers bring to its end, one of which a shipment fails, and one that is still open. */
async function processBatches(ctx: Context): Promise<void> {
  const batch = async (name: string, ...shipment_ids: string[]) => {
    const { body } = await createBatch(ctx, { name, shipment_ids });
    return (JSON.parse(body) as { data: { id: string } }).data.id;
  };
  const done = await batch("Morning orders", await shipment(ctx, 40), await shipment(ctx, 41));
  const failing = [await shipment(ctx, 42), await shipment(ctx, 43, "sim:no_lane=*")];
  const failed = await batch("Wholesale parcels", ...failing);
  await batch("Tomorrow", await shipment(ctx, 44), await shipment(ctx, 45));
  for (const id of [done, failed]) await processBatch(ctx, id, { service: "cheapest" });
}

/** A purchase whose answer is lost: its money is held. */
export async function loseAnAnswer(shop: Context): Promise<void> {
  const ctx = expectingFailures(shop);
  await buy(ctx, await shipment(ctx, 7, "sim:lost_answer"), "purolator.ground");
}

/**
 * Recovery once, as if that purchase's carrier could not be asked by our reference: then only the operator can find out
 * whether there is a label. The first lookup is due some seconds after the purchase; without one in ten seconds the
 * workers look it up, and the demo has one review less.
 */
export async function leaveItToTheOperator(shop: Context): Promise<void> {
  const ctx = expectingFailures(shop);
  const all = ctx.carriers.all.map((carrier) => ({
    ...carrier,
    descriptor: { ...carrier.descriptor, lookUp: { by: "none" as const } },
  }));
  const operations = [labelPurchase({ ...ctx, carriers: carrierRegister(all) })];
  for (let tries = 0; tries < 100; tries++) {
    if ((await recoverDue(ctx.outbound, operations)) > 0) return;
    await setTimeout(100);
  }
}

/**
 * A person refunds part of a top-up at the card processor, where Waybill has no part in it: what the books are to say
 * is for the operator to decide.
 */
export async function leaveAReview(platform: Platform, accountId: string): Promise<void> {
  const payments = platform.payments.forAccount("test");
  if (payments.party !== "payments") return;
  const signal = AbortSignal.timeout(payments.timeoutSeconds * 1000);
  const { charges } = await payments.listCharges({ since: new Date(0), cursor: null }, signal);
  const charge = charges.find(({ account_id }) => account_id === accountId);
  if (!charge) return;
  await payments.refund(
    {
      reference: `by_hand_${charge.reference}`,
      charge_reference: charge.reference,
      charge_id: charge.charge_id,
      amount_cents: 4_000,
    },
    signal,
  );
  // That a review is opened is no news at a first start.
  await compareCharges(expectingFailures(platform));
}
