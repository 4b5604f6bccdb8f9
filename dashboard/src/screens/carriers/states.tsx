import type { CarrierConnection, CatalogueCarrier } from "@waybill/sdk";
import { Badge, type Tone } from "../../kit/badge.tsx";
import { useWords } from "../../words/locale.tsx";
import { carrierWords } from "./words.ts";

const healthTones: Record<CatalogueCarrier["health"], Tone> = {
  up: "good",
  degraded: "warn",
  down: "danger",
};

const statusTones: Record<CarrierConnection["status"], Tone> = {
  untested: "info",
  active: "good",
  failing: "danger",
  disabled: "neutral",
};

/** Whether a carrier can be reached, as this process has found out. */
export function CarrierHealth({ health }: Pick<CatalogueCarrier, "health">) {
  const words = useWords(carrierWords);
  return <Badge tone={healthTones[health]}>{words.health[health]}</Badge>;
}

/** Whether a connection is accepted by its carrier. */
export function ConnectionStatus({ status }: Pick<CarrierConnection, "status">) {
  const words = useWords(carrierWords);
  return <Badge tone={statusTones[status]}>{words.statuses[status]}</Badge>;
}
