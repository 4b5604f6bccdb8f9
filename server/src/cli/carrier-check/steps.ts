import { setTimeout as pause } from "node:timers/promises";
import { TypeID } from "typeid-js";
import {
  CarrierError,
  type CallContext,
  type Carrier,
  type CarrierLabel,
  type LabelRef,
  type LabelRequest,
  type SentLabel,
  type ShipmentForCarrier,
  type Sighting,
} from "../../carriers/carrier.ts";
import type { CarrierConnection } from "../../carriers/connection.ts";
import { nextBusinessDay } from "../../domain/time/business-days.ts";
import { newId } from "../../domain/values/ids.ts";
import { fromCents } from "../../domain/values/money.ts";
import type { Recorder } from "./recorder.ts";

/** The steps of the script: each says what it found, or throws why it did not. */

/** A carrier that is checked, and what the steps hand to each other. */
export interface Check {
  carrier: Carrier;
  connection: CarrierConnection;
  context: CallContext;
  recorder: Recorder;
  shipment: ShipmentForCarrier;
  /** How long a purchase whose answer was lost is looked up, and how often. */
  look_up_seconds: number;
  every_seconds: number;
}

/** What a step found, and what is said of it. */
export type Found<T> = { detail: string; value?: T };

const stepSeconds = 60;
/** A step that has nothing to do. */
export class Skipped extends Error {}

const soon = () => AbortSignal.timeout(stepSeconds * 1000);

/** Whether the carrier takes the connection's credentials. Throws with the carrier's code and message. */
export async function testCredentials({ carrier, connection }: Check): Promise<Found<never>> {
  if (!carrier.testConnection) throw new Skipped("not offered");
  const { ok, code, message } = await carrier.testConnection(connection, soon());
  if (!ok) throw new Error(`${code}: ${message}`);
  return { detail: message };
}

/** The cheapest service, as it will be bought. */
export async function quote({ carrier, context, shipment }: Check): Promise<Found<LabelRequest>> {
  const { services, bills_in } = carrier.descriptor;
  const currency = bills_in ?? (shipment.from_address.country_code === "US" ? "USD" : "CAD");
  const asked = { context, shipment, services, currency, estimated: false };
  const { rates, unavailable } = await carrier.quote(asked, soon());
  const priced = rates.map((rate) => ({
    rate,
    cents: rate.surcharges.reduce((sum, each) => sum + each.amount_cents, rate.base_cents),
  }));
  const [cheapest] = priced.toSorted((a, b) => a.cents - b.cents);
  if (!cheapest) throw new Error(unavailable.map((each) => each.message).join(" ") || "no rate");
  const { rate, cents } = cheapest;
  const basis = rate.price_basis ? `, ${rate.price_basis}` : "";
  const price = `${fromCents(cents)} ${rate.currency}${basis}`;
  const detail = `${rates.length} services, ${unavailable.length} unavailable; ${rate.service} at ${price}`;
  return {
    detail,
    value: {
      context,
      reference: newId("att"),
      references: {
        account_id: context.account_id,
        shipment_id: newId("shp"),
        shipment_digest: "check",
        idempotency_key: null,
      },
      shipment,
      ship_code: "CHECK1",
      service: services.find(({ code }) => code === rate.service)!,
      add_ons: [],
      label_format: "pdf",
      label_size: "4x6",
      expected_cost: { amount_cents: cents, currency: rate.currency },
    },
  };
}

interface Bought {
  request: LabelRequest;
  ref: LabelRef;
  label?: CarrierLabel;
}

/** Buys the label, which a later step voids. The price is the carrier's, where its answer has one. */
export async function buy({ carrier }: Check, request: LabelRequest): Promise<Found<Bought>> {
  const label = await carrier.buyLabel(request, soon());
  const { carrier_label_id, tracking_code, carrier_data, cost } = label;
  const { reference, context } = request;
  const ref = { context, reference, carrier_label_id, tracking_code, carrier_data };
  const price = cost ? `${fromCents(cost.amount_cents)} ${cost.currency}` : "no price told";
  return { detail: `${tracking_code}, ${price}`, value: { request, ref, label } };
}

/** At once with the purchase, or later: how much later is what is of interest. */
export async function fetchLabel(
  { carrier }: Check,
  { ref, label }: Bought,
): Promise<Found<never>> {
  const begun = performance.now();
  let files = label?.files ?? "pending";
  while (files === "pending" && performance.now() - begun < stepSeconds * 1000) {
    files = await carrier.fetchFiles(ref, "pdf", soon()).catch(() => "pending" as const);
    if (files === "pending") await pause(1000);
  }
  if (files === "pending") throw new Error(`no file within ${stepSeconds} s`);
  const seconds = Math.round((performance.now() - begun) / 1000);
  const said = files.map(({ type, format, bytes }) => `${type}.${format}, ${bytes.length} bytes`);
  return { detail: `${said.join("; ")}${seconds > 0 ? ` after ${seconds} s` : ""}` };
}

function sentOf({ context, reference, shipment, service }: LabelRequest, at: Date): SentLabel {
  const { country_code: country, postal_code } = shipment.to_address;
  const { ship_date, packages } = shipment;
  const { carrier_service_code } = service;
  const destination = { country, postal_code };
  const look_up = { ship_date, destination, pieces: packages.length, carrier_service_code };
  return { context, reference, sent_at: at, look_up };
}

/** Looks up until it is there: how long that takes is what the descriptor has to say. */
async function untilSeen(
  { carrier, look_up_seconds, every_seconds }: Check,
  request: LabelRequest,
): Promise<{ sighting: Sighting; seconds: number }> {
  if (carrier.descriptor.lookUp.by === "none") throw new Skipped("cannot be looked up");
  const at = new Date();
  for (;;) {
    const sighting = await carrier.lookUpLabel(sentOf(request, at), soon());
    const seconds = (Date.now() - at.getTime()) / 1000;
    if (sighting) return { sighting, seconds: Math.round(seconds * 10) / 10 };
    if (seconds >= look_up_seconds)
      throw new Error(`not found within ${look_up_seconds} s; our reference: ${request.reference}`);
    await pause(every_seconds * 1000);
  }
}

/** Looks the label up by our reference, until it is there or the time is over, which throws. */
export async function lookUp(check: Check, { request }: Bought): Promise<Found<never>> {
  const { sighting, seconds } = await untilSeen(check, request);
  return { detail: `${sighting.state}, found after ${seconds} s` };
}

/** Voids the label. `Skipped` where the carrier has no call for it: it is then to be voided by hand. */
export async function voidLabel({ carrier }: Check, { ref }: Bought): Promise<Found<never>> {
  if (carrier.descriptor.voids.kind !== "api") throw new Skipped("not offered");
  const { refund } = await carrier.voidLabel(ref, soon());
  return { detail: `refund ${refund}` };
}

/** The carrier gets the purchase and answers, and the answer does not arrive. */
export async function buyUnheard(
  { carrier, recorder }: Check,
  like: LabelRequest,
): Promise<Found<LabelRequest>> {
  const reference = newId("att");
  const request = { ...like, reference };
  // Some carriers get the reference as the UUID that it is.
  const lost = recorder.loseAnswerTo([reference, TypeID.fromString(reference).toUUID()]);
  const failure = await carrier.buyLabel(request, soon()).then(
    () => new Error("it succeeded, though its answer was to be lost"),
    (error: Error) => error,
  );
  if (!lost.isLost()) throw failure;
  if (!(failure instanceof CarrierError) || failure.kind !== "unknown")
    throw new Error(`a lost answer is not unknown: ${failure.message}`);
  return { detail: `unknown, as it has to be (${failure.carrier_code})`, value: request };
}

/** Looks for the purchase whose answer was lost: it must be found, and by our reference alone. */
export async function findLost(check: Check, request: LabelRequest): Promise<Found<Bought>> {
  const { sighting, seconds } = await untilSeen(check, request);
  const { carrier_label_id, tracking_code, carrier_data } = sighting;
  const { context, reference } = request;
  const ref = { context, reference, carrier_label_id, tracking_code, carrier_data };
  const { lookUp: stated } = check.carrier.descriptor;
  const said = stated.by === "none" ? "" : `; the descriptor says ${stated.after_seconds} s`;
  return { detail: `found after ${seconds} s${said}`, value: { request, ref } };
}

interface ScheduledPickup {
  reference: string;
  carrier_pickup_id: string;
  confirmation_number: string;
  date: string;
  carrier_data: Record<string, unknown> | null;
}

/** Schedules a pickup of one parcel for the next business day, at the fee that the descriptor states. */
export async function schedulePickup(
  { carrier, context, shipment }: Check,
  tracking_code = "CHECK1",
): Promise<Found<ScheduledPickup>> {
  const { pickups, descriptor } = carrier;
  const [currency, amount_cents] = Object.entries(descriptor.pickups?.fee_cents ?? {})[0] ?? [];
  if (!pickups || currency === undefined) throw new Skipped("not offered");
  const { from_address: address } = shipment;
  const reference = newId("att");
  const made = await pickups.schedule(
    {
      context,
      reference,
      address,
      instructions: null,
      tracking_codes: [tracking_code],
      references: {
        account_id: context.account_id,
        pickup_id: newId("pku"),
        idempotency_key: null,
      },
      contact: { name: address.name, phone: address.phone, email: null },
      date: nextBusinessDay(shipment.ship_date, address),
      ready_time: "09:00",
      close_time: "17:00",
      package_count: 1,
      weight_grams: 1000,
      expected_fee: { amount_cents: amount_cents ?? 0, currency },
    },
    soon(),
  );
  const { confirmation_number, date, fee } = made;
  const price = fee ? `${fromCents(fee.amount_cents)} ${fee.currency}` : "no fee told";
  return { detail: `${confirmation_number} on ${date}, ${price}`, value: { reference, ...made } };
}

/** Cancels the pickup, which costs nothing then. */
export async function cancelPickup(
  { carrier, context }: Check,
  scheduled: ScheduledPickup,
): Promise<Found<never>> {
  await carrier.pickups!.cancel({ context, ...scheduled }, soon());
  return { detail: "cancelled" };
}

/** Asks about the destination's address. Any answer is one: only a failure throws. */
export async function checkAddress({ carrier, context, shipment }: Check): Promise<Found<never>> {
  if (!carrier.addresses) throw new Skipped("not offered");
  const address = shipment.to_address;
  const { state, candidates } = await carrier.addresses.check({ context, address }, soon());
  return { detail: `${state}, ${candidates.length} candidates` };
}

/** Asks for the five nearest places at which parcels are handed in; none is an answer, too. */
export async function findPlaces({ carrier, context, shipment }: Check): Promise<Found<never>> {
  if (!carrier.locations) throw new Skipped("not offered");
  const address = shipment.from_address;
  const places = await carrier.locations.near({ context, address, limit: 5 }, soon());
  return { detail: `${places.length} places` };
}
