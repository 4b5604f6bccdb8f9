import { Type, type Static } from "typebox";
import { Maybe, Moment, OneOf } from "../../domain/values/schema.ts";

/** The request and response schemas of combined documents. */

export const documentTypes = ["label", "commercial_invoice", "bol"] as const;
export type DocumentType = (typeof documentTypes)[number];
const DocumentType = OneOf(documentTypes, {
  $id: "CombinedDocumentType",
  description: "`label` of freight is that of its pallets.",
});

export const shipmentsMax = 500;
/** Ten for each shipment: what one request may make the process hold, hash and write. */
export const pagesMax = 5_000;

export const CombineDocuments = Type.Object(
  {
    shipment_ids: Maybe(
      Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
        minItems: 1,
        maxItems: shipmentsMax,
        uniqueItems: true,
      }),
    ),
    filter_id: Maybe(
      Type.String({
        maxLength: 100,
        description: "In place of `shipment_ids`: a saved filter that 500 shipments match at most.",
      }),
    ),
    types: Maybe(Type.Array(DocumentType, { minItems: 1, uniqueItems: true }), {
      description: "Of each shipment, in this order.",
      default: ["label"],
    }),
    order_by: Maybe(
      OneOf(["given", "created_at", "reference", "service", "postal_code"], {
        $id: "DocumentOrder",
      }),
      { default: "given" },
    ),
  },
  { $id: "CombineDocuments" },
);
export type CombineDocuments = Static<typeof CombineDocuments>;

export const CombinedDocuments = Type.Object(
  {
    id: Type.String(),
    url: Type.String(),
    expires_at: Moment(),
    pages: Type.Integer({ description: "Of a ZPL file, its labels." }),
    missing: Type.Array(
      Type.Object(
        {
          shipment_id: Type.String(),
          type: DocumentType,
          reason: OneOf(["not_found", "no_document", "unreadable", "other_format"], {
            $id: "MissingReason",
            description:
              "`no_document`: it has none of this type now. `other_format`: ZPL beside PDF or PNG.",
          }),
        },
        { $id: "MissingDocument" },
      ),
    ),
  },
  { $id: "CombinedDocuments" },
);
export type CombinedDocuments = Static<typeof CombinedDocuments>;
