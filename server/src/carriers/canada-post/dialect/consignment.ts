import type { Address } from "../../../domain/addresses/address.ts";
import { provinceOf } from "../../../domain/postal/regions.ts";
import { centsOf } from "../../protocol/amount.ts";
import { all, first, textAt, type XmlElement } from "../../protocol/xml.ts";
import { couriers } from "../../simulator/carriers/carriers.ts";
import { serviceName } from "../../simulator/print-label.ts";
import type {
  ExtraCode,
  WireLabelRequest,
  WirePackage,
  WireQuoteRequest,
} from "../../simulator/wire.ts";
import { invalid } from "./answers.ts";

/** Canada Post's documents as the simulator's requests. */

export function fromMailingScenario(root: XmlElement, steering: string | null) {
  const domestic = textAt(root, "destination/domestic/postal-code");
  const zip = textAt(root, "destination/united-states/zip-code");
  const country = domestic
    ? "CA"
    : zip
      ? "US"
      : textAt(root, "destination/international/country-code");
  const origin = textAt(root, "origin-postal-code");
  if (!country || !origin) throw invalid("cvc-complex-type.2.4.b: The content is not complete.");
  const postal_code = domestic ?? zip ?? textAt(root, "destination/international/postal-code");
  const place = {
    ...nowhere,
    country_code: country,
    province_code: provinceIn(country, postal_code),
  };
  const consignment: Omit<WireQuoteRequest, "service_codes"> = {
    ship_date: textAt(root, "expected-mailing-date") ?? new Date().toISOString().slice(0, 10),
    sender: { ...nowhere, country_code: "CA", postal_code: spaced("CA", origin) },
    recipient: { ...place, postal_code: spaced(country, postal_code), address2: steering },
    packages: [parcelOf(root)],
    currency: "CAD",
  };
  const service_codes = all(root, "services/service-code").map(({ text }) => text);
  return { consignment, service_codes, options: optionsOf(root) };
}

/** No price request names it. */
function provinceIn(country: string, code: string | null): string | null {
  return code ? provinceOf(country, code) : null;
}

const nowhere: Address = {
  name: null,
  company: null,
  address1: "",
  address2: null,
  city: "",
  province_code: null,
  postal_code: null,
  country_code: "CA",
  phone: null,
  email: null,
  is_residential: false,
  tax_identifier: null,
};

/** `A1A 1A1`, as the simulator's tables have it. */
function spaced(country: string, code: string | null): string | null {
  return country === "CA" && code ? code.replace(/^(.{3}) ?(.{3})$/, "$1 $2") : code;
}

function parcelOf(root: XmlElement): WirePackage {
  const side = (name: string) => Number(textAt(root, `parcel-characteristics/dimensions/${name}`));
  const sides = { length_cm: side("length"), width_cm: side("width"), height_cm: side("height") };
  const isSized = Object.values(sides).every((cm) => cm > 0);
  const grams = Math.round(Number(textAt(root, "parcel-characteristics/weight")) * 1_000);
  if (!(grams > 0)) {
    throw invalid("cvc-minExclusive-valid: The value of element weight is not valid.");
  }
  const cover = amountOf(root, "COV");
  return {
    weight_grams: grams,
    ...(isSized ? sides : { length_cm: null, width_cm: null, height_cm: null }),
    package_type:
      textAt(root, "parcel-characteristics/mailing-tube") === "true" ? "tube" : "parcel",
    contents: null,
    declared_value: cover === null ? null : { amount_cents: cover, currency: "CAD" },
  };
}

function amountOf(root: XmlElement, code: string): number | null {
  const option = all(root, "options/option").find((each) => textAt(each, "option-code") === code);
  return option ? centsOf(textAt(option, "option-amount")) : null;
}

/** The codes of the options, in which proof of age includes the signature. */
export function optionsOf(root: XmlElement): string[] {
  return all(root, "options/option").flatMap((option) => textAt(option, "option-code") ?? []);
}

const extraOf: Readonly<Record<string, ExtraCode>> = {
  SO: "signature",
  PA18: "adult_signature",
  COV: "protection",
};

/** What the options cost in the simulator's tariff: proof of age includes the signature. */
export function extrasOf(options: readonly string[]): { code: string; extra: ExtraCode }[] {
  const proofOfAge = options.includes("PA18");
  return options.flatMap((code) => {
    const extra = extraOf[code];
    return extra === undefined || (proofOfAge && code === "SO") ? [] : [{ code, extra }];
  });
}

/** More than any label costs: Canada Post's request has no highest price. */
export const anyPrice = { amount_cents: 10_000_000_000, currency: "CAD" };

export function fromShipment(root: XmlElement, steering: string | null): WireLabelRequest {
  const spec = first(root, "delivery-spec");
  const service_code = spec && textAt(spec, "service-code");
  const reference =
    textAt(root, "customer-request-id") ?? textAt(root, "delivery-spec/references/customer-ref-1");
  if (!spec || !service_code || !reference) {
    throw invalid("cvc-complex-type.2.4.b: The content of element shipment is not complete.");
  }
  const from = addressOf(spec, "sender");
  const { tariff } = couriers.get("canada_post")!;
  const group = textAt(root, "group-id");
  return {
    ship_date: textAt(root, "expected-mailing-date") ?? new Date().toISOString().slice(0, 10),
    sender: from,
    recipient: withSteering(addressOf(spec, "destination"), steering),
    packages: [parcelOf(spec)],
    reference,
    service_code,
    service_name: serviceName(tariff, service_code, "CA"),
    extras: extrasOf(optionsOf(spec)).map(({ extra }) => extra),
    expected_cost: anyPrice,
    return_to: from,
    is_return: false,
    ship_code: "",
    customer_reference: textAt(spec, "references/customer-ref-1"),
    contents_type: null,
    incoterm: null,
    customs_lines: [],
    label: labelForm(spec),
    kept: group === null ? {} : { group_id: group },
  };
}

function labelForm(spec: XmlElement): WireLabelRequest["label"] {
  return {
    format: textAt(spec, "print-preferences/encoding") === "ZPL" ? "zpl" : "pdf",
    size: textAt(spec, "print-preferences/output-format") === "8.5x11" ? "letter" : "4x6",
  };
}

/** A line is shorter than the words that steer may be: those of the header count. */
function withSteering(address: Address, steering: string | null): Address {
  return steering === null ? address : { ...address, address2: steering };
}

function addressOf(spec: XmlElement, who: "sender" | "destination"): Address {
  const text = (path: string) => textAt(spec, `${who}/${path}`);
  const country_code = text("address-details/country-code") ?? "CA";
  return {
    ...nowhere,
    name: text("name"),
    company: text("company"),
    address1: text("address-details/address-line-1") ?? "",
    address2: text("address-details/address-line-2"),
    city: text("address-details/city") ?? "",
    province_code: text("address-details/prov-state"),
    postal_code: spaced(country_code, text("address-details/postal-zip-code")),
    country_code,
    phone: text("contact-phone") ?? text("client-voice-number"),
  };
}

export function fromAuthorizedReturn(root: XmlElement, steering: string | null): WireLabelRequest {
  const service_code = textAt(root, "service-code");
  const reference = textAt(root, "references/customer-ref-1");
  if (!service_code || !reference) {
    throw invalid(
      "cvc-complex-type.2.4.b: The content of element authorized-return is not complete.",
    );
  }
  const { tariff } = couriers.get("canada_post")!;
  const to = domesticAddress(root, "receiver");
  return {
    ship_date: new Date().toISOString().slice(0, 10),
    sender: domesticAddress(root, "returner"),
    recipient: withSteering(to, steering),
    packages: [parcelOf(root)],
    reference,
    service_code,
    service_name: serviceName(tariff, service_code, "CA"),
    extras: [],
    expected_cost: anyPrice,
    return_to: to,
    is_return: true,
    ship_code: "",
    customer_reference: textAt(root, "references/customer-ref-2"),
    contents_type: null,
    incoterm: null,
    customs_lines: [],
    label: labelForm(root),
  };
}

function domesticAddress(root: XmlElement, who: "returner" | "receiver"): Address {
  const text = (path: string) => textAt(root, `${who}/${path}`);
  return {
    ...nowhere,
    name: text("name"),
    company: text("company"),
    address1: text("domestic-address/address-line-1") ?? "",
    address2: text("domestic-address/address-line-2"),
    city: text("domestic-address/city") ?? "",
    province_code: text("domestic-address/province"),
    postal_code: spaced("CA", text("domestic-address/postal-code")),
  };
}
