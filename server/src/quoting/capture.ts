import { Type } from "typebox";
import { Compile } from "typebox/compile";
import type {
  CarrierConnection,
  CarrierDescriptor,
  CarrierRate,
  CarrierService,
} from "../carriers/carrier.ts";
import { postageCostCents, type CapturedRate } from "../domain/pricing/captured-rate.ts";
import { convertPrice, withoutPrice } from "../domain/pricing/convert-rate.ts";
import type { ExchangeTable } from "../domain/values/exchange-table.ts";
import { declaredTotalCents } from "../domain/limits/declared-value.ts";
import { accessorials } from "../domain/goods/freight.ts";
import { newId } from "../domain/values/ids.ts";
import { toCents, type Cents } from "../domain/values/money.ts";
import { addOnCodes } from "../domain/pricing/rate.ts";
import { Nullable, OneOf } from "../domain/values/schema.ts";
import type { QuoteInput } from "./quote-input.ts";

/** Above 100,000.00 a courier's price is a mistake, and the arithmetic stays far from its limits. */
const maxCents = 10_000_000;

/** A carrier's response is untrusted data, whatever its type says. */
const soundRate = Compile(
  Type.Object({
    currency: Type.String(),
    base_cents: Type.Integer({ minimum: 0, maximum: maxCents }),
    surcharges: Type.Array(
      Type.Object({
        code: Type.String(),
        name: Type.String(),
        // A discount is a surcharge below zero.
        amount_cents: Type.Integer({ minimum: -maxCents, maximum: maxCents }),
      }),
    ),
    add_ons: Type.Array(
      Type.Object({
        code: OneOf(addOnCodes),
        cost_cents: Type.Integer({ minimum: 0, maximum: maxCents }),
        required: Type.Boolean(),
      }),
    ),
    estimated_delivery_days: Nullable(Type.Integer({ minimum: 0, maximum: 365 })),
    estimated_delivery_date: Nullable(Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$" })),
    billable_weight: Type.Object({
      value: Type.Number({ minimum: 0 }),
      unit: OneOf(["kg", "lbs"]),
      basis: OneOf(["actual", "volumetric"]),
    }),
    zone: Nullable(Type.String()),
    freight: Type.Optional(
      Type.Object({
        quote_number: Type.String({ minLength: 1, maxLength: 100 }),
        accessorials: Type.Array(OneOf(accessorials)),
      }),
    ),
  }),
);

/**
 * Whether a rate is plausible: of the right form, with a price between one cent and the maximum, and for
 * freight with the number that a booking has to name.
 */
export function isSound(rate: CarrierRate, { input }: Pick<Capture, "input">): boolean {
  if (!soundRate.Check(rate)) return false;
  if (input.shipment.freight !== undefined && rate.freight === undefined) return false;
  const cost = postageCostCents(rate);
  const codes = rate.add_ons.map((addOn) => addOn.code);
  return cost >= 1 && cost <= maxCents && new Set(codes).size === codes.length;
}

export interface Capture {
  carrier: CarrierDescriptor;
  service: CarrierService;
  input: QuoteInput;
  now: Date;
  exchange: ExchangeTable;
  /** That the carrier was asked on. */
  connection: CarrierConnection | null;
}

/**
 * Turns a carrier's valid rate into what is stored: plain data, with an id and an expiry. Null for one in a
 * currency without an exchange rate to the account's.
 */
export function capture(rate: CarrierRate, about: Capture): CapturedRate | null {
  const { carrier, service, input, now, exchange } = about;
  const { from_address, to_address, packages, freight } = input.shipment;
  const declaredCents = declaredValueCents(input, exchange);
  // Add-ons that the descriptor does not promise cannot be bought, whatever the carrier offers today. Nor
  // can cover for a value that has no amount in the account's currency.
  const add_ons = rate.add_ons.filter(
    ({ code }) =>
      service.add_ons.includes(code) && (code !== "protection" || declaredCents !== null),
  );
  const price = priceOf({ ...rate, add_ons }, about);
  if (!price) return null;
  return {
    id: newId("rat", now),
    expires_at: new Date(now.getTime() + input.valid_minutes * 60_000).toISOString(),
    estimated: input.estimated,
    carrier: { code: carrier.code, name: carrier.name, scac: carrier.scac },
    service: service.code,
    service_name: service.name,
    postage_type_id: service.postage_type_id,
    package_type: freight?.handling_units[0]?.type ?? packages[0]?.package_type ?? "parcel",
    trackable: service.trackable,
    pickup_supported: service.pickup_supported,
    ...price,
    declared_value_cents: declaredCents ?? 0,
    taxed_lane: {
      from_country_code: from_address.country_code,
      to_country_code: to_address.country_code,
      to_province_code: to_address.province_code,
    },
    estimated_delivery_days: rate.estimated_delivery_days,
    estimated_delivery_date: rate.estimated_delivery_date,
    billable_weight: rate.billable_weight,
    zone: rate.zone,
    ...(rate.freight ? { freight: rate.freight } : {}),
  };
}

/**
 * The carrier's price as the account pays it; null where it cannot be converted. On an account's own connection
 * the carrier bills the merchant, and the account pays nothing of it.
 */
function priceOf(
  { currency, base_cents, surcharges, add_ons }: CarrierRate,
  { input, exchange, connection }: Capture,
): Pick<CapturedRate, PriceFields> | null {
  const price = { currency, base_cents, surcharges, add_ons };
  if (connection?.origin === "account")
    return { ...withoutPrice(price, input.currency), connection_id: connection.id };
  const on = connection ? { connection_id: connection.id } : {};
  if (currency === input.currency) return { ...price, ...on };
  const market = exchange.find(currency, input.currency);
  return market && { ...convertPrice(price, market, input.exchange.margin_percent), ...on };
}

type PriceFields =
  | "currency"
  | "base_cents"
  | "surcharges"
  | "add_ons"
  | "charged"
  | "exchange"
  | "cost_rate"
  | "billed_by"
  | "connection_id";

/**
 * The shipment's insured value, else its packages' declared values; null when one of these has no exchange rate.
 */
function declaredValueCents(
  { insured_value, shipment, currency }: QuoteInput,
  exchange: ExchangeTable,
): Cents | null {
  if (insured_value !== null) return toCents(insured_value);
  return declaredTotalCents(shipment.packages, { currency, exchange });
}
