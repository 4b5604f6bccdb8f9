import { Type, type Static } from "typebox";
import type { LabelFile, LabelFormat } from "../../carriers/carrier.ts";
import type { Platform } from "../../context.ts";
import type { StoredDocument } from "../../database/tables.ts";
import { throwIfAny } from "../../domain/errors/errors.ts";
import { labelFormats } from "../../domain/shipments/shipment-enums.ts";
import { oneByOne, type OutboundOperation } from "../../outbound/operation.ts";
import { startCarrierFiles } from "./carrier-files.ts";
import { isLabelFile } from "./label-files.ts";
import { listReadyFiles } from "./ready-files.ts";
import { canBecome, inRequestedFormat } from "./requested-format.ts";
import { LabelBase64 } from "./review-label.ts";

/** A label whose file has not come: an operator may have it from the carrier's own site. */
interface MissingFile {
  shipment_id: string;
  carrier: string;
  tracking_code: string;
  purchase_reference: string;
  label_format: LabelFormat;
}

/** What the operator found: the files to store. */
interface FoundFile {
  files: LabelFile[];
  /** Set by `keep`, which runs before the settlement. */
  documents?: StoredDocument[];
}

const evidence = { label_base64: LabelBase64 };

/** A review without any outside call, about a label that is sold and paid. Its decision moves no money. */
export function labelFile(
  platform: Platform,
): OutboundOperation<MissingFile, null, FoundFile, void> {
  return {
    kind: "label_file",
    timeoutSeconds: () => 0,
    lookUp: () => null,
    recovery: { by: "find", find: async () => null },
    review: {
      evidence,
      advice: ({ input }) =>
        `Label ${input.tracking_code} is sold, and ${input.carrier} has had no file of it for a day (our reference is ${input.purchase_reference}). It is fetched every ten minutes all the same. ` +
        `Get the file from the carrier's own site and decide \`stands\` with it as \`label_base64\` (${sentAs(input.label_format)}): the merchant can print it. ` +
        "Decide `void` to leave it: the merchant can void the label.",
      moves: () => ({ stands: 0, void: 0 }),
      async resultOf({ account_id, input: { label_format: format } }, found) {
        const { label_base64 } = found as Static<Type.TObject<typeof evidence>>;
        const bytes = Buffer.from(label_base64, "base64");
        const isText = bytes.toString("base64") === label_base64;
        const sent = isText ? fileIn(bytes, format) : null;
        const files =
          sent &&
          (await inRequestedFormat(platform, { account_id, format, files: [sent] }).catch(
            () => null,
          ));
        const sentence = isText ? `is not a whole ${format} file.` : "is not base64.";
        throwIfAny(files ? {} : { label_base64: [sentence] });
        return { files: files! };
      },
    },
    send: async () => Promise.reject(new Error("a missing file is at no party")),
    async keep({ account_id, sent_at, input }, found) {
      const { shipment_id, purchase_reference: id } = input;
      const of = { account_id, id, shipment_id, sent_at };
      const { documents, stored } = await startCarrierFiles(platform, of, found.files);
      found.documents = documents;
      return { stored };
    },
    settle: oneByOne(async (tx, { attempt, result }) => {
      const { account_id, input } = attempt;
      const { shipment_id } = input;
      const { documents: files = [] } = result;
      await listReadyFiles(platform, tx, { account_id, shipment_id, files, by: attempt });
    }),
    release: async () => undefined,
    suspend: async () => undefined,
  };
}

const formatsBecoming = (requested: LabelFormat) =>
  labelFormats.filter((format) => canBecome(format, requested));

const sentAs = (requested: LabelFormat) => formatsBecoming(requested).join(" or ");

/** The bytes as a label in the requested format, or in one that becomes it: the site of a carrier without PNG has PDFs. */
function fileIn(bytes: Buffer, requested: LabelFormat): LabelFile | null {
  const format = formatsBecoming(requested).find((each) => isLabelFile({ format: each, bytes }));
  return format ? { type: "label", package_index: null, format, bytes } : null;
}
