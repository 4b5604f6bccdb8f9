import type { Rate } from "@waybill/sdk";

/** How the service is found of shipments that name none. */
export const strategies = ["cheapest", "cheapest_tracked", "fastest"] as const;
export type Strategy = (typeof strategies)[number];

/** What one shipment would cost by each strategy; null where no service would do. */
export type Prices = Record<Strategy, number | null>;

/**
 * Of the rates of one shipment, which come cheapest first, what would be bought: of the service that the shipment
 * names itself, else of the strategy's choice. A shipment may name a strategy, too.
 */
export function pricesOf(rates: readonly Rate[], named: string | null): Prices {
  const totalBy = (service: string) => rateOf(rates, service)?.total ?? null;
  return Object.fromEntries(strategies.map((each) => [each, totalBy(named ?? each)])) as Prices;
}

function rateOf(rates: readonly Rate[], service: string): Rate | undefined {
  if (service === "cheapest") return rates[0];
  if (service === "cheapest_tracked") return rates.find(({ trackable }) => trackable);
  if (service === "fastest") return [...rates].sort((one, other) => daysOf(one) - daysOf(other))[0];
  return rates.find((rate) => rate.service === service);
}

function daysOf({ estimated_delivery_days }: Rate): number {
  return estimated_delivery_days ?? Number.MAX_SAFE_INTEGER;
}

interface Sum {
  total: number;
  /** How many labels the total is of. */
  priced: number;
  /** For how many no service would do. */
  without_service: number;
}

/**
 * The sum over shipments, in whole cents: fractions of a dollar do not add up exactly. It is the one sum that no
 * answer of the API has, because nothing is bought yet.
 */
export function sumOf(all: readonly Prices[], strategy: Strategy): Sum {
  const totals = all.map((prices) => prices[strategy]).filter((total) => total !== null);
  const cents = totals.reduce((sum, total) => sum + centsOf(total), 0);
  return {
    total: cents / 100,
    priced: totals.length,
    without_service: all.length - totals.length,
  };
}

/** What a balance has left after a total; below 0 where it does not cover it. */
export function leftOf(balance: number, total: number): number {
  return (centsOf(balance) - centsOf(total)) / 100;
}

function centsOf(amount: number): number {
  return Math.round(amount * 100);
}
