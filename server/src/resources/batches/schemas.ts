import { Type, type Static } from "typebox";
import { BatchStatus, itemStatuses } from "../../domain/batches/batch-states.ts";
import { Logged, Maybe, Moment, Money, Nullable, OneOf } from "../../domain/values/schema.ts";
import { LabelFormat, LabelSize } from "../../domain/shipments/shipment-enums.ts";
import { ErrorCodeName } from "../../domain/error-answers/error-schemas.ts";

/** The request and response schemas of batches (spec 2.8, decision 11). */

const Name = Type.String({ minLength: 1, maxLength: 100, examples: ["Friday's orders"] });
const ShipmentIds = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
  minItems: 1,
  description: "Each once, 10,000 at most.",
});

/** Defaults for what a batch leaves out. */
const ofBatch = {
  label_format: {
    description: "Of all its labels: what their shipments agree on when absent, else pdf.",
  },
  label_size: { description: "Each shipment's own when absent, else 4x6." },
};

export const NewBatch = Type.Object(
  {
    name: Name,
    shipment_ids: ShipmentIds,
    label_format: Maybe(LabelFormat, ofBatch.label_format),
    label_size: Maybe(LabelSize, ofBatch.label_size),
  },
  { $id: "NewBatch" },
);
export type NewBatch = Static<typeof NewBatch>;

export const BatchChanges = Type.Object(
  { name: Type.Optional(Name), shipment_ids: Type.Optional(ShipmentIds) },
  { $id: "BatchChanges", description: "`shipment_ids` takes the place of the whole list." },
);
export type BatchChanges = Static<typeof BatchChanges>;

export const BatchMembers = Type.Object({ shipment_ids: ShipmentIds }, { $id: "BatchMembers" });
export type BatchMembers = Static<typeof BatchMembers>;

export const ProcessBatch = Type.Object(
  {
    service: Maybe(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description:
          "For shipments that name none: a service's code, or cheapest, fastest, cheapest_tracked.",
      }),
    ),
    label_format: Maybe(LabelFormat, ofBatch.label_format),
    label_size: Maybe(LabelSize, ofBatch.label_size),
  },
  { $id: "ProcessBatch" },
);
export type ProcessBatch = Static<typeof ProcessBatch>;

export const Batch = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    status: BatchStatus,
    shipment_ids: Type.Array(Type.String()),
    shipment_count: Type.Integer(),
    processed_count: Type.Integer({ description: "How many have succeeded or failed." }),
    success_count: Type.Integer(),
    error_count: Type.Integer(),
    total_cost: Money({ description: "Of the labels bought, taxes included." }),
    combined_label_url: Nullable(
      Type.String({ description: "All labels in one file; null until there is one." }),
    ),
    label_format: Nullable(LabelFormat),
    label_size: Nullable(LabelSize),
    created_at: Moment(),
    process_started_at: Nullable(Moment()),
    processed_at: Nullable(Moment()),
  },
  { $id: "Batch" },
);
export type Batch = Static<typeof Batch>;

export const itemStages = ["validation", "rating", "purchase"] as const;
export type BatchErrorStage = (typeof itemStages)[number];
export const BatchErrorStage = OneOf(itemStages, { $id: "BatchErrorStage" });

const ErrorDetails = Type.Object(
  {},
  {
    additionalProperties: true,
    description: "For `validation_failed`: dotted field path → sentences.",
  },
);

/** Why one shipment of a batch has no label. */
export const BatchError = Type.Object(
  {
    shipment_id: Type.String(),
    reference: Nullable(Type.String()),
    order_id: Nullable(Type.String()),
    code: Type.Unsafe<string>(ErrorCodeName),
    message: Type.String(),
    details: ErrorDetails,
    stage: BatchErrorStage,
    carrier: Nullable(Logged(Type.String(), "known")),
    retryable: Type.Boolean({ description: "Whether processing the batch again may help." }),
    occurred_at: Moment(),
  },
  { $id: "BatchError" },
);
export type BatchError = Static<typeof BatchError>;

/** One shipment of a batch, on its way to a label. */
export const BatchItem = Type.Object(
  {
    shipment_id: Type.String(),
    reference: Nullable(Type.String()),
    state: OneOf(itemStatuses, { $id: "BatchItemState" }),
    cost: Nullable(Money({ description: "Taxes included; null until it is bought." })),
    error: Nullable(
      Type.Object(
        {
          code: Type.Unsafe<string>(ErrorCodeName),
          message: Type.String(),
          details: ErrorDetails,
          stage: BatchErrorStage,
        },
        { $id: "BatchItemError" },
      ),
    ),
  },
  { $id: "BatchItem" },
);
export type BatchItem = Static<typeof BatchItem>;
