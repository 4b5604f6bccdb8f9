import type { CarrierPickup, CarrierPickups, PickupRequest } from "../pickups.ts";
import { badAnswer, beforeTheCall, refusedByUs } from "../protocol/classify.ts";
import type { XmlElement } from "../protocol/xml.ts";
import type { Address } from "../../domain/addresses/address.ts";
import { contractIn, type PostClient } from "./client.ts";
import { errorTable, successOf } from "./errors.ts";
import { postalCode } from "./parties.ts";
import {
  carriesReference,
  fromPickupAvailability,
  fromPickupInfo,
  fromPickupPrice,
  fromPickupRequests,
  isCancelled,
  pickupAvailabilityMediaType,
  pickupMediaType,
  placeOf,
  toPickupPriceRequest,
  toPickupRequest,
  type KnownPickup,
} from "./pickups.ts";
import { CarrierError, type CallContext, type CarrierCost } from "../carrier.ts";

const timeout_ms = 20_000;

interface Call {
  context: CallContext;
  signal: AbortSignal;
}

/** Pickups on demand: availability and price are asked for first, since the request itself refuses neither. */
export function canadaPostPickups(client: PostClient): CarrierPickups {
  return {
    async schedule(request, signal) {
      const { context, address } = request;
      const call = { context, signal };
      const body = toPickupRequest(request, contractIn(context));
      await Promise.all([
        refuseWhereNobodyComes(client, address, call),
        refuseDearer(client, request, call),
      ]).catch(nothingRequested);
      const to = pathOf(context);
      const steering = address.address2;
      const answer = await client.call({ method: "POST", to, body, ...call, ...form, steering });
      const known = fromPickupInfo(successOf(answer, "pickup-request-info"));
      if (!known) throw badAnswer(errorTable);
      return pickupOf(known, { date: request.date, fee: request.expected_fee });
    },

    async lookUp({ context, reference, look_up }, signal) {
      const call = { context, signal };
      const details = await ownDetails(client, reference, call);
      const known = details && fromPickupInfo(details);
      if (!details || !known) return null;
      const date = known.date ?? look_up.date;
      const fee = await priceOf(client, { date, ...placeOf(details) }, call);
      return { ...pickupOf(known, { date, fee }), cancelled: isCancelled(known.status) };
    },

    list: () => {
      throw new Error("Canada Post lists no pickups with our references");
    },

    async cancel({ context, carrier_pickup_id }, signal) {
      const call = { context, signal };
      const to = `${pathOf(context)}/${encodeURIComponent(carrier_pickup_id)}`;
      const answer = await client.call({ method: "DELETE", to, ...call, ...form });
      if (answer.status === 204) return;
      try {
        successOf(answer, "pickup-request-info");
      } catch (refusal) {
        // A second cancellation is refused, and a first may be answered without a word: the request itself says.
        const details = await detailsOf(client, carrier_pickup_id, call).catch(() => null);
        const known = details && fromPickupInfo(details);
        if (!isCancelled(known?.status ?? null)) throw refusal;
      }
    },
  };
}

const form = { media_type: pickupMediaType, timeout_ms } as const;

function pathOf(context: CallContext): string {
  return `/enab/${contractIn(context).customer_number}/pickuprequest`;
}

async function detailsOf(client: PostClient, id: string, call: Call): Promise<XmlElement> {
  const to = `${pathOf(call.context)}/${encodeURIComponent(id)}/details`;
  const answer = await client.call({ method: "GET", to, ...call, ...form });
  return successOf(answer, "pickup-request-detailed-info");
}

async function priceOf(
  client: PostClient,
  stop: { date: string; province: string; postal_code: string },
  call: Call & { steering?: string | null },
): Promise<CarrierCost> {
  const body = toPickupPriceRequest(stop, contractIn(call.context));
  const to = `${pathOf(call.context)}/price`;
  const answer = await client.call({ method: "POST", to, body, ...call, ...form });
  const fee = fromPickupPrice(successOf(answer, "pickup-request-price"));
  if (fee) return fee;
  throw badAnswer(errorTable);
}

/** Whatever came of the questions, the request was not sent. */
function nothingRequested(error: unknown): never {
  const isUnknown = error instanceof CarrierError && error.kind === "unknown";
  throw isUnknown ? beforeTheCall(error) : error;
}

async function refuseWhereNobodyComes(client: PostClient, address: Address, call: Call) {
  const answer = await client.call({
    method: "GET",
    to: `/ad/pickup/pickupavailability/${postalCode(address)}`,
    media_type: pickupAvailabilityMediaType,
    ...call,
    timeout_ms,
    steering: address.address2,
  });
  if (fromPickupAvailability(successOf(answer, "pickup-availability")).on_demand) return;
  throw refusedByUs(errorTable, {
    carrier_code: "area_not_served",
    message: "Canada Post does not pick up on demand at this postal code.",
  });
}

async function refuseDearer(client: PostClient, request: PickupRequest, call: Call) {
  const { address, date, expected_fee } = request;
  const stop = { date, province: address.province_code ?? "", postal_code: postalCode(address) };
  const fee = await priceOf(client, stop, { ...call, steering: address.address2 });
  if (fee.currency !== expected_fee.currency) return;
  if (fee.amount_cents <= expected_fee.amount_cents) return;
  throw refusedByUs(errorTable, {
    carrier_code: "price_changed",
    message: "The fee is higher than expected; nobody will come.",
    actual_cost: fee,
  });
}

/** Of the recent requests: Canada Post lists those that are open and at most twenty others. */
async function ownDetails(client: PostClient, reference: string, call: Call) {
  const answer = await client.call({ method: "GET", to: pathOf(call.context), ...call, ...form });
  for (const { request_id } of fromPickupRequests(successOf(answer, "pickup-requests"))) {
    const details = await detailsOf(client, request_id, call);
    if (carriesReference(details, reference)) return details;
  }
  return null;
}

/** The fee that was expected where the answer names none: a contract's pickups may be free. */
function pickupOf(known: KnownPickup, asked: { date: string; fee: CarrierCost }): CarrierPickup {
  return {
    carrier_pickup_id: known.request_id,
    confirmation_number: known.request_id,
    fee: known.fee ?? asked.fee,
    date: known.date ?? asked.date,
    shared: false,
    carrier_data: null,
  };
}
