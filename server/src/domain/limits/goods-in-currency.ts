import type { Item, Package } from "../goods/parcel.ts";
import { itemsIn, packagesIn, type Money } from "./declared-value.ts";

interface Goods {
  packages: readonly Package[];
  items: readonly Item[];
}

/** The currency that a carrier's prices and declared values are in: its own, or whichever it is asked for. */
interface Biller {
  bills_in?: string;
}

/**
 * A shipment with its values as a carrier takes them (decision 26): declared values in the currency that it
 * bills in, and customs lines in one currency.
 */
export function goodsIn<S extends Goods>(shipment: S, { bills_in }: Biller, money: Money): S {
  const to = bills_in ?? money.currency;
  return {
    ...shipment,
    packages: packagesIn(shipment.packages, to, money),
    items: itemsIn(shipment.items, {
      to,
      is_only: bills_in !== undefined,
      exchange: money.exchange,
    }),
  };
}

/** Whether exchange rates are needed to state the shipment's values to this carrier in the account's terms. */
export function needsRates(
  { packages, items }: Goods,
  { bills_in }: Biller,
  accountCurrency: string,
): boolean {
  const to = bills_in ?? accountCurrency;
  const declared = packages.filter(({ declared_value }) => declared_value);
  const inLines = new Set(items.map(({ currency }) => currency));
  return (
    declared.some(({ currency }) => (currency ?? accountCurrency) !== to) ||
    declared.some(({ currency }) => (currency ?? accountCurrency) !== accountCurrency) ||
    inLines.size > 1 ||
    (bills_in !== undefined && items.some(({ currency }) => currency !== bills_in))
  );
}
