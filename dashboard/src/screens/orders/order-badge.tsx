import type { OrderStatus } from "@waybill/sdk";
import { Badge, type Tone } from "../../kit/badge.tsx";
import { useWords } from "../../words/locale.tsx";
import { orderWords } from "./words.ts";

const tones: Record<OrderStatus, Tone> = {
  unfulfilled: "accent",
  partially_fulfilled: "info",
  fulfilled: "good",
  on_hold: "warn",
  cancelled: "neutral",
};

/** The state of an order. */
export function OrderBadge({ status }: { status: OrderStatus }) {
  const words = useWords(orderWords);
  return <Badge tone={tones[status]}>{words.statuses[status]}</Badge>;
}
