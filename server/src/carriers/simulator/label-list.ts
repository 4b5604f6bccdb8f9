import type { Entry, Journal } from "./journal.ts";
import type { LabelFacts, LabelState } from "./label-facts.ts";
import type { WireListedLabel } from "./wire.ts";

/** A carrier's own list of the labels that it sold: for a client that has lost its own. */
export interface ListTerms {
  environment: string;
  since: Date;
  /** The `next_cursor` of the page before; 0 for the first page. */
  after: number;
}

const pageSize = 100;

export async function listChanged(
  states: Iterable<LabelState>,
  journal: Journal,
  { environment, since, after }: ListTerms,
): Promise<{ labels: WireListedLabel[]; next_cursor: number | null }> {
  const changed = [...states]
    .filter((state) => state.environment === environment && state.sequence > after)
    .filter((state) => Date.parse(state.changed_at) >= since.getTime())
    .sort((a, b) => a.sequence - b.sequence);
  const page = changed.slice(0, pageSize);
  const labels = await Promise.all(page.map((state) => listed(state, journal)));
  return { labels, next_cursor: changed.length > pageSize ? page.at(-1)!.sequence : null };
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
