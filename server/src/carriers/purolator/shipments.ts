import type { AddOnCode, LabelRequest, LabelSize, ShipmentForCarrier } from "../carrier.ts";
import { all, optional, textAt, xml, type XmlElement, type XmlOutput } from "../protocol/xml.ts";
import type { Account } from "./credentials.ts";
import { international, packageInformation } from "./packages.ts";
import { receiver, sender } from "./parties.ts";

/** Shipments: a purchase as Purolator's `CreateShipment`, a return as its `ReturnsManagement`. No I/O. */

/** The shipment of an estimate and of a purchase, in the order of its type. */
export function shipmentOf(
  shipment: ShipmentForCarrier,
  asked: {
    service: string;
    add_ons: readonly AddOnCode[];
    account: Account;
    references: readonly (string | null | undefined)[];
  },
): XmlOutput {
  return xml("Shipment", [
    ...parties(shipment, asked.account),
    xml("ShipmentDate", shipment.ship_date),
    packageInformation(shipment, asked),
    international(shipment),
    payment(asked.account),
    pickupType,
    tracking(asked.references),
  ]);
}

function parties({ from_address, to_address }: ShipmentForCarrier, account: Account): XmlOutput[] {
  return [sender(from_address, to_address, account), receiver(to_address, from_address, account)];
}

function payment({ account_number, billing_account_number }: Account): XmlOutput {
  return xml("PaymentInformation", [
    xml("PaymentType", "Sender"),
    xml("RegisteredAccountNumber", account_number),
    xml("BillingAccountNumber", billing_account_number),
  ]);
}

/** A pickup is asked for by itself, and not with the shipment. */
const pickupType = xml("PickupInformation", [xml("PickupType", "DropOff")]);

function tracking(references: readonly (string | null | undefined)[]): XmlOutput | null {
  const given = references.map((each, index) =>
    optional(`Reference${index + 1}`, each?.slice(0, 30)),
  );
  return given.some((each) => each !== null) ? xml("TrackingReferenceInformation", given) : null;
}

/** Our reference is the first: by it, packages are tracked. */
export function toCreateShipmentRequest(request: LabelRequest, account: Account): XmlOutput[] {
  const { shipment, service, add_ons, reference, references, label_size } = request;
  return [
    shipmentOf(shipment, {
      service: service.carrier_service_code,
      add_ons,
      account,
      references: [reference, shipment.reference, references.shipment_id, references.account_id],
    }),
    printer(label_size),
  ];
}

export function toReturnRequest(request: LabelRequest, account: Account): XmlOutput[] {
  const { shipment, service, reference, label_size } = request;
  return [
    xml("RMA", (shipment.reference ?? reference).slice(0, 30)),
    xml("ReturnsManagementShipment", [
      ...parties(shipment, account),
      packageInformation(shipment, { service: service.carrier_service_code, add_ons: [] }),
      payment(account),
      pickupType,
      tracking([reference, shipment.reference]),
    ]),
    printer(label_size),
  ];
}

function printer(size: LabelSize): XmlOutput {
  return xml("PrinterType", size === "letter" ? "Regular" : "Thermal");
}

export interface KnownShipment {
  pin: string;
  /** One for each piece, in order. */
  piece_pins: string[];
}

/** Null for one without a number, by which it could be voided. */
export function fromCreateShipment(result: XmlElement): KnownShipment | null {
  const pin = textAt(result, "ShipmentPIN/Value");
  const pieces = all(result, "PiecePINs/PIN").flatMap((each) => textAt(each, "Value") ?? []);
  return pin === null ? null : { pin, piece_pins: pieces.length > 0 ? pieces : [pin] };
}

export function pinOf(pin: string): XmlOutput {
  return xml("PIN", [xml("Value", pin)]);
}
