import { toGrams } from "../../../domain/goods/units.ts";
import { decimalOf, thousandthsOf } from "../../protocol/amount.ts";
import { optional, xml, type XmlOutput } from "../../protocol/xml.ts";
import type { BookedLabel } from "../../simulator/label-book.ts";
import type { WireRate, WireTracking, WireTrackingEvent } from "../../simulator/wire.ts";
import { nonContractMediaType, shipmentMediaType } from "../shipments.ts";
import { link } from "./answers.ts";

/** What the simulator has, as Canada Post's documents. */

export function priceQuote(
  rate: WireRate,
  asked: { options: XmlOutput[]; due_cents: number },
): XmlOutput {
  const { service_code, base_cents, surcharges, transit_days, delivery_date } = rate;
  const { value, unit, basis } = rate.billable_weight;
  const service = {
    rel: "service",
    href: `https://XX/rs/ship/service/${service_code}`,
    "media-type": "application/vnd.cpc.ship.rate-v4+xml",
  };
  return xml("price-quote", [
    xml("service-code", service_code),
    xml("service-link", [], service),
    xml("service-name", service_code),
    xml("price-details", [
      xml("base", decimalOf(base_cents)),
      xml("taxes", [xml("gst", "0.00"), xml("pst", "0.00"), xml("hst", "0.00")]),
      xml("due", decimalOf(asked.due_cents)),
      asked.options.length === 0 ? null : xml("options", asked.options),
      surcharges.length === 0 ? null : xml("adjustments", surcharges.map(adjustment)),
    ]),
    xml("weight-details", [
      basis === "volumetric" ? xml("cubed-weight", thousandthsOf(toGrams(value, unit))) : null,
    ]),
    xml("service-standard", [
      xml("am-delivery", false),
      xml("guaranteed-delivery", true),
      xml("expected-transit-time", Math.min(transit_days, 99)),
      xml("expected-delivery-date", delivery_date),
    ]),
  ]);
}

function adjustment({ code, name, amount_cents }: WireRate["surcharges"][number]): XmlOutput {
  return xml("adjustment", [
    xml("adjustment-code", code),
    xml("adjustment-name", name),
    xml("adjustment-cost", decimalOf(amount_cents)),
  ]);
}

/** Canada Post's ids have at most 32 characters. */
export function shipmentId(label_id: string): string {
  return label_id.replaceAll("-", "");
}

export function labelId(shipment_id: string): string {
  return shipment_id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

export interface ShownShipment {
  issued: BookedLabel;
  /** Whether its group was transmitted. */
  transmitted: boolean;
}

/** The statuses are those that the documents name, apart from `voided`. */
export function statusOf({
  issued: { state },
  transmitted,
}: Pick<ShownShipment, "issued" | "transmitted">): string {
  if (state.voided?.effective) return transmitted ? "transmitted" : "voided";
  if (state.voided) return "reconciled";
  return transmitted ? "transmitted" : "created";
}

export function shipmentInfo(shown: ShownShipment, base: string): XmlOutput {
  const { state } = shown.issued;
  const cents = centsOf(shown);
  return xml(
    "shipment-info",
    [
      xml("customer-request-id", state.reference),
      xml("shipment-id", shipmentId(state.label_id)),
      xml("shipment-status", statusOf(shown)),
      xml("tracking-pin", state.tracking_code),
      cents === null ? null : shipmentPrice(shown, cents),
      links(shown, base, shipmentMediaType),
    ],
    { xmlns: "http://www.canadapost.ca/ws/shipment-v8" },
  );
}

export function nonContractInfo(shown: ShownShipment, base: string): XmlOutput {
  return xml(
    "non-contract-shipment-info",
    [
      xml("shipment-id", shipmentId(shown.issued.state.label_id)),
      xml("tracking-pin", shown.issued.state.tracking_code),
      links(shown, base, nonContractMediaType),
    ],
    { xmlns: "http://www.canadapost.ca/ws/ncshipment-v4" },
  );
}

/** The links are to the simulator's own address. `customer` is whatever the client has in its path. */
function links(
  { issued: { state, facts }, transmitted }: ShownShipment,
  base: string,
  media_type: string,
): XmlOutput {
  const id = shipmentId(state.label_id);
  const hasReceipt = media_type === nonContractMediaType;
  const file = fileTypeOf(facts.request.label.format);
  const self = `${base}/${id}`;
  return xml("links", [
    link("self", self, media_type),
    link("details", `${self}/details`, media_type),
    hasReceipt
      ? link("receipt", `${self}/receipt`, media_type)
      : link("price", `${self}/price`, media_type),
    transmitted || hasReceipt ? link("refund", `${self}/refund`, media_type) : null,
    link("label", `${base.replace(/\/rs\/.*$/, "/rs")}/artifact/${id}/1/0`, file),
  ]);
}

export function fileTypeOf(format: string): string {
  return format === "zpl" ? "application/zpl" : "application/pdf";
}

/** What was paid; null while it is not known (`sim:late_price`). */
export function centsOf({ issued: { state, facts } }: ShownShipment): number | null {
  return state.ways.late_price ? null : facts.amount_cents;
}

export function shipmentPrice(
  { issued: { facts } }: Pick<ShownShipment, "issued">,
  cents: number,
): XmlOutput {
  return xml("shipment-price", [
    xml("service-code", facts.service_code),
    xml("base-amount", decimalOf(cents)),
    xml("pre-tax-amount", decimalOf(cents)),
    xml("gst-amount", "0.00"),
    xml("pst-amount", "0.00"),
    xml("hst-amount", "0.00"),
    xml("due-amount", decimalOf(cents)),
    xml("service-standard", [xml("am-delivery", false), xml("guaranteed-delivery", true)]),
    xml("rated-weight", String(facts.request.packages[0]!.weight_grams / 1_000)),
  ]);
}

export function receipt(shown: ShownShipment): XmlOutput {
  const cents = centsOf(shown);
  return xml(
    "non-contract-shipment-receipt",
    [cents === null ? null : xml("pre-tax-amount", decimalOf(cents))],
    { xmlns: "http://www.canadapost.ca/ws/ncshipment-v4" },
  );
}

/** The parts of the details that the adapter reads. */
export function shipmentDetails(shown: ShownShipment, name: string): XmlOutput {
  const { state, facts } = shown.issued;
  const isContract = name === "shipment-details";
  const isRefund =
    state.voided !== null && (shown.transmitted || !isContract || !state.voided.effective);
  const detail = [
    isContract ? xml("group-id", facts.request.kept?.group_id ?? "none") : null,
    xml("delivery-spec", [
      xml("service-code", facts.service_code),
      xml("references", [
        optional("customer-ref-1", isContract ? facts.request.customer_reference : state.reference),
      ]),
    ]),
    isRefund ? ticket(state.voided.at, state.label_id) : null,
  ];
  return xml(name, [
    isContract ? xml("customer-request-id", state.reference) : null,
    isContract ? xml("shipment-status", statusOf(shown)) : null,
    xml("final-shipping-point", (facts.request.sender.postal_code ?? "").replaceAll(" ", "")),
    xml("tracking-pin", state.tracking_code),
    ...(isContract ? [xml("shipment-detail", detail)] : detail),
  ]);
}

function ticket(at: string, label_id: string): XmlOutput {
  return xml("refund-request-info", ticketTexts(at, label_id));
}

export function ticketTexts(at: string, label_id: string): XmlOutput[] {
  return [
    xml("service-ticket-date", at.slice(0, 10)),
    xml("service-ticket-id", `GT${label_id.slice(0, 8).toUpperCase()}`),
  ];
}

/** The abbreviation of a zone by its distance from universal time. */
const zones: Readonly<Record<string, string>> = {
  "-02:30": "NDT",
  "-03:30": "NST",
  "-03:00": "ADT",
  "-04:00": "EDT",
  "-05:00": "EST",
  "-06:00": "CST",
  "-07:00": "PDT",
  "-08:00": "PST",
  "-09:00": "YST",
  "+00:00": "GMT",
};

export function trackingDetail({
  tracking_code,
  estimated_delivery_date,
  signed_by,
  events,
}: WireTracking): XmlOutput {
  return xml(
    "tracking-detail",
    [
      xml("pin", tracking_code),
      xml("expected-delivery-date", estimated_delivery_date ?? ""),
      xml(
        "significant-events",
        events.map((event, index) => occurrence(event, index === 0 ? signed_by : null)),
      ),
    ],
    { xmlns: "http://www.canadapost.ca/ws/track" },
  );
}

function occurrence(event: WireTrackingEvent, signatory: string | null): XmlOutput {
  const [date = "", time = ""] = event.local_time.split("T");
  return xml("occurrence", [
    xml("event-identifier", event.code),
    xml("event-date", date),
    xml("event-time", time),
    xml("event-time-zone", zones[event.utc_offset] ?? ""),
    xml("event-description", event.text),
    xml("signatory-name", signatory ?? ""),
    xml("event-site", event.city ?? ""),
    xml("event-province", event.province ?? ""),
    xml("event-retail-location-id", ""),
    xml("event-retail-name", ""),
  ]);
}
