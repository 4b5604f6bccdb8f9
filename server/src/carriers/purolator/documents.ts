import { formatOfFile } from "../../domain/shipments/label-file.ts";
import type { LabelFile, LabelFormat } from "../carrier.ts";
import { CarrierError } from "../carrier.ts";
import { badAnswer } from "../protocol/classify.ts";
import { bytesIn } from "../protocol/json.ts";
import { all, textAt, xml, type XmlElement, type XmlOutput } from "../protocol/xml.ts";
import { errorTable } from "./errors.ts";
import { pinOf } from "./shipments.ts";

/** Documents: a bill of lading is the label. They come by a second call, as data or behind an address. No I/O. */

/** `OutputType` and `Synchronous` are in the service's types, and what other projects send. */
export function toDocumentsRequest(pin: string, format: LabelFormat): XmlOutput[] {
  return [
    xml("OutputType", format === "zpl" ? "ZPL" : "PDF"),
    xml("Synchronous", true),
    xml("DocumentCriterium", [xml("DocumentCriteria", [pinOf(pin)])]),
  ];
}

export interface KnownDocument {
  type: LabelFile["type"];
  content: Buffer | { url: string };
}

/**
 * The label and the customs invoice of an answer. Throws `file_not_ready` while one of them is being made, or
 * where there is no label among them.
 */
export function fromDocuments(result: XmlElement): KnownDocument[] {
  const details = all(result, "Documents/Document/DocumentDetails/DocumentDetail");
  const documents = details.flatMap((detail) => documentOf(detail) ?? []);
  if (documents.some(({ type }) => type === "label")) return documents;
  throw notReady();
}

/** Null for one that is neither, such as a receipt of a cheque. */
function documentOf(detail: XmlElement): KnownDocument | null {
  const name = textAt(detail, "DocumentType") ?? "";
  const type = /BillOfLading/i.test(name)
    ? "label"
    : /CustomsInvoice/i.test(name)
      ? "commercial_invoice"
      : null;
  if (type === null) return null;
  const content = contentOf(detail);
  if (content === null) throw notReady();
  return { type, content };
}

/** Null while it is not there, or cannot be read. */
export function contentOf(detail: XmlElement): KnownDocument["content"] | null {
  if (textAt(detail, "DocumentStatus") !== "Completed") return null;
  const data = textAt(detail, "Data");
  if (data !== null) return bytesIn(data);
  const url = textAt(detail, "URL");
  return url === null ? null : { url };
}

/** The format of a file; throws for one that is none, or only half of one. */
export function formatOf(bytes: Buffer): LabelFormat {
  const format = formatOfFile(bytes);
  if (format === null) throw badAnswer(errorTable);
  return format;
}

export function notReady(): CarrierError {
  return new CarrierError({
    kind: "unknown",
    carrier: errorTable.carrier,
    carrier_code: "file_not_ready",
    message: "Purolator has not drawn the document yet.",
  });
}

/** The manifests of a day. */
export function toManifestRequest(date: string): XmlOutput[] {
  return [
    xml("ShipmentManifestDocumentCriterium", [
      xml("ShipmentManifestDocumentCriteria", [xml("ManifestDate", date)]),
    ]),
  ];
}

/** Where the documents of the newest batch are. Throws while they are not there. */
export function fromManifests(result: XmlElement): { closed_at: string; urls: string[] } {
  const batch = all(result, "ManifestBatches/ManifestBatch").at(-1);
  const details = batch ? all(batch, "ManifestBatchDetails/ManifestBatchDetail") : [];
  const contents = details.map(contentOf);
  if (!batch || contents.length === 0 || contents.includes(null)) throw notReady();
  const urls = contents.flatMap((content) => (content && "url" in content ? [content.url] : []));
  return { closed_at: textAt(batch, "ManifestCloseDateTime") ?? "", urls };
}
