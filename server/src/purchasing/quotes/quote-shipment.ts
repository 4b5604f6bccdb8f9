import { createHash } from "node:crypto";
import type { ShipmentForCarrier } from "../../carriers/carrier.ts";
import type { AccountContext } from "../../context.ts";
import type { Config } from "../../config.ts";
import type { CapturedRate } from "../../domain/pricing/captured-rate.ts";
import { aboutSubject } from "../../domain/logs/call-subject.ts";
import { isPoBox } from "../../domain/addresses/po-box.ts";
import { priceRate } from "../../domain/pricing/pricing.ts";
import {
  compareRates,
  type AddOnCode,
  type ExcludedService,
  type Rate,
} from "../../domain/pricing/rate.ts";
import type { ShipmentType } from "../../domain/shipments/shipment-status.ts";
import { quote } from "../../quoting/quote.ts";
import type { ShipmentRow } from "../../shipping/shipments/store.ts";

/** What quoting needs of a shipment: a stored one, or one that exists only for this request. */
export type QuotableShipment = Pick<
  ShipmentRow,
  | "type"
  | "from_address"
  | "to_address"
  | "return_address"
  | "is_return"
  | "packages"
  | "handling_units"
  | "pickup"
  | "delivery"
  | "items"
  | "contents_type"
  | "incoterm"
  | "reference"
  | "add_ons"
  | "signature_confirmation"
  | "insured_value_cents"
  | "rule_terms"
> & {
  /** Of a stored one. */
  id?: string;
};

interface QuoteOptions {
  timeout_seconds?: number | null;
  estimated?: boolean;
  only_service?: string;
}

interface ShipmentQuote {
  captured: CapturedRate[];
  excluded: ExcludedService[];
  timeout_seconds: number;
}

/** Asks every carrier of the account (or the one of `only_service`) for rates of the shipment. */
export async function quoteShipment(
  ctx: AccountContext,
  shipment: QuotableShipment,
  options: QuoteOptions = {},
): Promise<ShipmentQuote> {
  const { account, config, clock, carriers, metrics, log } = ctx;
  const { account_id, environment, currency, settings } = account;
  const about = {
    request_id: ctx.request_id,
    shipment_id: shipment.id ?? null,
    keeps_bodies: settings.request_log_bodies === "on",
  };
  const connections = await ctx.connections.inForce(account);
  const asked = () =>
    quote(
      {
        context: { account_id, environment },
        connections,
        shipment: shipmentForCarrier(shipment, clock.now()),
        to_po_box: isPoBox(shipment.to_address),
        add_ons: wantedAddOns(shipment),
        insured_value:
          shipment.insured_value_cents === null ? null : shipment.insured_value_cents / 100,
        estimated: options.estimated ?? false,
        currency,
        exchange: {
          fresh: () => ctx.exchange.fresh(),
          margin_percent: settings.exchange_margin_percent ?? config.exchange_margin_percent,
        },
        disabled_services: settings.disabled_services,
        rule_terms: shipment.rule_terms,
        only_service: options.only_service ?? null,
        timeout_seconds: options.timeout_seconds ?? config.rate_timeout_seconds,
        valid_minutes: validMinutes(config, shipment.type),
      },
      {
        carriers: carriers.all,
        clock,
        log,
        onCarrierCall: (carrier, operation) => metrics.carrier_calls.inc({ carrier, operation }),
      },
    );
  const quoted = await aboutSubject(about, asked);
  return {
    captured: quoted.rates,
    excluded: quoted.excluded,
    timeout_seconds: quoted.timeout_seconds,
  };
}

/** How long a quote may be bought (decision 7). */
export function validMinutes(config: Config, type: ShipmentType): number {
  return type === "ltl" ? config.ltl_rate_valid_minutes : config.rate_valid_minutes;
}

/** Add-ons that the shipment itself requests: its rates include them. */
export function wantedAddOns(
  shipment: Pick<QuotableShipment, "add_ons" | "signature_confirmation">,
): AddOnCode[] {
  const signature =
    shipment.signature_confirmation === null ? [] : [shipment.signature_confirmation];
  return [...new Set([...shipment.add_ons, ...signature])] as AddOnCode[];
}

/** The response of a rates call: priced for the account, cheapest first. */
export function toRatesResponse(
  ctx: AccountContext,
  shipment: QuotableShipment,
  quoted: ShipmentQuote,
) {
  return {
    data: priceAll(ctx, shipment, quoted.captured),
    meta: {
      timeout_seconds: quoted.timeout_seconds,
      // A service that the account switched off does not exist for it.
      excluded_services: quoted.excluded.filter(({ reason }) => reason !== "service_disabled"),
    },
  };
}

function priceAll(
  ctx: AccountContext,
  shipment: QuotableShipment,
  captured: readonly CapturedRate[],
): Rate[] {
  const terms = {
    settings: ctx.account.settings,
    add_ons: wantedAddOns(shipment),
    now: ctx.clock.now(),
  };
  return captured.map((each) => priceRate(each, terms).rate).sort(compareRates);
}

/** What a carrier gets to know of the shipment. */
export function shipmentForCarrier(shipment: QuotableShipment, now: Date): ShipmentForCarrier {
  const {
    from_address,
    to_address,
    return_address,
    is_return,
    packages,
    items,
    contents_type,
    incoterm,
    reference,
  } = shipment;
  return {
    from_address,
    to_address,
    return_address,
    is_return,
    packages,
    items,
    contents_type,
    incoterm,
    reference,
    ship_date: shipment.pickup?.date ?? now.toISOString().slice(0, 10),
    ...freightOf(shipment),
  };
}

function freightOf({ type, handling_units, pickup, delivery }: QuotableShipment) {
  if (type !== "ltl" || !pickup || !delivery) return {};
  return { freight: { handling_units, pickup, delivery } };
}

/**
 * Sixteen characters that differ when the shipped goods differ, independent of the time: they show whether a
 * label found at a carrier is of the shipment as this database has it. The merchant's own reference is not
 * part of it.
 */
export function shipmentDigest(shipment: QuotableShipment): string {
  const {
    ship_date: _date,
    reference: _reference,
    ...shipped
  } = shipmentForCarrier(shipment, new Date());
  return digestOf(shipped);
}

/** Sixteen characters that differ when the data does, in whatever order its fields are. */
export function digestOf(data: object): string {
  const text = JSON.stringify(data, (_key, value: unknown) => sortedByName(value));
  return createHash("sha256").update(text).digest("base64url").slice(0, 16);
}

function sortedByName(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
