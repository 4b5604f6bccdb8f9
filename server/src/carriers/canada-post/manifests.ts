import { Type, type Static } from "typebox";
import { Compile } from "typebox/compile";
import type { Address } from "../../domain/addresses/address.ts";
import type { CarrierData } from "../carrier.ts";
import { textAt, optional, writeXml, xml, type XmlElement } from "../protocol/xml.ts";
import type { Contract } from "./credentials.ts";
import { addressLines, incomplete, phoneOf, postalCode } from "./parties.ts";
import { allLinks, linksOf, type Links } from "./shipments.ts";

/** Manifests: groups of shipments are transmitted, which charges them, and each manifest is printed. No I/O. */

export const manifestMediaType = "application/vnd.cpc.manifest-v8+xml";

export function toTransmitSet(
  handover: {
    group_ids: readonly string[];
    excluded_shipment_ids: readonly string[];
    from: Address;
  },
  contract: Contract,
): string {
  const { group_ids, excluded_shipment_ids, from } = handover;
  const company = from.company ?? from.name;
  if (!company)
    throw incomplete("from_address.company", "Canada Post requires the company that hands over.");
  const [first, second] = addressLines(from, "from_address.address1");
  return writeXml(
    xml(
      "transmit-set",
      [
        xml(
          "group-ids",
          group_ids.map((id) => xml("group-id", id)),
        ),
        xml("requested-shipping-point", postalCode(from)),
        xml("detailed-manifests", true),
        xml("method-of-payment", contract.method_of_payment),
        xml("manifest-address", [
          xml("manifest-company", company),
          optional("manifest-name", from.name),
          xml("phone-number", phoneOf(from, contract)),
          xml("address-details", [
            xml("address-line-1", first),
            optional("address-line-2", second),
            xml("city", from.city),
            xml("prov-state", from.province_code ?? ""),
            xml("country-code", from.country_code),
            xml("postal-zip-code", postalCode(from)),
          ]),
        ]),
        excluded_shipment_ids.length === 0
          ? null
          : xml(
              "excluded-shipments",
              excluded_shipment_ids.map((id) => xml("shipment-id", id)),
            ),
      ],
      { xmlns: "http://www.canadapost.ca/ws/manifest-v8" },
    ),
  );
}

/** Where the manifests of a transmission are. */
export function fromManifests(root: XmlElement): string[] {
  return allLinks(root).flatMap(({ rel, path }) => (rel === "manifest" ? [path] : []));
}

/** What is kept of a manifest, to fetch its documents again. */
const KeptManifests = Type.Object({ manifests: Type.Array(Type.String(), { minItems: 1 }) });
const keptShape = Compile(KeptManifests);

export function isKeptManifests(data: CarrierData | null): data is Static<typeof KeptManifests> {
  return keptShape.Check(data);
}

export interface KnownManifest {
  po_number: string | null;
  links: Links;
}

export function fromManifest(root: XmlElement): KnownManifest {
  return { po_number: textAt(root, "po-number"), links: linksOf(root) };
}
