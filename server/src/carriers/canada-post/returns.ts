import { writeXml, textAt, optional, xml, type XmlElement } from "../protocol/xml.ts";
import type { LabelRequest } from "../carrier.ts";
import type { Contract } from "./credentials.ts";
import { domesticAddress, parcelCharacteristics } from "./parties.ts";
import { linksOf, printPreferences, type Links } from "./shipments.ts";

/** Authorized returns: a label that a customer sends a parcel back with, and that costs when it is used. No I/O. */

export const returnMediaType = "application/vnd.cpc.authreturn-v2+xml";

export function toAuthorizedReturn(request: LabelRequest, contract: Contract): string {
  const { shipment, service, label_format, label_size } = request;
  const { from_address, to_address } = shipment;
  return writeXml(
    xml(
      "authorized-return",
      [
        xml("service-code", service.carrier_service_code),
        xml("returner", [
          xml("name", from_address.name ?? from_address.company ?? ""),
          optional("company", from_address.company),
          domesticAddress(from_address, "from_address"),
        ]),
        xml("receiver", [
          xml("name", to_address.name ?? to_address.company ?? ""),
          optional("company", to_address.company),
          optional("receiver-voice-number", to_address.phone),
          domesticAddress(to_address, "to_address"),
        ]),
        parcelCharacteristics(shipment.packages[0]!, "return"),
        printPreferences(label_format, label_size),
        xml("settlement-info", [
          xml("paid-by-customer", contract.customer_number),
          optional("contract-id", contract.contract_id),
        ]),
        xml("references", [
          xml("customer-ref-1", request.reference.slice(0, 35)),
          optional("customer-ref-2", shipment.reference?.slice(0, 35)),
        ]),
      ],
      { xmlns: "http://www.canadapost.ca/ws/authreturn-v2" },
    ),
  );
}

interface KnownReturn {
  tracking_pin: string;
  links: Links;
}

/** Null for one without a number. */
export function fromAuthorizedReturn(root: XmlElement): KnownReturn | null {
  const tracking_pin = textAt(root, "tracking-pin");
  return tracking_pin === null ? null : { tracking_pin, links: linksOf(root) };
}
