import type { TSchema } from "typebox";
import { eventTypes, type EventData, type EventType } from "./catalogue.ts";

/** An event as it might have happened, for readers of the catalogue and for tests of a webhook. */
export interface Sample<T extends EventType = EventType> {
  type: T;
  subject_id: string;
  data: EventData<T>;
}

/** A sample of a type: each field's first example, with the states that go with such an event. */
export function sampleOf<T extends EventType>(type: T): Sample<T> {
  const data = { ...valueOf(eventTypes[type].data), ...states[type] } as EventData<T>;
  return { type, subject_id: subjectOf(data), data };
}

/** Schemas know which states there are, and not which one an event leads to. */
const states: { [T in EventType]?: Partial<EventData<T>> } = {
  "shipment.purchased": { status: "purchased", previous_status: "draft" },
  "shipment.label_ready": { status: "purchased" },
  "shipment.purchase_failed": { status: "draft", previous_status: "draft" },
  "shipment.voided": {
    status: "voided",
    previous_status: "purchased",
    refund_status: "pending",
  },
  "ltl.booked": { shipment_type: "ltl", status: "booked", previous_status: "draft" },
  "ltl.cancelled": { shipment_type: "ltl", status: "cancelled", previous_status: "booked" },
  "refund.approved": { status: "voided" },
  "refund.rejected": { status: "purchased", previous_status: "voided" },
  "tracking.updated": {
    status: "in_transit",
    previous_status: "accepted",
    shipment_status: "in_transit",
    delivered_at: null,
  },
  "batch.completed": { status: "completed_with_errors", previous_status: "processing" },
  "pickup.scheduled": { status: "confirmed", previous_status: "scheduled" },
  "pickup.cancelled": { status: "cancelled", previous_status: "confirmed" },
  "pickup.failed": { status: "failed", previous_status: "scheduled" },
  "manifest.created": { status: "created" },
  "manifest.failed": { status: "failed" },
  "order.fulfilled": { status: "fulfilled", previous_status: "unfulfilled" },
  "product.status_changed": { status: "Classified", previous_status: "Imported" },
  "import.completed": { status: "completed_with_errors" },
};

/** The part of JSON Schema that the catalogue uses. */
interface Schema {
  type?: string | readonly string[];
  examples?: readonly unknown[];
  enum?: readonly unknown[];
  properties?: Record<string, Schema>;
  items?: Schema;
}

function valueOf(schema: TSchema): Record<string, unknown> {
  return exampleOf(schema) as Record<string, unknown>;
}

function exampleOf(schema: Schema): unknown {
  if (schema.examples) return schema.examples[0];
  if (schema.enum) return schema.enum[0];
  if (schema.items) return [exampleOf(schema.items)];
  const properties = Object.entries(schema.properties ?? {});
  return Object.fromEntries(properties.map(([name, each]) => [name, exampleOf(each)]));
}

/** Data begins with the id of its subject. Those of the account itself have none. */
function subjectOf(data: Record<string, unknown>): string {
  const [, id] = Object.entries(data).find(([name]) => /(^|_)id$|^sku$/.test(name)) ?? [];
  return typeof id === "string" ? id : "acc_01jz8n6t3ye5d9m2k4c7v0p1qa";
}
