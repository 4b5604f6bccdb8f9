import { billableWeight, type BillableWeight } from "../../domain/goods/units.ts";
import type {
  AddOnCode,
  CarrierQuote,
  CarrierRate,
  CarrierService,
  ShipmentForCarrier,
} from "../carrier.ts";
import { refusePublished } from "../protocol/price-basis.ts";
import { compact } from "../protocol/json.ts";
import type { UpsAccount } from "./credentials.ts";
import { packageOptions, shipmentOptions } from "./options.ts";
import {
  dimensionsOf,
  packagingCodes,
  partyOf,
  recipientOf,
  unitsOf,
  weightOf,
} from "./parties.ts";
import type { RatedService } from "./rated-services.ts";

/** Prices: a shipment as UPS's `RateRequest`, and what UPS prices of it as rates. No I/O. */

export const ratePath = "/api/rating/v2409/Shop?additionalinfo=timeintransit";

export function toRateRequest(
  shipment: ShipmentForCarrier,
  { account, add_ons }: { account: UpsAccount; add_ons: readonly AddOnCode[] },
): object {
  const { from_address, to_address, return_address, is_return, packages, ship_date } = shipment;
  const units = unitsOf(from_address.country_code);
  const shipper = withoutContact(partyOf(is_return ? to_address : return_address));
  return {
    RateRequest: {
      Request: { RequestOption: "Shop", TransactionReference: { CustomerContext: "rate" } },
      // Rates of the account; UPS looks at the classification only where the shipment begins in its country.
      CustomerClassification: { Code: "00" },
      Shipment: compact({
        Shipper: { ...shipper, ShipperNumber: account.number },
        ShipTo: withoutContact(recipientOf(to_address)),
        ShipFrom: withoutContact(partyOf(from_address)),
        PaymentDetails: {
          ShipmentCharge: [{ Type: "01", BillShipper: { AccountNumber: account.number } }],
        },
        NumOfPieces: String(packages.length),
        Package: packages.map((parcel) =>
          compact({
            PackagingType: { Code: packagingCodes[parcel.package_type] },
            Dimensions: dimensionsOf(parcel, units),
            PackageWeight: weightOf(parcel, units),
            PackageServiceOptions: packageOptions(shipment, parcel, add_ons),
          }),
        ),
        ShipmentServiceOptions: shipmentOptions(shipment, add_ons),
        ShipmentRatingOptions: account.asks_negotiated ? { NegotiatedRatesIndicator: "Y" } : null,
        DeliveryTimeInformation: {
          PackageBillType: "03",
          Pickup: { Date: ship_date.replaceAll("-", "") },
        },
      }),
    },
  };
}

/** Phones and e-mail addresses are no part of a price; its states have two letters, or none. */
function withoutContact({ Name, AttentionName, Address }: ReturnType<typeof partyOf>) {
  const { StateProvinceCode, ...address } = Address;
  const state = StateProvinceCode?.length === 2 ? { StateProvinceCode } : {};
  return { Name, AttentionName, Address: { ...address, ...state } };
}

/** The same shipment priced with one extra more; empty where UPS does not sell it. */
export interface PricedAddOn {
  code: AddOnCode;
  rated: readonly RatedService[];
}

/**
 * Each of the services once. An extra costs the difference that it makes, so that what depends on the price,
 * such as fuel, is in it.
 */
export function toQuote(
  shipment: ShipmentForCarrier,
  services: readonly CarrierService[],
  {
    account,
    rated,
    add_ons,
  }: { account: UpsAccount; rated: readonly RatedService[]; add_ons: readonly PricedAddOn[] },
): CarrierQuote {
  const quote: CarrierQuote = { rates: [], unavailable: [] };
  for (const service of services) {
    const own = ofService(rated, service.carrier_service_code, "not_on_saturday");
    if (own) quote.rates.push(toRate(shipment, service, { own, add_ons }));
    else quote.unavailable.push(noRate(service));
  }
  return account.asks_negotiated
    ? refusePublished(quote, { stated: rated, carrier_name: "UPS" })
    : quote;
}

/** The service's price of the wanted kind, where it has several. */
function ofService(
  rated: readonly RatedService[],
  code: string,
  wanted: "on_saturday" | "not_on_saturday",
): RatedService | undefined {
  const own = rated.filter((each) => each.code === code);
  return own.find(({ on_saturday }) => on_saturday === (wanted === "on_saturday")) ?? own[0];
}

function toRate(
  { packages }: ShipmentForCarrier,
  service: CarrierService,
  { own, add_ons }: { own: RatedService; add_ons: readonly PricedAddOn[] },
): CarrierRate {
  const { cost, price_basis, surcharges, days, date, weight, zone } = own;
  const offered: readonly AddOnCode[] = "add_ons" in service ? service.add_ons : [];
  const extras = surcharges.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
  return {
    service: service.code,
    currency: cost.currency,
    price_basis,
    base_cents: cost.amount_cents - extras,
    surcharges,
    add_ons: add_ons.flatMap(({ code, rated }) => {
      const wanted = code === "saturday_delivery" || own.on_saturday;
      const priced = ofService(rated, own.code, wanted ? "on_saturday" : "not_on_saturday");
      const isSame = priced?.price_basis === price_basis && priced.cost.currency === cost.currency;
      if (!offered.includes(code) || !isSame) return [];
      const cost_cents = priced.cost.amount_cents - cost.amount_cents;
      return cost_cents >= 0 ? [{ code, cost_cents, required: false }] : [];
    }),
    estimated_delivery_days: days,
    estimated_delivery_date: date,
    billable_weight: weight ? basedOn(weight, packages) : billableWeight(packages),
    zone,
  };
}

function basedOn(weight: BillableWeight, packages: ShipmentForCarrier["packages"]): BillableWeight {
  return { ...weight, basis: billableWeight(packages).basis };
}

function noRate({ code }: CarrierService): CarrierQuote["unavailable"][number] {
  const message = "UPS has no rate for this service here.";
  return { service: code, reason: "no_rate_for_lane", message };
}
