import type { HttpAnswer } from "../../transport/http-call.ts";
import type { PickupRequest } from "../pickups.ts";
import { classify } from "../protocol/classify.ts";
import { compact, dayIn, textIn } from "../protocol/json.ts";
import { errorTable, refusalText, saysCancelled, successOf, unreadable } from "./errors.ts";
import { addresseeOf, plain, streetOf, zipOf } from "./parties.ts";

/** Pickups in USPS's form: with the carrier's daily round, free of charge. No I/O. */

export const pickupPath = "/pickup/v3/carrier-pickup";

export function onePickupPath(confirmation: string): string {
  return `${pickupPath}/${encodeURIComponent(confirmation)}`;
}

export function toPickupRequest(request: PickupRequest): object {
  const { address, contact, date, package_count, weight_grams, instructions } = request;
  const who = addresseeOf({ ...address, name: contact.name ?? address.name });
  return {
    pickupDate: date,
    pickupAddress: compact({
      ...who,
      address: compact({ ...streetOf(address), state: address.province_code, ...zipOf(address) }),
      contact: contact.email ? [{ email: contact.email.slice(0, 50) }] : null,
    }),
    packages: [{ packageType: "OTHER", packageCount: package_count }],
    // Whole pounds.
    estimatedWeight: Math.max(1, Math.ceil(weight_grams / 453.59237)),
    pickupLocation: compact({
      packageLocation: instructions ? "OTHER" : "FRONT_DOOR",
      specialInstructions: instructions ? plain(instructions).slice(0, 255) : null,
    }),
  };
}

export interface NewPickup {
  confirmation: string;
  date: string | null;
  /** Of the state of the pickup: a change of it names the state that it changes. */
  etag: string | null;
}

/** The pickup that was scheduled, or is there. Throws the `CarrierError` of every other answer. */
export function fromPickupResponse(answer: HttpAnswer): NewPickup {
  const body = successOf(answer);
  const confirmation = textIn(body, "confirmationNumber");
  if (confirmation === null || confirmation.length > 100) throw unreadable();
  return { confirmation, date: dayIn(body, "pickupDate"), etag: textIn(answer.headers, "etag") };
}

/** What was cancelled before is cancelled. Throws the `CarrierError` of every other answer. */
export function fromCancelResponse(answer: HttpAnswer): void {
  if (saysCancelled(refusalText(answer))) return;
  if (answer.status < 200 || answer.status > 299) throw classify(errorTable, answer);
  if (errorTable.read(answer)) throw classify(errorTable, answer);
  // Its documents have no body.
  if (answer.bytes.length > 0) throw unreadable();
}
