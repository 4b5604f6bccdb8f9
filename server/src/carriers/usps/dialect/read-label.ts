import type { Address } from "../../../domain/addresses/address.ts";
import { toCentimetres, toGrams } from "../../../domain/goods/units.ts";
import { provinceOf } from "../../../domain/postal/regions.ts";
import { toCents } from "../../../domain/values/money.ts";
import { anyPrice } from "../../simulator/dialect.ts";
import type { ExtraCode, WireLabelRequest, WirePackage } from "../../simulator/wire.ts";
import type { WireDomestic, WireForeign, WireLabel, WireOptions } from "./wire.ts";

/** USPS's form of a package as the simulator's. No I/O. */

export function readAddress(party: WireDomestic | WireForeign): Address {
  const { firstName = "", lastName = "", firm, streetAddress, secondaryAddress, city } = party;
  const place =
    "ZIPCode" in party
      ? {
          province_code: party.state,
          postal_code: party.ZIPPlus4 ? `${party.ZIPCode}-${party.ZIPPlus4}` : party.ZIPCode,
          country_code: "US",
        }
      : {
          province_code: party.province ?? null,
          postal_code: party.postalCode ?? null,
          country_code: party.countryISOAlpha2Code,
        };
  return {
    name: `${firstName} ${lastName}`.trim() || null,
    company: firm ?? null,
    address1: streetAddress,
    address2: secondaryAddress ?? null,
    city,
    ...place,
    phone: party.phone ?? null,
    email: null,
    // USPS prices homes as all others.
    is_residential: false,
    tax_identifier: null,
  };
}

/** Only what prices a place: the search names nothing else, and the state is the ZIP code's. */
export function placeOf(place: Pick<Address, "postal_code"> & Partial<Address>): Address {
  const { country_code = "US", postal_code } = place;
  return {
    name: null,
    company: null,
    address1: "",
    address2: null,
    city: "",
    province_code: postal_code ? provinceOf(country_code, postal_code) : null,
    country_code,
    phone: null,
    email: null,
    is_residential: false,
    tax_identifier: null,
    ...place,
  };
}

export function readPackage(
  described: WireOptions["packageDescription"] | WireLabel["packageDescription"],
): WirePackage {
  const { weight, length, width, height } = described;
  const value = "packageOptions" in described ? described.packageOptions?.packageValue : undefined;
  const stated = "packageValue" in described ? described.packageValue : value;
  return {
    weight_grams: toGrams(weight, "lbs"),
    length_cm: toCentimetres(length, "in"),
    width_cm: toCentimetres(width, "in"),
    height_cm: toCentimetres(height, "in"),
    package_type: "parcel",
    contents: null,
    declared_value:
      stated === undefined ? null : { amount_cents: toCents(stated), currency: "USD" },
  };
}

const extraCodes: Readonly<Record<number, ExtraCode>> = {
  921: "signature",
  922: "adult_signature",
  930: "protection",
  931: "protection",
};

export function readExtras(codes: readonly number[]): ExtraCode[] {
  return codes.flatMap((code) => extraCodes[code] ?? []);
}

export function codeOfExtra(extra: ExtraCode): string | undefined {
  return Object.entries(extraCodes).find(([, each]) => each === extra)?.[0];
}

/** Returns are the simulator's own services, carried the other way. */
export function serviceOf(mailClass: string): string {
  return mailClass.replace(/_RETURN_SERVICE$/, "");
}

const formats = { PDF: "pdf", PNG: "png", ZPL203DPI: "zpl" } as const;
type ImageType = keyof typeof formats;

export function readLabel(
  { toAddress, fromAddress, returnAddress, packageDescription, imageInfo }: WireLabel,
  { reference, day }: { reference: string; day: string },
): WireLabelRequest {
  const { mailClass, mailingDate = day, extraServices, customerReference } = packageDescription;
  const service_code = serviceOf(mailClass);
  return {
    reference,
    ship_date: mailingDate,
    sender: readAddress(fromAddress),
    recipient: readAddress(toAddress),
    return_to: readAddress(returnAddress ?? fromAddress),
    packages: [readPackage(packageDescription)],
    service_code,
    service_name: service_code,
    extras: readExtras(extraServices),
    // USPS does not know what was expected.
    expected_cost: { amount_cents: anyPrice, currency: "USD" },
    is_return: mailClass !== service_code,
    ship_code: "",
    customer_reference: customerReference?.[0]?.referenceNumber ?? null,
    contents_type: null,
    incoterm: null,
    customs_lines: [],
    label: { format: formats[imageInfo.imageType as ImageType], size: "4x6" },
  };
}
