import { billableWeight } from "../../domain/goods/units.ts";
import type {
  AddOnCode,
  CarrierRate,
  CarrierService,
  ShipmentForCarrier,
  UnavailableService,
} from "../carrier.ts";
import { centsOf } from "../protocol/amount.ts";
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

export interface Estimate {
  service: string;
  base_cents: number;
  surcharges: CarrierRate["surcharges"];
  transit_days: number | null;
  delivery_date: string | null;
}

/** The estimates of an answer; null for a service whose price cannot be read. Taxes are no part of a cost. */
export function fromEstimates(
  result: XmlElement,
): { service: string; estimate: Estimate | null }[] {
  return all(result, "ShipmentEstimates/ShipmentEstimate").flatMap((entry) => {
    const service = textAt(entry, "ServiceID");
    return service === null ? [] : [{ service, estimate: estimateOf(entry, service) }];
  });
}

function estimateOf(entry: XmlElement, service: string): Estimate | null {
  const base_cents = centsOf(textAt(entry, "BasePrice"));
  const lines = [
    ...all(entry, "Surcharges/Surcharge").map((line) => lineOf(line, "Type")),
    ...all(entry, "OptionPrices/OptionPrice").map((line) => lineOf(line, "ID")),
  ];
  if (base_cents === null || base_cents < 0 || lines.includes(null)) return null;
  const days = textAt(entry, "EstimatedTransitDays");
  const date = textAt(entry, "ExpectedDeliveryDate");
  return {
    service,
    base_cents,
    surcharges: lines.filter(
      (line) => line !== null && line.amount_cents !== 0,
    ) as CarrierRate["surcharges"],
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

/** Whether it is a calendar day, `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
}

export function costOf({
  base_cents,
  surcharges,
}: Pick<Estimate, "base_cents" | "surcharges">): number {
  return surcharges.reduce((sum, line) => sum + line.amount_cents, base_cents);
}

type Estimates = ReturnType<typeof fromEstimates>;

/** Each requested service once. An add-on costs the difference that its option makes. */
export function toQuote(
  { packages }: ShipmentForCarrier,
  services: readonly CarrierService[],
  {
    plain,
    add_ons,
  }: { plain: Estimates; add_ons: readonly { code: AddOnCode; estimates: Estimates }[] },
): { rates: CarrierRate[]; unavailable: UnavailableService[] } {
  const rates: CarrierRate[] = [];
  const unavailable: UnavailableService[] = [];
  for (const service of services) {
    const entry = ofService(plain, service);
    const estimate = entry?.estimate;
    if (!estimate) {
      unavailable.push(entry ? unreadable(service) : noRate(service));
      continue;
    }
    const offered = "add_ons" in service ? service.add_ons : [];
    rates.push({
      service: service.code,
      // No estimate names a currency: Purolator bills in Canadian dollars (assumption).
      currency: "CAD",
      base_cents: estimate.base_cents,
      surcharges: estimate.surcharges,
      add_ons: add_ons.flatMap(({ code, estimates }) => {
        const priced = offered.includes(code) ? ofService(estimates, service)?.estimate : null;
        const cost_cents = priced ? costOf(priced) - costOf(estimate) : -1;
        return cost_cents >= 0 ? [{ code, cost_cents, required: false }] : [];
      }),
      estimated_delivery_days: estimate.transit_days,
      estimated_delivery_date: estimate.delivery_date,
      billable_weight: billableWeight(packages),
      zone: null,
    });
  }
  return { rates, unavailable };
}

function ofService(estimates: Estimates, service: CarrierService) {
  return estimates.find((entry) => entry.service === service.carrier_service_code);
}

function noRate({ code }: CarrierService): UnavailableService {
  const message = "The carrier answered without a rate for this service.";
  return { service: code, reason: "no_rate_for_lane", message };
}

function unreadable({ code }: CarrierService): UnavailableService {
  return {
    service: code,
    reason: "carrier_error",
    message: "The carrier gave a rate that cannot be read.",
  };
}
