import type { CarrierPickups } from "../pickups.ts";
import { textIn } from "../protocol/json.ts";
import type { UspsClient } from "./client.ts";
import {
  fromCancelResponse,
  fromPickupResponse,
  onePickupPath,
  pickupPath,
  toPickupRequest,
} from "./pickups.ts";

/** USPS's pickups over HTTP. Each change of one names the state that it changes. */
export function uspsPickups(client: UspsClient, timeout_ms: number): CarrierPickups {
  return {
    async schedule(request, signal) {
      const { context, date, expected_fee } = request;
      const body = toPickupRequest(request);
      const call = { context, method: "POST", path: pickupPath, body, signal, timeout_ms } as const;
      const pickup = fromPickupResponse(await client.call(call));
      return {
        carrier_pickup_id: pickup.confirmation,
        confirmation_number: pickup.confirmation,
        // It costs nothing, by USPS's documents.
        fee: { amount_cents: 0, currency: expected_fee.currency },
        date: pickup.date ?? date,
        shared: false,
        carrier_data: { etag: pickup.etag },
      };
    },

    async lookUp() {
      return Promise.reject(new Error("USPS finds no pickup by a reference"));
    },

    async list() {
      return Promise.reject(new Error("USPS lists no pickups"));
    },

    async cancel({ context, carrier_pickup_id, carrier_data }, signal) {
      const path = onePickupPath(carrier_pickup_id);
      const limits = { context, path, signal, timeout_ms };
      const stored = textIn(carrier_data, "etag");
      const etag =
        stored ?? fromPickupResponse(await client.call({ ...limits, method: "GET" })).etag ?? "*";
      const headers = { "If-Match": etag };
      fromCancelResponse(await client.call({ ...limits, method: "DELETE", headers }));
    },
  };
}
