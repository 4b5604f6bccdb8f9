import type { CarrierPickup, CarrierPickups, PickupRequest } from "../pickups.ts";
import { badAnswer, refusedByUs } from "../protocol/classify.ts";
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
import type { CallContext, CarrierCost } from "../carrier.ts";

const timeout_ms = 20_000;

interface Call {
  context: CallContext;
  signal: AbortSignal;
}

/** Pickups on demand: availability and price are asked for first, since the request itself refuses neither. */
export function canadaPostPickups(client: PostClient): CarrierPickups {
  const path = (context: CallContext) =>
    `/enab/${contractIn(context).customer_number}/pickuprequest`;

  async function get(to: string, element: string, call: Call): Promise<XmlElement> {
    const media_type = pickupMediaType;
    const answer = await client.call({ method: "GET", to, media_type, ...call, timeout_ms });
    return successOf(answer, element);
  }

  const detailsOf = (id: string, call: Call) =>
    get(
      `${path(call.context)}/${encodeURIComponent(id)}/details`,
      "pickup-request-detailed-info",
      call,
    );

  async function price(
    stop: { date: string; province: string; postal_code: string },
    { steering, ...call }: Call & { steering?: string | null },
  ): Promise<CarrierCost> {
    const answer = await client.call({
      method: "POST",
      to: `${path(call.context)}/price`,
      media_type: pickupMediaType,
      body: toPickupPriceRequest(stop, contractIn(call.context)),
      ...call,
      timeout_ms,
      steering,
    });
    const fee = fromPickupPrice(successOf(answer, "pickup-request-price"));
    if (fee) return fee;
    throw badAnswer(errorTable);
  }

  async function refuseWhereNobodyComes(address: Address, call: Call): Promise<void> {
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

  async function refuseDearer({ address, date, expected_fee }: PickupRequest, call: Call) {
    const stop = { date, province: address.province_code ?? "", postal_code: postalCode(address) };
    const fee = await price(stop, { ...call, steering: address.address2 });
    if (fee.amount_cents <= expected_fee.amount_cents || fee.currency !== expected_fee.currency)
      return;
    throw refusedByUs(errorTable, {
      carrier_code: "price_changed",
      message: "The fee is higher than expected; nobody will come.",
      actual_cost: fee,
    });
  }

  /** The recent requests: Canada Post lists those that are open and at most twenty others. */
  async function found(
    reference: string,
    call: Call,
  ): Promise<{ id: string; details: XmlElement } | null> {
    const list = await get(path(call.context), "pickup-requests", call);
    for (const { request_id } of fromPickupRequests(list)) {
      const details = await detailsOf(request_id, call);
      if (carriesReference(details, reference)) return { id: request_id, details };
    }
    return null;
  }

  return {
    async schedule(request, signal) {
      const { context, address } = request;
      const call = { context, signal };
      const body = toPickupRequest(request, contractIn(context));
      await Promise.all([refuseWhereNobodyComes(address, call), refuseDearer(request, call)]);
      const answer = await client.call({
        method: "POST",
        to: path(context),
        media_type: pickupMediaType,
        body,
        ...call,
        timeout_ms,
        steering: address.address2,
      });
      const known = fromPickupInfo(successOf(answer, "pickup-request-info"));
      if (!known) throw badAnswer(errorTable);
      return pickupOf(known, { date: request.date, fee: request.expected_fee });
    },

    async lookUp({ context, reference, look_up }, signal) {
      const call = { context, signal };
      const seen = await found(reference, call);
      const known = seen && fromPickupInfo(seen.details);
      if (!seen || !known) return null;
      const date = known.date ?? look_up.date;
      const fee = await price({ date, ...placeOf(seen.details) }, call);
      return { ...pickupOf(known, { date, fee }), cancelled: isCancelled(known.status) };
    },

    list: () => {
      throw new Error("Canada Post lists no pickups with our references");
    },

    async cancel({ context, carrier_pickup_id }, signal) {
      const call = { context, signal };
      const to = `${path(context)}/${encodeURIComponent(carrier_pickup_id)}`;
      const media_type = pickupMediaType;
      const answer = await client.call({ method: "DELETE", to, media_type, ...call, timeout_ms });
      if ((answer.status === 200 || answer.status === 204) && answer.bytes.length === 0) return;
      try {
        successOf(answer, "pickup-request-info");
      } catch (refusal) {
        // A second cancellation is refused: whether it is one, the request itself says.
        const details = await detailsOf(carrier_pickup_id, call).catch(() => null);
        const status = details && fromPickupInfo(details)?.status;
        if (!isCancelled(status ?? null)) throw refusal;
      }
    },
  };
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
