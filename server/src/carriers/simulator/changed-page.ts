/** A page of what a carrier issued: for a client that has lost its own records. */
export interface ListOptions {
  environment: string;
  since: Date;
  /** The `next_cursor` of the page before; 0 for the first page. */
  after: number;
}

/** The fields that a list filters by. */
interface Changed {
  sequence: number;
  environment: string;
  /** When it was issued, or voided since. */
  changed_at: string;
}

const pageSize = 100;

/** Those of one environment that were issued or voided since a moment, in the order of their issue. */
export function changedPage<State extends Changed>(
  states: Iterable<State>,
  { environment, since, after }: ListOptions,
): { page: State[]; next_cursor: number | null } {
  const changed = [...states]
    .filter((state) => state.environment === environment && state.sequence > after)
    .filter((state) => Date.parse(state.changed_at) >= since.getTime())
    .sort((a, b) => a.sequence - b.sequence);
  const page = changed.slice(0, pageSize);
  return { page, next_cursor: changed.length > pageSize ? page.at(-1)!.sequence : null };
}
