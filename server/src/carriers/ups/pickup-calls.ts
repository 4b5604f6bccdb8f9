import { CarrierError } from "../carrier.ts";
import { classify } from "../protocol/classify.ts";
import { connectionOf } from "../protocol/rest-client.ts";
import type { CarrierPickups } from "../pickups.ts";
import { accountOf } from "./credentials.ts";
import type { UpsClient } from "./client.ts";
import { errorTable } from "./errors.ts";
import {
  cancelPath,
  fromCancelResponse,
  fromPendingResponse,
  fromPickupResponse,
  pendingPath,
  pickupPath,
  toPickupRequest,
  type PendingPickup,
} from "./pickups.ts";
import type { CallContext } from "../carrier.ts";

/** UPS's pickups over HTTP. */
export function upsPickups(client: UpsClient, timeout_ms: number): CarrierPickups {
  async function pending(context: CallContext, signal: AbortSignal): Promise<PendingPickup[]> {
    const { number } = accountOf(connectionOf(errorTable, context));
    const answer = await client.call({
      context,
      method: "GET",
      path: pendingPath,
      headers: { AccountNumber: number },
      signal,
      timeout_ms,
    });
    if (answer.status !== 200 && nothingPending.has(errorTable.read(answer)?.code ?? "")) return [];
    return fromPendingResponse(answer);
  }

  return {
    async schedule(request, signal) {
      const { context, reference, date } = request;
      const account = accountOf(connectionOf(errorTable, context));
      const body = toPickupRequest(request, account);
      const call = { context, method: "POST", path: pickupPath, body, signal, timeout_ms } as const;
      const { prn, fee } = fromPickupResponse(await client.call(call));
      // UPS may come on a later day, and at an address with a pickup answers that one's number. What it did
      // is only listed; a list that fails does not undo it.
      const all = await pending(context, signal).catch((error: unknown) => {
        if (error instanceof CarrierError) return [];
        throw error;
      });
      const own = all.filter((each) => each.prn === prn);
      return {
        carrier_pickup_id: prn,
        confirmation_number: prn,
        fee,
        date: own.find((each) => each.date !== null)?.date ?? date,
        shared: own.some((each) => each.reference !== null && each.reference !== reference),
        carrier_data: null,
      };
    },

    async lookUp({ context, reference, look_up }, signal) {
      const all = await pending(context, signal);
      const found = all.find((each) => each.reference === reference);
      if (!found) return null;
      const { prn, date } = found;
      const others = all.filter((each) => each.prn === prn && each.reference !== reference);
      return {
        carrier_pickup_id: prn,
        confirmation_number: prn,
        // The list states no price.
        fee: null,
        date: date ?? look_up.date,
        shared: others.length > 0,
        carrier_data: null,
        cancelled: false,
      };
    },

    async list() {
      return Promise.reject(new Error("UPS lists no pickups"));
    },

    async cancel({ context, carrier_pickup_id }, signal) {
      const answer = await client.call({
        context,
        method: "DELETE",
        path: cancelPath,
        headers: { Prn: carrier_pickup_id },
        signal,
        timeout_ms,
      });
      const code = answer.status === 200 ? null : errorTable.read(answer)?.code;
      if (code && cancelledCodes.has(code)) return;
      if (code) throw classify(errorTable, answer);
      fromCancelResponse(answer);
    },
  };
}

/** UPS's error for an account without a pending pickup (other projects' lists of its codes). */
const nothingPending = new Set(["9510112", "9510113"]);
/** The pickup was cancelled before (other projects' lists). */
const cancelledCodes = new Set(["9510116"]);
