import { trackingCode } from "../tracking-codes.ts";
import type { LabelContent } from "./label-content.ts";

/** Labels for tests. */

export const carriers = ["canada_post", "purolator", "ups", "fedex", "usps"];

export const address = {
  name: "Jordan Lee",
  company: null,
  address1: "200 Bay St",
  address2: "Suite 3100",
  city: "Toronto",
  province_code: "ON",
  postal_code: "M5J 2J1",
  country_code: "CA",
  phone: "+1 416 555 0199",
  email: null,
  is_residential: false,
  tax_identifier: null,
};

export function contentOf(
  carrier: string,
  count: number,
  change: Partial<LabelContent> = {},
): LabelContent {
  return {
    carrier: { code: carrier, name: carrier },
    service: { code: "EXP", name: "Expedited Parcel" },
    from: address,
    to: { ...address, name: "Alex Kim", address1: "1250 rue Sherbrooke O", postal_code: "H3G 1H9" },
    packages: Array.from({ length: count }, (_, index) => ({
      tracking_code: trackingCode(carrier, "labels", index + 1),
      weight_grams: 1250 + index,
    })),
    ship_date: "2026-11-21",
    ship_code: "SH4K7Q2M",
    reference: "PO-10023",
    is_return: false,
    crosses_border: false,
    add_ons: ["signature"],
    zone: "4",
    ...change,
  };
}

export const codesOf = ({ packages }: LabelContent) => packages.map((each) => each.tracking_code);
