import type { Environment } from "../../database/tables.ts";
import { eventTypes, type EventType } from "../../domain/events/catalogue.ts";
import { sampleOf } from "../../domain/events/sample.ts";
import { toPayload } from "../../events/payload.ts";
import type { EventTypeDescription } from "./schemas.ts";

/** The catalogue, each type with an event as it might be. */
export function listEventTypes(environment: Environment): EventTypeDescription[] {
  return (Object.keys(eventTypes) as EventType[]).map((type) => {
    const { subject_id, data } = sampleOf(type);
    const sample = {
      id: "evt_01jz8n6t3ye5d9m2k4c7v0p1qa",
      type,
      created_at: new Date("2026-10-05T14:03:22.120Z"),
      subject_id,
      sequence: 1,
      position: 1042,
      actor: "token:tok_01jz8n6t3ye5d9m2k4c7v0p1qa",
      request_id: "7f9c1c2e-5a0e-4d53-9a3b-0d1f6f0a2b11",
      data,
    };
    return { type, summary: eventTypes[type].summary, sample: toPayload(sample, environment) };
  });
}
