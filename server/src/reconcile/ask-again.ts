import { lookupSeconds } from "../outbound/deadline.ts";
import {
  CarrierError,
  descriptorUnder,
  type Carrier,
  type ListedLabel,
  type LookUp,
  type SentLabel,
  type Sighting,
} from "../carriers/carrier.ts";
import { contextOn } from "../shipping/connections/connection-book.ts";
import type { Job } from "./job.ts";
import { isOver, type NotedLabel } from "./noted.ts";

/**
 * What the carrier says of a purchase that is noted without an answer: the label, or that it is void; `no_answer` and
 * `may_show`, that it can be asked again later; `sold_nothing`, which is proved; `open`, that nothing is.
 */
export type LookupResult = Sighting | "voided" | "no_answer" | "may_show" | "sold_nothing" | "open";

export interface UnheardLabel {
  carrier: string;
  environment: "live" | "test";
  label: ListedLabel;
  noted: NotedLabel;
}

/** Asks once; changes nothing. */
export async function askAgain(job: Job, unheard: UnheardLabel): Promise<LookupResult> {
  const { carrier, environment, label, noted } = unheard;
  const { reference, references, bought_at: sent_at } = label;
  const { account_id } = references;
  const { connection_id, look_up } = noted;
  const context = await contextOn(job.platform, { account_id, environment, connection_id });
  const adapter = job.platform.carriers.get(carrier);
  const facts = descriptorUnder(adapter.descriptor, connection_id).lookUp;
  if (facts.by === "none") return "open";
  const seen = await lookUp(adapter, facts, { context, reference, sent_at, look_up: look_up! });
  if (typeof seen === "object" && seen) return seen.state === "voided" ? "voided" : seen;
  if (seen) return seen;
  if (facts.absence === "hint") return "open";
  return isOver(job, sent_at, facts.after_seconds) ? "sold_nothing" : "may_show";
}

/** Null where the carrier shows nothing. */
async function lookUp(
  carrier: Carrier,
  facts: Exclude<LookUp, { by: "none" }>,
  sent: SentLabel,
): Promise<Sighting | "no_answer" | "open" | null> {
  try {
    return await carrier.lookUpLabel(sent, AbortSignal.timeout(lookupSeconds * 1000));
  } catch (error) {
    const isRefused = error instanceof CarrierError && error.kind === "refused";
    // Such as one of several packages that share a reference: asking again does not help, and it is no proof.
    const isFinal = isRefused && error.exclusion === "carrier_error" && facts.absence === "hint";
    return isFinal ? "open" : "no_answer";
  }
}
