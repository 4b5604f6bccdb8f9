import { changedPage, type ListOptions } from "./changed-page.ts";
import type { Entry, Journal } from "./journal.ts";
import type { LabelFacts, LabelState } from "./label-facts.ts";
import type { WireListedLabel } from "./wire.ts";

/** A carrier's own list of the labels that it issued: for a client that has lost its records. */
export async function listChanged(
  states: Iterable<LabelState>,
  journal: Journal,
  options: ListOptions,
): Promise<{ labels: WireListedLabel[]; next_cursor: number | null }> {
  const { page, next_cursor } = changedPage(states, options);
  return { labels: await Promise.all(page.map((state) => listed(state, journal))), next_cursor };
}

async function listed(state: LabelState, journal: Journal): Promise<WireListedLabel> {
  const entry = (await journal.readOne(state.sequence)) as Entry & LabelFacts;
  const { label_id, reference, tracking_code, voided } = state;
  const { request, service_code, amount_cents, currency, at } = entry;
  return {
    label_id,
    reference,
    references: request.references ?? null,
    tracking_code,
    service_code,
    extras: request.extras,
    label_format: request.label.format,
    amount_cents,
    currency,
    voided: voided?.effective ?? false,
    refund: voided?.refund ?? "none",
    bought_at: at,
  };
}
