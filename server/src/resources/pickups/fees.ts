import type { CarrierPickup, SentPickup } from "../../carriers/pickups.ts";
import type { Environment, Tx } from "../../database/tables.ts";
import type { Address } from "../../domain/addresses/address.ts";
import type { Cents } from "../../domain/values/money.ts";
import { exchanged } from "../../domain/values/exchange.ts";
import { taxLines } from "../../domain/pricing/tax.ts";
import { capture, post } from "../../ledger/ledger.ts";
import type { Attempt } from "../../outbound/operation.ts";
import type { PartRow } from "../../shipping/pickups/store.ts";

/**
 * What a carrier's pickup costs the account: the carrier's own fee without a margin, and the tax of its
 * location. Paid once the carrier has confirmed, refunded in full once it is cancelled.
 */
export interface PickupPrice {
  subtotal_cents: Cents;
  tax_cents: Cents;
  total_cents: Cents;
  currency: string;
}

export function priceOf(
  feeCents: Cents,
  { address, currency, now }: { address: Address; currency: string; now: Date },
): PickupPrice {
  const lane = {
    from_country_code: address.country_code,
    to_country_code: address.country_code,
    to_province_code: address.province_code,
  };
  const taxes = taxLines(lane, feeCents, now);
  const tax_cents = taxes.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
  return { subtotal_cents: feeCents, tax_cents, total_cents: feeCents + tax_cents, currency };
}

/** All that the end of one carrier's booking needs to know, stored before the carrier is called. */
export interface PickupBookingInput {
  pickup_id: string;
  carrier: string;
  environment: Environment;
  /** The carrier's maximum charge: one that charges more is cancelled. */
  expected_fee_cents: Cents;
  price: PickupPrice;
  /** The carrier's, where it is not the account's. */
  fee_currency?: string;
  /** By this the carrier's charge becomes a cost in the books: 0 where it bills the merchant. */
  fee_rate?: number;
  /** Absent where the pickup is free of charge. */
  hold_id?: string;
  /** How the carrier is asked for it later. Absent in bookings begun before it was kept. */
  look_up?: SentPickup["look_up"] & { connection_id: string | null };
}

/** The carrier's charge in the account's currency, which the books are in. */
export function bookedFeeCents(
  { fee_rate = 1, expected_fee_cents }: PickupBookingInput,
  { fee }: CarrierPickup,
): Cents {
  return exchanged(fee?.amount_cents ?? expected_fee_cents, fee_rate);
}

/** Debits the account for the pickup, by capturing the hold. Nothing without a hold. */
export async function payFee(
  tx: Tx,
  paid: {
    attempt: Attempt<PickupBookingInput>;
    carrier_name: string;
    pickup: CarrierPickup;
    at: Date;
  },
): Promise<void> {
  const { account_id, input } = paid.attempt;
  const { pickup_id, carrier, hold_id, price } = input;
  const { confirmation_number } = paid.pickup;
  if (!hold_id) return;
  const feeCents = bookedFeeCents(input, paid.pickup);
  await capture(tx, hold_id, {
    account_id,
    type: "fee",
    subtotal_cents: price.subtotal_cents,
    tax_cents: price.tax_cents,
    currency: price.currency,
    description: `Pickup by ${paid.carrier_name} ${confirmation_number}`,
    shipment_id: null,
    details: { pickup_id, carrier, confirmation_number },
    entries: [
      { book: "credits", amount_cents: -price.total_cents },
      { book: "postage_revenue", amount_cents: price.subtotal_cents },
      { book: "tax_payable", amount_cents: price.tax_cents },
      // The carrier's charge, which may be less than its published fee.
      { book: "carrier_costs", amount_cents: -feeCents },
      { book: "carrier_payable", amount_cents: feeCents },
    ],
    at: paid.at,
  });
}

/** Credits what the part has cost: the reverse of its debit. Nothing where it cost nothing. */
export async function giveFeeBack(
  tx: Tx,
  part: PartRow,
  { carrier_name, currency, at }: { carrier_name: string; currency: string; at: Date },
): Promise<void> {
  const { account_id, pickup_id, carrier, fee_cents, tax_cents, carrier_fee_cents } = part;
  if (fee_cents + tax_cents === 0) return;
  await post(tx, {
    account_id,
    type: "fee",
    subtotal_cents: fee_cents,
    tax_cents,
    currency,
    description: `Cancelled pickup by ${carrier_name} ${part.confirmation_number ?? ""}`.trim(),
    shipment_id: null,
    details: { pickup_id, carrier, confirmation_number: part.confirmation_number },
    entries: [
      { book: "credits", amount_cents: fee_cents + tax_cents },
      { book: "postage_revenue", amount_cents: -fee_cents },
      { book: "tax_payable", amount_cents: -tax_cents },
      { book: "carrier_costs", amount_cents: carrier_fee_cents },
      { book: "carrier_payable", amount_cents: -carrier_fee_cents },
    ],
    at,
  });
}
