import { Type, type Static } from "typebox";
import { batchStatuses } from "../../domain/batch-states.ts";
import { Maybe, Moment, Money, Nullable, OneOf } from "../../domain/schema.ts";

/** What batches look like going in and coming out (spec 2.8, decision 11). */

const Name = Type.String({ minLength: 1, maxLength: 100, examples: ["Friday's orders"] });
const ShipmentIds = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
  minItems: 1,
  description: "Each once, 10,000 at most.",
});

export const NewBatch = Type.Object({ name: Name, shipment_ids: ShipmentIds }, { $id: "NewBatch" });
export type NewBatch = Static<typeof NewBatch>;

export const BatchChanges = Type.Object(
  { name: Type.Optional(Name), shipment_ids: Type.Optional(ShipmentIds) },
  { $id: "BatchChanges", description: "`shipment_ids` takes the place of the whole list." },
);
export type BatchChanges = Static<typeof BatchChanges>;

export const BatchMembers = Type.Object({ shipment_ids: ShipmentIds }, { $id: "BatchMembers" });
export type BatchMembers = Static<typeof BatchMembers>;

const labelFormats = ["pdf", "zpl", "png"] as const;

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
    label_format: Maybe(OneOf(labelFormats, { description: "pdf by default." })),
  },
  { $id: "ProcessBatch" },
);
export type ProcessBatch = Static<typeof ProcessBatch>;

export const Batch = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    status: OneOf(batchStatuses),
    shipment_ids: Type.Array(Type.String()),
    shipment_count: Type.Integer(),
    processed_count: Type.Integer({ description: "How many have succeeded or failed." }),
    success_count: Type.Integer(),
    error_count: Type.Integer(),
    total_cost: Money({ description: "Of the labels bought, taxes included." }),
    combined_label_url: Nullable(
      Type.String({ description: "All labels in one file; null until there is one." }),
    ),
    label_format: Nullable(OneOf(labelFormats)),
    created_at: Moment(),
    process_started_at: Nullable(Moment()),
    processed_at: Nullable(Moment()),
  },
  { $id: "Batch" },
);
export type Batch = Static<typeof Batch>;

export const itemStages = ["validation", "rating", "purchase"] as const;

/** Why one shipment of a batch has no label. */
export const BatchError = Type.Object(
  {
    shipment_id: Type.String(),
    reference: Nullable(Type.String()),
    order_id: Nullable(Type.String()),
    code: Type.String({ description: "A code of the list of errors." }),
    message: Type.String(),
    details: Type.Object(
      {},
      {
        additionalProperties: true,
        description: "For `validation_failed`: dotted field path → sentences.",
      },
    ),
    stage: OneOf(itemStages),
    carrier: Nullable(Type.String()),
    retryable: Type.Boolean({ description: "Whether processing the batch again may help." }),
    occurred_at: Moment(),
  },
  { $id: "BatchError" },
);
export type BatchError = Static<typeof BatchError>;
