import type {
  CarrierCost,
  LabelFormat,
  LabelRequest,
  LabelSize,
  ShipmentForCarrier,
} from "../carrier.ts";
import { centsOf } from "../protocol/amount.ts";
import {
  all,
  optional,
  textAt,
  writeXml,
  xml,
  type XmlElement,
  type XmlOutput,
} from "../protocol/xml.ts";
import type { Contract } from "./credentials.ts";
import { customs } from "./customs.ts";
import { options } from "./options.ts";
import { destination, parcelCharacteristics, postalCode, sender } from "./parties.ts";

/**
 * Shipments: a purchase as Canada Post's `shipment` under a contract, or its `non-contract-shipment`, and what
 * it tells of them. No I/O.
 */

export const shipmentMediaType = "application/vnd.cpc.shipment-v8+xml";
export const nonContractMediaType = "application/vnd.cpc.ncshipment-v4+xml";
const namespaces = {
  contract: "http://www.canadapost.ca/ws/shipment-v8",
  none: "http://www.canadapost.ca/ws/ncshipment-v4",
};

/**
 * Under a contract, shipments are collected in a group, and charged when the group's manifest is made: until
 * then a void is a deletion. Our reference is the `customer-request-id`, by which it is looked up.
 */
export function toShipment(request: LabelRequest, contract: Contract): string {
  const { shipment, reference, context } = request;
  return writeXml(
    xml(
      "shipment",
      [
        xml("customer-request-id", reference),
        xml("group-id", groupId(context.account_id, shipment.ship_date)),
        xml("requested-shipping-point", postalCode(shipment.from_address)),
        xml("expected-mailing-date", shipment.ship_date),
        xml("provide-pricing-info", true),
        xml("delivery-spec", deliverySpec(request, contract)),
      ],
      { xmlns: namespaces.contract },
    ),
  );
}

/** Without a contract a shipment is paid at once, and has no id of ours: our reference is printed. */
export function toNonContractShipment(request: LabelRequest, contract: Contract): string {
  return writeXml(
    xml(
      "non-contract-shipment",
      [
        xml("requested-shipping-point", postalCode(request.shipment.from_address)),
        xml("delivery-spec", deliverySpec(request, contract)),
      ],
      { xmlns: namespaces.none },
    ),
  );
}

/** An account's shipments of one day, in 32 characters: its manifest is made of them. */
export function groupId(account_id: string, ship_date: string): string {
  return account_id.replace(/^acc_/, "").slice(-26) + ship_date.slice(2).replaceAll("-", "");
}

function deliverySpec(request: LabelRequest, contract: Contract): (XmlOutput | null)[] {
  const { shipment, service, add_ons } = request;
  const hasContract = contract.contract_id !== null;
  return [
    xml("service-code", service.carrier_service_code),
    sender(shipment.from_address, contract, !hasContract),
    destination(shipment.to_address),
    options(shipment, add_ons),
    parcelCharacteristics(shipment.packages[0]!, "shipment"),
    hasContract ? printPreferences(request.label_format, request.label_size) : null,
    xml("preferences", [
      xml("show-packing-instructions", false),
      xml("show-postage-rate", false),
      xml("show-insured-value", false),
    ]),
    references(request, hasContract),
    customs(shipment),
    hasContract ? settlement(contract) : null,
  ];
}

export function printPreferences(format: LabelFormat, size: LabelSize): XmlOutput {
  return xml("print-preferences", [
    xml("output-format", size === "letter" ? "8.5x11" : "4x6"),
    xml("encoding", format === "zpl" ? "ZPL" : "PDF"),
  ]);
}

/** The cost centre is on Canada Post's invoice: it tells whose label it was. */
function references(
  { shipment, reference, references: ours }: LabelRequest,
  hasContract: boolean,
): XmlOutput {
  const own = shipment.reference?.slice(0, 35);
  return xml("references", [
    xml("cost-centre", ours.account_id.slice(0, 30)),
    hasContract ? optional("customer-ref-1", own) : xml("customer-ref-1", reference),
    hasContract
      ? xml("customer-ref-2", ours.shipment_id.slice(0, 35))
      : optional("customer-ref-2", own),
  ]);
}

function settlement({ customer_number, contract_id, method_of_payment }: Contract): XmlOutput {
  return xml("settlement-info", [
    xml("paid-by-customer", customer_number),
    optional("contract-id", contract_id),
    xml("intended-method-of-payment", method_of_payment),
  ]);
}

/** A shipment as an answer tells of it. */
export interface KnownShipment {
  shipment_id: string;
  /** Our reference; null where the answer does not echo it. */
  customer_request_id: string | null;
  status: string | null;
  tracking_pin: string | null;
  cost: CarrierCost | null;
  links: Links;
}

/** By `rel`: paths of Canada Post's host, whatever host the answer names. */
export type Links = Readonly<Partial<Record<LinkName, Link>>>;
export interface Link {
  path: string;
  /** As the answer to it has to be asked for. */
  media_type: string;
}
const linkNames = [
  "self",
  "details",
  "price",
  "receipt",
  "label",
  "returnLabel",
  "commercialInvoice",
  "refund",
  "manifest",
  "manifestShipments",
  "artifact",
  "shipment",
] as const;
type LinkName = (typeof linkNames)[number];

/** Null for one without an id, by which it could be voided. */
export function fromShipmentInfo(info: XmlElement): KnownShipment | null {
  const shipment_id = textAt(info, "shipment-id");
  if (shipment_id === null) return null;
  const cents = centsOf(textAt(info, "shipment-price/pre-tax-amount"));
  return {
    shipment_id,
    customer_request_id: textAt(info, "customer-request-id"),
    status: textAt(info, "shipment-status"),
    tracking_pin: textAt(info, "tracking-pin"),
    cost: cents === null || cents < 0 ? null : { amount_cents: cents, currency: "CAD" },
    links: linksOf(info),
  };
}

/** The first link of each kind, below `links` or below the element itself. */
export function linksOf(element: XmlElement): Links {
  const links: Partial<Record<LinkName, Link>> = {};
  for (const { rel, ...link } of allLinks(element)) links[rel] ??= link;
  return links;
}

/** Every link of a kind that we know, in the answer's order. */
export function allLinks(element: XmlElement): (Link & { rel: LinkName })[] {
  return [...all(element, "links/link"), ...all(element, "link")].flatMap(({ attributes }) => {
    const rel = linkNames.find((name) => name === attributes.rel);
    const path = pathOf(attributes.href ?? "");
    const media_type = attributes["media-type"] ?? "";
    return rel !== undefined && path !== null ? [{ rel, path, media_type }] : [];
  });
}

/** Credentials go with a link's call: only its path is taken, so that they go to Canada Post's host alone. */
function pathOf(href: string): string | null {
  if (!URL.canParse(href)) return null;
  const { pathname, search } = new URL(href);
  return pathname + search;
}

/** A list of shipments: in full where it was asked for, else only their links. */
export function fromShipments(root: XmlElement): { shipments: KnownShipment[]; links: string[] } {
  const shipments = all(root, "shipment-info").flatMap((info) => fromShipmentInfo(info) ?? []);
  const links = allLinks(root).flatMap(({ rel, path }) => (rel === "shipment" ? [path] : []));
  return { shipments, links };
}

/** What the details of a shipment tell beside its info. */
export interface ShipmentDetails {
  customer_request_id: string | null;
  /** Of a shipment without a contract, which has our reference here. */
  customer_ref_1: string | null;
  status: string | null;
  tracking_pin: string | null;
  /** The day on which a refund was asked for; null where it was not. */
  refund_asked_on: string | null;
}

export function fromShipmentDetails(root: XmlElement): ShipmentDetails {
  const spec = (path: string) => textAt(root, `shipment-detail/${path}`) ?? textAt(root, path);
  return {
    customer_request_id: textAt(root, "customer-request-id"),
    customer_ref_1: spec("delivery-spec/references/customer-ref-1"),
    status: textAt(root, "shipment-status"),
    tracking_pin: textAt(root, "tracking-pin"),
    refund_asked_on: spec("refund-request-info/service-ticket-date"),
  };
}

/** The price before tax of a shipment without a contract, which only its receipt tells. */
export function fromReceipt(root: XmlElement): CarrierCost | null {
  const cents = centsOf(textAt(root, "pre-tax-amount"));
  return cents === null || cents < 0 ? null : { amount_cents: cents, currency: "CAD" };
}

export function toRefundRequest(email: string, hasContract: boolean): string {
  const name = hasContract ? "shipment-refund-request" : "non-contract-shipment-refund-request";
  const xmlns = hasContract ? namespaces.contract : namespaces.none;
  return writeXml(xml(name, [xml("email", email)], { xmlns }));
}

/** A canceled one is found, with every other status it can still be shipped. */
export function isVoided(status: string | null): boolean {
  return /^(void|cancel)/i.test(status ?? "");
}

/** Whether both ends are such that Canada Post takes it as a return that only costs when it is used. */
export function isAuthorizedReturn({
  is_return,
  from_address,
  to_address,
}: ShipmentForCarrier): boolean {
  return is_return && from_address.country_code === "CA" && to_address.country_code === "CA";
}
