import { createHash } from "node:crypto";
import { Refusal } from "../refusal.ts";
import type { FreightConsignment, FreightPrice } from "./rating/price-freight.ts";
import { freightCost } from "./rating/price-freight.ts";

/**
 * A quote number describes itself: the minute of its issue and a digest of what it is for. So the carrier
 * stores no quotes, which have no effects, and recognises its own after a restart.
 */
export interface Quoted {
  carrier: string;
  /** The journal's: numbers of other journals are invalid here. */
  seed: string;
  rate: FreightPrice;
  consignment: FreightConsignment;
}

const validMinutes = 24 * 60;
/** Whoever records when a quote arrived may have another clock. */
const graceMinutes = 5;

/** The number of a quote issued now; the same one within the same minute. */
export function quoteNumber(quoted: Quoted, now: Date): string {
  const minute = Math.floor(now.getTime() / 60_000);
  return `Q${minute.toString(36).toUpperCase()}-${digest(quoted, minute)}`;
}

/** Refuses a number that has expired, or was never issued for this freight at this price. */
export function checkQuoteNumber(number: string, quoted: Quoted, now: Date): void {
  const [, minutes = "", digits = ""] = /^Q([0-9A-Z]{1,8})-([0-9A-F]{10})$/.exec(number) ?? [];
  const minute = Number.parseInt(minutes, 36);
  if (digits === "" || digits !== digest(quoted, minute)) {
    throw new Refusal(422, "quote_unknown", "We gave no such quote for this freight.");
  }
  if (now.getTime() / 60_000 > minute + validMinutes + graceMinutes) {
    throw new Refusal(422, "quote_expired", "The quote is older than 24 hours.");
  }
}

function digest({ carrier, seed, rate, consignment }: Quoted, minute: number): string {
  const { sender, recipient, currency } = consignment;
  const ends = [sender, recipient].map((end) => `${end.country_code} ${end.postal_code}`);
  const said = [carrier, seed, minute, rate.service_code, ...ends, freightCost(rate), currency];
  const hash = createHash("sha256").update(said.join("|")).digest("hex");
  return hash.slice(0, 10).toUpperCase();
}
