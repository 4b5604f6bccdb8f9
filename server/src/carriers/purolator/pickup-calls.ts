import { CarrierError, type CallContext } from "../carrier.ts";
import type { CarrierPickup, CarrierPickups } from "../pickups.ts";
import { badAnswer } from "../protocol/classify.ts";
import { connectionOf } from "../protocol/rest-client.ts";
import { isTrueAt, xml } from "../protocol/xml.ts";
import { accountOf } from "./credentials.ts";
import { errorTable, successOf } from "./errors.ts";
import {
  fromHistory,
  fromSchedulePickup,
  inHistory,
  toHistoryRequest,
  toPickupRequest,
} from "./pickups.ts";
import type { SoapClient } from "./soap.ts";

const timeout_ms = 20_000;

interface Call {
  context: CallContext;
  signal: AbortSignal;
}

/** Pickups: requested, found in the history of their day, cancelled by their number. */
export function purolatorPickups(client: SoapClient): CarrierPickups {
  return {
    async schedule(request, signal) {
      const { context, reference, date } = request;
      const body = toPickupRequest(request, accountOf(connectionOf(errorTable, context)));
      const operation = "SchedulePickUp";
      const call = {
        service: "pickups",
        operation,
        request: body,
        reference,
        context,
        signal,
        timeout_ms,
      } as const;
      const number = fromSchedulePickup(successOf(await client.call(call), `${operation}Response`));
      if (number === null) throw badAnswer(errorTable);
      return pickupOf(number, date);
    },

    async lookUp({ context, reference, look_up: { date } }, signal) {
      const found = fromHistory(await history(client, date, { context, signal }), reference);
      if (!found) return null;
      return {
        ...pickupOf(found.confirmation_number, found.date ?? date),
        cancelled: found.cancelled,
      };
    },

    list: () => {
      throw new Error("Purolator lists no pickups with our references");
    },

    async cancel({ context, carrier_pickup_id, date }, signal) {
      const operation = "VoidPickUp";
      const request = [xml("PickUpConfirmationNumber", carrier_pickup_id)];
      const call = { service: "pickups", operation, request, context, signal, timeout_ms } as const;
      const answer = await client.call(call);
      try {
        const result = successOf(answer, `${operation}Response`);
        if (isTrueAt(result, "PickUpVoided")) return;
        throw badAnswer(errorTable);
      } catch (refusal) {
        // A second cancellation is refused: whether it is one, the history says.
        const known = await history(client, date, { context, signal })
          .then((result) => inHistory(result, carrier_pickup_id))
          .catch((error: unknown) => {
            if (error instanceof CarrierError) return null;
            throw error;
          });
        if (!known?.cancelled) throw refusal;
      }
    },
  };
}

async function history(client: SoapClient, date: string, { context, signal }: Call) {
  const account = accountOf(connectionOf(errorTable, context));
  const operation = "GetPickUpHistory";
  const request = toHistoryRequest(date, account);
  const call = { service: "pickups", operation, request, context, signal, timeout_ms } as const;
  return successOf(await client.call(call), `${operation}Response`);
}

/** Purolator charges nothing for a pickup that it takes, and names no fee. */
function pickupOf(number: string, date: string): CarrierPickup {
  return {
    carrier_pickup_id: number,
    confirmation_number: number,
    fee: null,
    date,
    shared: false,
    carrier_data: null,
  };
}
