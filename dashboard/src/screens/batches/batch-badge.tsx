import type { BatchStatus } from "@waybill/sdk";
import { Badge, type Tone } from "../../kit/badge.tsx";
import { useWords } from "../../words/locale.tsx";
import { batchWords } from "./words.ts";

const tones: Record<BatchStatus, Tone> = {
  open: "neutral",
  processing: "info",
  completed: "good",
  completed_with_errors: "warn",
};

/** The state of a batch. */
export function BatchBadge({ status }: { status: BatchStatus }) {
  const words = useWords(batchWords);
  return <Badge tone={tones[status]}>{words.statuses[status]}</Badge>;
}
