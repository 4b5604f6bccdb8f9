import { createHash } from "node:crypto";
import { TypeID } from "typeid-js";
import { sum } from "./sums.ts";
import type { HttpAnswer } from "../../transport/http-call.ts";
import type { CarrierCost, CarrierRefund, LabelFormat, LabelRequest } from "../carrier.ts";
import { classify, leavesPurchaseOpen } from "../protocol/classify.ts";
import { bytesIn, centsIn, codeIn, compact, listIn, textIn } from "../protocol/json.ts";
import { toCustomsForm } from "./customs.ts";
import {
  errorTable,
  filedSuccessOf,
  refusalCode,
  refusalText,
  saysCancelled,
  successOf,
  unreadable,
} from "./errors.ts";
import { extraServices, insuredValue } from "./options.ts";
import { domesticParty, foreignParty, isDomestic, pieceOf, plain } from "./parties.ts";
import { mailClassOf, uspsCurrency } from "./rates.ts";

/** Labels: a purchase as USPS's request, its answer, reprints and cancellations. No I/O. */

export type LabelKind = "domestic" | "return" | "international";

export const labelPaths: Readonly<Record<LabelKind, string>> = {
  domestic: "/labels/v3/label",
  return: "/labels/v3/return-label",
  international: "/international-labels/v3/international-label",
};
const reprintPaths = {
  domestic: "/labels/v3/label-reprint",
  return: "/labels/v3/label-reprint",
  international: "/international-labels/v3/international-label-reprint",
};

/** By the key of the purchase, or by the number of the label. */
export function reprintPath(kind: LabelKind, trackingCode?: string): string {
  const path = reprintPaths[kind];
  return trackingCode === undefined ? path : `${path}/${encodeURIComponent(trackingCode)}`;
}

export function cancelPath(kind: LabelKind, trackingCode: string): string {
  // USPS cancels returns where it cancels labels.
  const path = labelPaths[kind === "return" ? "domestic" : kind];
  return `${path}/${encodeURIComponent(trackingCode)}`;
}

export function kindOf(
  service: string,
  { is_return }: { is_return: boolean } = { is_return: false },
): LabelKind {
  if (service.includes("INTERNATIONAL")) return "international";
  return is_return ? "return" : "domestic";
}

/**
 * The purchase's key, by which USPS sells once: the UUID inside our reference, which is different for every one. For
 * a reference of another form, one that follows from it.
 */
export function keyOf(reference: string): string {
  try {
    return TypeID.fromString(reference).toUUID();
  } catch {
    const hex = createHash("sha256").update(reference).digest("hex");
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  }
}

/** USPS has no PNG of labels to the world. */
export function imageType(format: LabelFormat, kind: LabelKind): "PDF" | "PNG" | "ZPL203DPI" {
  if (format === "zpl") return "ZPL203DPI";
  return format === "png" && kind !== "international" ? "PNG" : "PDF";
}

/** What the file then is. */
export function formatOf(type: "PDF" | "PNG" | "ZPL203DPI"): LabelFormat {
  return ({ PDF: "pdf", PNG: "png", ZPL203DPI: "zpl" } as const)[type];
}

export function toLabelRequest(request: LabelRequest): object {
  const { shipment, service, add_ons, label_format } = request;
  const { from_address, to_address, return_address, ship_date, is_return } = shipment;
  const kind = kindOf(service.carrier_service_code, shipment);
  const isAbroad = kind === "international";
  const parcel = shipment.packages[0]!;
  const piece = pieceOf(parcel, service.carrier_service_code);
  const reference = plain(shipment.reference ?? "").slice(0, 30);
  const value = insuredValue(add_ons, parcel);
  return compact({
    imageInfo: {
      imageType: imageType(label_format, kind),
      labelType: "4X6LABEL",
      ...(isAbroad ? {} : { receiptOption: "NONE", suppressPostage: true }),
    },
    toAddress: isDomestic(to_address) ? domesticParty(to_address) : foreignParty(to_address),
    fromAddress: domesticParty(from_address),
    senderAddress: domesticParty(from_address),
    returnAddress: isAbroad || is_return ? null : domesticParty(return_address),
    packageDescription: compact({
      mailClass: mailClassOf(service, shipment),
      rateIndicator: piece.rate_indicator,
      weightUOM: "lb",
      weight: piece.weight,
      dimensionsUOM: "in",
      length: piece.length,
      width: piece.width,
      height: piece.height,
      processingCategory: piece.processing,
      destinationEntryFacilityType: is_return ? null : "NONE",
      mailingDate: is_return ? null : ship_date,
      extraServices: extraServices(add_ons, shipment),
      customerReference: reference ? [{ referenceNumber: reference }] : null,
      packageOptions: value === null ? null : { packageValue: value },
    }),
    customsForm: isAbroad ? toCustomsForm(shipment) : null,
  });
}

export interface SoldLabel {
  tracking_code: string;
  cost: CarrierCost | null;
  /** Null where there is none that can be read: the label was sold all the same. */
  image: Buffer | null;
}

/** What was sold, or is printed again. Throws the `CarrierError` of every other answer. */
export function fromLabelResponse(answer: HttpAnswer): SoldLabel {
  if (leavesPurchaseOpen(answer)) throw unreadable();
  const { metadata, file } = filedSuccessOf(answer);
  const tracking_code =
    codeIn(metadata, "trackingNumber") ?? codeIn(metadata, "internationalTrackingNumber");
  if (tracking_code === null) throw unreadable();
  const image = file("labelImage") ?? file("returnLabelImage");
  return { tracking_code, cost: costIn(metadata), image: image === null ? null : bytesIn(image) };
}

/** Postage, with what USPS lists apart from it: extras and fees. */
function costIn(metadata: unknown): CarrierCost | null {
  const postage = centsIn(metadata, "postage");
  const parts = [...listIn(metadata, "extraServices"), ...listIn(metadata, "fees")];
  const amounts = parts.map((part) => centsIn(part, "price"));
  if (postage === null || postage < 0 || amounts.includes(null)) return null;
  const amount_cents = postage + sum(amounts as number[]);
  return amount_cents >= 0 ? { amount_cents, currency: uspsCurrency } : null;
}

/** An order, or a label of the last 45 days, that USPS does not have; and one that was cancelled. */
const notFound = ["160185", "160378"];
const cancelled = ["160186", "160379"];

/**
 * The label under a key; null where none was sold, or it was cancelled, by USPS's codes of these. No other refusal proves
 * that: neither those of a label that is not printed again (after its mailing date, or a fourth time), nor those of the
 * account, the token or the path. They throw as unknown.
 */
export function fromReprint(answer: HttpAnswer): SoldLabel | null {
  const code = refusalCode(answer);
  if (code !== null && [...notFound, ...cancelled].includes(code)) return null;
  const isOfCredentials = answer.status === 401 || answer.status === 403;
  if (refusalText(answer) !== "" && !isOfCredentials) throw unreadable();
  return fromLabelResponse(answer);
}

/** A reprint may ask for another form of the file. */
export function toReprintRequest(format: LabelFormat, kind: LabelKind): object {
  return { imageInfo: { imageType: imageType(format, kind), labelType: "4X6LABEL" } };
}

/**
 * What becomes of the postage of a cancelled label. What was cancelled, or asked for, before is the same again.
 * Throws the `CarrierError` of every other answer.
 */
export function fromCancelResponse(answer: HttpAnswer): CarrierRefund {
  const text = refusalText(answer);
  if (/already been submitted/i.test(text)) return "pending";
  if (saysCancelled(text) || cancelled.includes(refusalCode(answer) ?? "")) return "approved";
  if (text !== "") throw classify(errorTable, answer);
  const status = textIn(successOf(answer), "status");
  if (status === "CANCELED") return "approved";
  if (status === "DISPUTED") return "pending";
  throw unreadable();
}
