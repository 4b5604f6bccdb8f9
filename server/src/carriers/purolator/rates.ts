import { billableWeight } from "../../domain/goods/units.ts";
import { isDay } from "../../domain/validation/validation.ts";
import type {
  AddOnCode,
  CarrierQuote,
  CarrierRate,
  CarrierService,
  ShipmentForCarrier,
} from "../carrier.ts";
import { centsOf } from "../protocol/amount.ts";
import {
  surchargesOf,
  toCarrierQuote,
  type ReadPrice,
  type ReadRate,
} from "../protocol/read-rate.ts";
import { all, textAt, xml, type XmlElement, type XmlOutput } from "../protocol/xml.ts";
import type { Account } from "./credentials.ts";
import { shipmentOf } from "./shipments.ts";

/** Prices: a shipment as Purolator's `GetFullEstimate`, and its estimates as rates. No I/O. */

export function toEstimateRequest(
  shipment: ShipmentForCarrier,
  asked: {
    service: string;
    add_ons: readonly AddOnCode[];
    account: Account;
    all_services: boolean;
  },
): XmlOutput[] {
  return [
    shipmentOf(shipment, { ...asked, references: [] }),
    xml("ShowAlternativeServicesIndicator", asked.all_services),
  ];
}

/** The estimates of an answer; null for a service whose price cannot be read. Taxes are no part of a cost. */
export function fromEstimates(result: XmlElement): ReadRate[] {
  return all(result, "ShipmentEstimates/ShipmentEstimate").flatMap((entry) => {
    const service_code = textAt(entry, "ServiceID");
    return service_code === null ? [] : [{ service_code, price: estimateOf(entry) }];
  });
}

function estimateOf(entry: XmlElement): ReadPrice | null {
  const base_cents = centsOf(textAt(entry, "BasePrice"));
  const surcharges = surchargesOf([
    ...all(entry, "Surcharges/Surcharge").map((line) => lineOf(line, "Type")),
    ...all(entry, "OptionPrices/OptionPrice").map((line) => lineOf(line, "ID")),
  ]);
  if (base_cents === null || base_cents < 0 || surcharges === null) return null;
  const days = textAt(entry, "EstimatedTransitDays");
  const date = textAt(entry, "ExpectedDeliveryDate");
  return {
    base_cents,
    surcharges,
    transit_days: days !== null && /^\d{1,3}$/.test(days) ? Number(days) : null,
    delivery_date: date !== null && isDay(date) ? date : null,
  };
}

function lineOf(line: XmlElement, code: "Type" | "ID"): CarrierRate["surcharges"][number] | null {
  const amount_cents = centsOf(textAt(line, "Amount"));
  const type = textAt(line, code);
  if (amount_cents === null || type === null) return null;
  return { code: type, name: textAt(line, "Description") ?? type, amount_cents };
}

/** Each requested service once. */
export function toQuote(
  { packages }: ShipmentForCarrier,
  services: readonly CarrierService[],
  answers: Parameters<typeof toCarrierQuote<ReadPrice>>[1],
): CarrierQuote {
  return toCarrierQuote(services, answers, () => ({
    // No estimate names a currency: Purolator bills in Canadian dollars (assumption).
    currency: "CAD",
    billable_weight: billableWeight(packages),
    zone: null,
  }));
}
