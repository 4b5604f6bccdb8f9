import { Compile } from "typebox/compile";
import type {
  CarrierPickup,
  CarrierPickups,
  FoundPickup,
  ListedPickup,
  PickupRequest,
} from "../pickups.ts";
import {
  WirePickupResponse,
  WirePickupListResponse,
  WirePickupsResponse,
  type WireListedPickup,
  type WirePickup,
  type WirePickupRequest,
} from "../simulator/pickups/wire.ts";
import type { CarrierClient } from "./client.ts";

const pickupShape = Compile(WirePickupResponse);
const pickupsShape = Compile(WirePickupsResponse);
const listShape = Compile(WirePickupListResponse);

/**
 * The pickups of a simulated carrier: the domain request in the simulator's format, and its responses in
 * the domain's.
 */
export function simulatedPickups(client: CarrierClient, timeout_ms: number): CarrierPickups {
  return {
    async schedule({ context, ...request }, signal) {
      const body = toPickupRequest(request);
      const { data } = await client.call(
        { method: "POST", path: "/pickups", body, context, signal, timeout_ms },
        { shape: pickupShape, fits: ({ data }) => data.reference === body.reference },
      );
      return fromPickup(data);
    },

    async lookUp({ reference, context }, signal) {
      const path = `/pickups?reference=${encodeURIComponent(reference)}`;
      const { data } = await client.call(
        { method: "GET", path, context, signal, timeout_ms },
        {
          shape: pickupsShape,
          fits: (answer) => answer.data.every((pickup) => pickup.reference === reference),
        },
      );
      return data[0] ? fromFoundPickup(data[0]) : null;
    },

    async list({ environment, since, cursor }, signal) {
      const query = new URLSearchParams({ since: since.toISOString(), cursor: cursor ?? "0" });
      const path = `/pickups/changes?${query.toString()}`;
      // No account's in particular: the contract with the carrier is the platform's.
      const context = { environment, account_id: "platform", connection: null };
      const { data, next_cursor } = await client.call(
        { method: "GET", path, context, signal, timeout_ms },
        { shape: listShape },
      );
      return {
        pickups: data.flatMap(fromListedPickup),
        next_cursor: next_cursor === null ? null : String(next_cursor),
      };
    },

    async cancel({ context, reference, carrier_pickup_id }, signal) {
      const path = `/pickups/${encodeURIComponent(carrier_pickup_id)}/cancel`;
      await client.call(
        { method: "POST", path, body: { reference }, context, signal, timeout_ms },
        {
          shape: pickupShape,
          fits: ({ data }) => data.reference === reference && data.cancelled,
        },
      );
    },
  };
}

function toPickupRequest({
  tracking_codes,
  ...request
}: Omit<PickupRequest, "context">): WirePickupRequest {
  return { ...request, tracking_codes: [...tracking_codes] };
}

function fromPickup({
  pickup_id,
  confirmation_number,
  fee_cents,
  currency,
  date,
  shared,
}: WirePickup): CarrierPickup {
  return {
    carrier_pickup_id: pickup_id,
    confirmation_number,
    fee: { amount_cents: fee_cents, currency },
    date,
    shared,
    carrier_data: null,
  };
}

function fromFoundPickup(pickup: WirePickup): FoundPickup {
  return { ...fromPickup(pickup), cancelled: pickup.cancelled };
}

/** Nothing for a pickup without Waybill's references. */
function fromListedPickup({ references, asked_at, ...pickup }: WireListedPickup): ListedPickup[] {
  if (!references) return [];
  const { reference, address, contact, ready_time, close_time } = pickup;
  const { instructions, tracking_codes } = pickup;
  return [
    {
      ...fromFoundPickup(pickup),
      reference,
      references,
      asked_at: new Date(asked_at),
      address,
      contact,
      ready_time,
      close_time,
      instructions,
      tracking_codes,
    },
  ];
}
