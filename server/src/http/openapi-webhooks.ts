import { eventTypes, type EventType } from "../domain/events/catalogue.ts";
import { sampleOf } from "../domain/events/sample.ts";
import { throughPlugin } from "./openapi-schemas.ts";

/** The `webhooks` of the document: what Waybill sends to an account's webhooks, by type of event. */

const headers = [
  ["webhook-id", "The event's id: the same at each attempt, redelivery and replay."],
  ["webhook-timestamp", "When this attempt was signed, in seconds since 1970."],
  ["webhook-signature", "One or two signatures, `v1,<base64>`, with a space between them."],
  ["waybill-delivery", "The delivery's id."],
  ["waybill-attempt", "The number of this attempt, from 1."],
] as const;

const parameters = headers.map(([name, description]) => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string" },
}));

/** Before its named schemas are moved to the components: `Event` must be among these already. */
export function documentedWebhooks(): Record<string, unknown> {
  const types = Object.keys(eventTypes) as EventType[];
  return Object.fromEntries(types.map((type) => [type, { post: operationOf(type) }]));
}

function operationOf(type: EventType): object {
  const { summary, data } = eventTypes[type];
  const { subject_id, data: example } = sampleOf(type);
  return {
    operationId: type.replaceAll(/[._](\w)/g, (_, letter: string) => letter.toUpperCase()),
    summary,
    tags: ["Webhooks"],
    security: [],
    parameters,
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: {
            allOf: [
              { $ref: "#/components/schemas/Event" },
              {
                type: "object",
                required: ["type", "data"],
                properties: { type: { const: type }, data: throughPlugin(data) },
              },
            ],
          },
          example: eventExample(type, { subject_id, data: example }),
        },
      },
    },
    responses: {
      "2XX": { description: "Received: it is not sent again." },
      "410": { description: "The receiver is gone: the webhook is disabled." },
    },
  };
}

/** The whole body of a sample. */
function eventExample(type: EventType, { subject_id, data }: { subject_id: string; data: object }) {
  return {
    id: "evt_01jz8n6t3ye5d9m2k4c7v0p1qa",
    type,
    timestamp: "2026-11-23T15:04:05.120Z",
    api_version: "v5",
    environment: "live",
    subject_id,
    sequence: 1,
    cursor: "1042",
    request_id: "req-4f1c",
    actor: { type: "token", id: "tok_01jz8n6t3ye5d9m2k4c7v0p1qa" },
    data,
  };
}
