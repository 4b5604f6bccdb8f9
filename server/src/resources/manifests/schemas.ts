import { Type, type Static } from "typebox";
import { ManifestStatus } from "../../domain/manifests/manifest-states.ts";
import { LabelFormat } from "../../domain/shipments/shipment-enums.ts";
import { Annotated, Logged, Maybe, Moment, Nullable, OneOf } from "../../domain/values/schema.ts";

/** The request and response schemas of manifests (decision 27). */

/** Of a request by ids, and of a day's labels: a carrier's document lists each of them. */
export const shipmentsMax = 1000;
export const shipmentsOfDayMax = 5000;

/** The body of `POST /manifests`: exactly one of `shipment_ids` and `date`. */
export const NewManifest = Type.Object(
  {
    carrier: Logged(
      Type.String({
        minLength: 1,
        maxLength: 50,
        description: "A carrier's code; `GET /carriers` says which have manifests.",
        examples: ["canada_post"],
      }),
      "known",
    ),
    shipment_ids: Maybe(
      Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
        minItems: 1,
        maxItems: shipmentsMax,
        uniqueItems: true,
        description: "Shipments with a label of the carrier.",
      }),
    ),
    date: Maybe(
      Type.String({
        format: "date",
        description:
          "Instead of ids: the carrier's labels that were bought on this day, by the account's time zone, and are on no manifest.",
        examples: ["2026-10-05"],
      }),
    ),
  },
  { $id: "NewManifest" },
);
export type NewManifest = Static<typeof NewManifest>;

const ManifestDocument = Type.Object(
  {
    type: OneOf(["manifest"]),
    format: LabelFormat,
    url: Type.String({ format: "uri", description: "Works without a token for 30 minutes." }),
  },
  { $id: "ManifestDocument" },
);

const ManifestPart = Type.Object(
  {
    status: Annotated(ManifestStatus, {
      description: "creating: asked for, and the carrier's answer is still being looked up.",
    }),
    shipment_ids: Type.Array(Type.String()),
    manifest_number: Nullable(
      Type.String({ description: "What the carrier knows it by; null until it was made." }),
    ),
    error: Nullable(
      Type.Object(
        {
          code: Type.String(),
          message: Type.String(),
          carrier_code: Type.String(),
          retryable: Type.Boolean(),
        },
        { $id: "ManifestError" },
      ),
    ),
  },
  {
    $id: "ManifestPart",
    description:
      "One call of the carrier: for each connection that labels were bought on, and each address that they start from.",
  },
);

export const Manifest = Type.Object(
  {
    id: Type.String({ examples: ["man_01k6x3v2m4f8r9t0a1b2c3d4e5"] }),
    carrier: Logged(Type.String({ description: "The carrier's code." }), "known"),
    status: Annotated(ManifestStatus, {
      description:
        "creating until every part has an outcome; created when one of them was made; failed when none was.",
    }),
    shipment_ids: Type.Array(Type.String(), {
      description: "That are on it. Those of a part that failed are free again, and not in here.",
    }),
    documents: Type.Array(ManifestDocument, {
      description: "The carrier's documents; empty where it has not returned them yet.",
    }),
    parts: Type.Array(ManifestPart),
    created_at: Moment(),
    updated_at: Moment(),
  },
  { $id: "Manifest" },
);
export type Manifest = Static<typeof Manifest>;
