import type { HttpAnswer } from "../../transport/http-call.ts";
import type {
  CarrierCost,
  LabelFile,
  LabelFormat,
  LabelRequest,
  ShipmentForCarrier,
} from "../carrier.ts";
import { leavesPurchaseOpen } from "../protocol/classify.ts";
import { bytesIn, codeIn, compact, listIn, textIn, valueIn } from "../protocol/json.ts";
import type { UpsAccount } from "./credentials.ts";
import { needsForms, toForms, describeGoods, invoiceTotal } from "./customs.ts";
import { successOf, unreadable } from "./errors.ts";
import { packageOptions, shipmentOptions } from "./options.ts";
import {
  dimensionsOf,
  packagingCodes,
  partyOf,
  plain,
  recipientOf,
  unitsOf,
  weightOf,
} from "./parties.ts";
import { costIn } from "./rated-services.ts";

/** Labels: a purchase as UPS's `ShipmentRequest`, its answer, and what is recovered later. No I/O. */

export const shipPath = "/api/shipments/v2409/ship";
export const recoveryPath = "/api/labels/v2409/recovery";

export function voidPath(shipmentId: string): string {
  return `/api/shipments/v2409/void/cancel/${encodeURIComponent(shipmentId)}`;
}

/** The pictures and texts that UPS sells: PDF only of a label that was sold before. */
type NativeFormat = "GIF" | "ZPL";

function nativeFormat(format: LabelFormat): NativeFormat {
  return format === "zpl" ? "ZPL" : "GIF";
}

export function toShipmentRequest(request: LabelRequest, account: UpsAccount): object {
  const { shipment, service, reference } = request;
  const { from_address, to_address, return_address, is_return } = shipment;
  const references = referencesOf(reference, shipment.reference);
  const byPackage = takesReferencesByPackage(shipment);
  const hasForms = needsForms(shipment);
  const options = shipmentOptions(shipment, request.add_ons);
  return {
    ShipmentRequest: {
      // Of the city, not of the street; "nonvalidate" would take any.
      Request: {
        RequestOption: "nonvalidate",
        TransactionReference: { CustomerContext: reference },
      },
      Shipment: compact({
        Description: describeGoods(shipment),
        ReturnService: is_return ? { Code: printReturnLabel } : null,
        // The account's holder: who receives, when goods come back.
        Shipper: shipperOf(is_return ? to_address : return_address, account),
        ShipTo: recipientOf(to_address),
        ShipFrom: partyOf(from_address),
        PaymentInformation: { ShipmentCharge: chargesOf(shipment, account) },
        ShipmentRatingOptions: account.asks_negotiated ? { NegotiatedRatesIndicator: "Y" } : null,
        ReferenceNumber: byPackage ? null : references,
        Service: { Code: service.carrier_service_code },
        InvoiceLineTotal: hasForms ? invoiceTotal(shipment) : null,
        ShipmentDate: shipment.ship_date.replaceAll("-", ""),
        ShipmentServiceOptions: hasForms
          ? { ...options, InternationalForms: toForms(shipment) }
          : options,
        Package: packagesOf(request, byPackage ? references : null),
      }),
      LabelSpecification: {
        LabelImageFormat: { Code: nativeFormat(request.label_format) },
        LabelStockSize: { Height: "6", Width: "4" },
      },
    },
  };
}

/** The sender of a return prints its label. */
const printReturnLabel = "9";

/**
 * UPS takes reference numbers with each package from the United States to itself, and within Puerto Rico, and
 * with the shipment everywhere else; at the other place it refuses them (120541).
 */
function takesReferencesByPackage({
  from_address,
  to_address,
}: Pick<ShipmentForCarrier, "from_address" | "to_address">): boolean {
  const origin = from_address.country_code;
  return origin === to_address.country_code && (origin === "US" || origin === "PR");
}

/** Ours first: it is looked up. */
function referencesOf(own: string, customers: string | null): object[] {
  const second = plain(customers ?? "").slice(0, 35);
  return [own, ...(second ? [second] : [])].map((Value) => ({ Value }));
}

function shipperOf(address: ShipmentForCarrier["from_address"], account: UpsAccount) {
  return { ...partyOf(address), ShipperNumber: account.number };
}

/** Duties are the recipient's, unless the sender pays them. */
function chargesOf(shipment: ShipmentForCarrier, account: UpsAccount): object[] {
  const BillShipper = { AccountNumber: account.number };
  const duties = needsForms(shipment) && shipment.incoterm === "DDP";
  return [{ Type: "01", BillShipper }, ...(duties ? [{ Type: "02", BillShipper }] : [])];
}

function packagesOf({ shipment, add_ons }: LabelRequest, references: object[] | null): object[] {
  const units = unitsOf(shipment.from_address.country_code);
  return shipment.packages.map((parcel) =>
    compact({
      Description: shipment.is_return ? describeGoods(shipment).slice(0, 35) : null,
      Packaging: { Code: packagingCodes[parcel.package_type] },
      Dimensions: dimensionsOf(parcel, units),
      PackageWeight: weightOf(parcel, units),
      ReferenceNumber: references,
      PackageServiceOptions: packageOptions(shipment, parcel, add_ons),
    }),
  );
}

/** A file as UPS sends it, before it is made what was requested. */
export interface NativeFile {
  type: LabelFile["type"];
  package_index: number | null;
  format: "GIF" | "ZPL" | "PDF";
  bytes: Buffer;
}

interface SoldShipment {
  shipment_id: string;
  package_tracking_codes: string[];
  cost: CarrierCost | null;
  files: NativeFile[];
}

/** What was sold. Throws the `CarrierError` of every other answer. */
export function fromShipmentResponse(answer: HttpAnswer): SoldShipment {
  if (leavesPurchaseOpen(answer)) throw unreadable();
  const results = valueIn(successOf(answer, "ShipmentResponse"), "ShipmentResults");
  const packages = listIn(results, "PackageResults");
  const codes = packages.map((each) => codeIn(each, "TrackingNumber"));
  const shipment_id = codeIn(results, "ShipmentIdentificationNumber") ?? codes[0];
  if (!shipment_id || codes.length === 0 || codes.includes(null)) throw unreadable();
  return {
    shipment_id,
    package_tracking_codes: codes as string[],
    cost: costIn(results),
    files: [
      ...packages.flatMap((each, index) => fileIn(each, "ShippingLabel", labelOf(index))),
      ...listIn(results, "Form").flatMap((form) => fileIn(form, "Image", invoice)),
    ],
  };
}

const invoice = { type: "commercial_invoice", package_index: null } as const;
const labelOf = (package_index: number) => ({ type: "label", package_index }) as const;

/** None where there is none that can be read: the shipment was sold all the same. */
function fileIn(
  value: unknown,
  name: string,
  kind: Pick<NativeFile, "type" | "package_index">,
): NativeFile[] {
  const code =
    textIn(value, name, "ImageFormat", "Code") ?? textIn(value, name, "LabelImageFormat", "Code");
  const bytes = bytesIn(value, name, "GraphicImage");
  const format = code?.toUpperCase();
  if (bytes === null || (format !== "GIF" && format !== "ZPL" && format !== "PDF")) return [];
  return [{ ...kind, format, bytes }];
}

export function toRecoveryRequest(trackingCode: string, format: LabelFormat): object {
  const Code = { pdf: "PDF", zpl: "ZPL", png: "GIF" }[format];
  return {
    LabelRecoveryRequest: {
      Request: { TransactionReference: { CustomerContext: "label recovery" } },
      LabelSpecification: {
        HTTPUserAgent: "Mozilla/4.5",
        LabelImageFormat: { Code },
        ...(format === "zpl" ? { LabelStockSize: { Height: "6", Width: "4" } } : {}),
      },
      TrackingNumber: trackingCode,
    },
  };
}

/** The label of one package, and its customs documents. Throws the `CarrierError` of every other answer. */
export function fromRecoveryResponse(answer: HttpAnswer, package_index: number): NativeFile[] {
  const recovered = successOf(answer, "LabelRecoveryResponse");
  const result = valueIn(recovered, "LabelResults");
  const label = fileIn(result, "LabelImage", labelOf(package_index));
  if (label.length === 0) throw unreadable();
  // Each package has the documents of the whole shipment.
  const papers = package_index === 0 ? fileIn(valueIn(recovered, "Form"), "Image", invoice) : [];
  return [...label, ...papers];
}

/**
 * Whether a void is done. Throws the `CarrierError` of every other answer: of a refusal, and of one that voided
 * a part of the packages.
 */
export function fromVoidResponse(answer: HttpAnswer): void {
  const response = successOf(answer, "VoidShipmentResponse");
  const packages = [
    ...listIn(response, "PackageLevelResult"),
    ...listIn(response, "PackageLevelResults"),
  ];
  const codes = [
    textIn(response, "SummaryResult", "Status", "Code"),
    ...packages.map((each) => textIn(each, "Status", "Code")),
  ];
  if (codes.some((code) => code !== "1")) throw unreadable();
}
