import { OneOf } from "../values/schema.ts";

/** The states of a webhook and of its deliveries. */

export const webhookStatuses = ["enabled", "disabled"] as const;
export type WebhookStatus = (typeof webhookStatuses)[number];
export const WebhookStatus = OneOf(webhookStatuses, { $id: "WebhookStatus" });

export const deliveryStatuses = ["pending", "delivered", "failed", "cancelled"] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];
export const DeliveryStatus = OneOf(deliveryStatuses, { $id: "DeliveryStatus" });

/** What a delivery was made for: an event as it was placed, a replay of it, or a test with a sample. */
export const deliveryTriggers = ["event", "replay", "test"] as const;
export type DeliveryTrigger = (typeof deliveryTriggers)[number];
export const DeliveryTrigger = OneOf(deliveryTriggers, { $id: "DeliveryTrigger" });
