import type { Shipment } from "@waybill/sdk";
import { Badge, type Tone } from "../../kit/badge.tsx";
import { useWords } from "../../words/locale.tsx";
import { shipmentWords } from "./words.ts";

const tones: Record<Shipment["status"], Tone> = {
  draft: "neutral",
  purchasing: "info",
  purchase_pending: "warn",
  purchased: "accent",
  void_pending: "warn",
  voided: "neutral",
  cancelled: "neutral",
  in_transit: "info",
  delivered: "good",
  exception: "danger",
  returned: "warn",
  booked: "accent",
};

/** The state of a shipment. */
export function StatusBadge({ status }: { status: Shipment["status"] }) {
  const words = useWords(shipmentWords);
  return <Badge tone={tones[status]}>{words.statuses[status]}</Badge>;
}
