import { all, textAt, xml } from "../../protocol/xml.ts";
import { Refusal } from "../../simulator/refusal.ts";
import { answer } from "./answers.ts";
import type { Answers, DialectCall } from "./purolator-dialect.ts";

/** Bills of lading, as data, and manifests, behind an address. */
export const documents: Answers = { GetDocuments: { dial: "look_ups", answer: getDocuments } };
export const manifests: Answers = {
  GetShipmentManifestDocument: { dial: null, answer: getManifests },
};

async function getDocuments({ simulated: { labels }, request, reply }: DialectCall) {
  const [criteria] = all(request, "DocumentCriterium/DocumentCriteria");
  const pin = (criteria && textAt(criteria, "PIN/Value")) ?? "";
  const known = await labels.peek({ tracking_code: pin });
  if (!known) throw new Refusal(404, "pin_unknown", "There is no shipment with this PIN.");
  // The purchase does not say in which format the label will be wanted.
  const format = textAt(request, "OutputType") === "ZPL" ? "zpl" : "pdf";
  const { request: bought } = known.facts;
  const wanted = { ...bought, label: { ...bought.label, format } } as const;
  const { label } = await labels.show({ ...known, facts: { ...known.facts, request: wanted } });
  const detail = xml("DocumentDetail", [
    xml("DocumentType", "DomesticBillOfLadingThermal"),
    xml("Description", "Domestic Bill of Lading - Thermal"),
    xml("DocumentStatus", label ? "Completed" : "Processing"),
    label ? xml("Data", label.content) : null,
  ]);
  const document = xml("Document", [
    xml("PIN", [xml("Value", pin)]),
    xml("DocumentDetails", [detail]),
  ]);
  return answer(reply, "GetDocumentsResponse", [xml("Documents", [document])]);
}

async function getManifests({ simulated, message, reply }: DialectCall) {
  const latest = [...simulated.manifests.all()].at(-1);
  const base = `${message.protocol}://${message.host}/dialects/purolator`;
  const batches = latest
    ? [
        xml("ManifestBatch", [
          xml("ShipmentManifestDate", latest.made_at.slice(0, 10)),
          xml("ManifestCloseDateTime", latest.made_at),
          xml("ManifestBatchDetails", [
            xml("ManifestBatchDetail", [
              xml("DocumentType", "PrepaidManifest"),
              xml("Description", "Prepaid Manifest"),
              xml("DocumentStatus", "Completed"),
              xml("URL", `${base}/ShipOnline/shipment/getLabel.ashx?i=${latest.manifest_id}`),
            ]),
          ]),
        ]),
      ]
    : [];
  return answer(reply, "GetShipmentManifestDocumentResponse", [xml("ManifestBatches", batches)]);
}
