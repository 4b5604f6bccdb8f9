import type { Places } from "../database/leases/claim-by-party.ts";
import { pause } from "../database/retry.ts";

/**
 * Background work that asks outside parties, such as carriers: a lane for each, so that one that hangs delays
 * no other. A lane has a few slots. A party that does not answer in time is asked for one item at a time,
 * until it answers again.
 */
interface PartyWork<Item> {
  /** Claims what is due, of each party at most as many as it has free slots. */
  take(places: Places): Promise<Item[]>;
  partyOf(item: Item): string;
  /** Asks the party; returns whether it answered at all. Must not throw. */
  ask(item: Item): Promise<boolean>;
}

interface Lane {
  places: number;
  under_way: number;
  /** It was given as many items as it had slots, so there may be more. */
  is_more: boolean;
}

/** How many items a party that answers is asked for at once, by each process. */
const placesMax = 8;
const takeEveryMs = 1000;

/** One round of a loop: takes what is due, and returns when there is a slot for more, or a second later. */
export function partyLanes<Item>(work: PartyWork<Item>): (signal: AbortSignal) => Promise<boolean> {
  const lanes = new Map<string, Lane>();
  const running = new Set<Promise<void>>();

  async function takeAndAsk(): Promise<void> {
    const free = ({ places, under_way }: Lane) => Math.max(0, places - under_way);
    const of = Object.fromEntries([...lanes].map(([party, lane]) => [party, free(lane)]));
    const taken = Map.groupBy(await work.take({ others: placesMax, of }), work.partyOf);
    for (const party of taken.keys())
      if (!lanes.has(party)) lanes.set(party, { places: placesMax, under_way: 0, is_more: false });
    for (const [party, lane] of lanes) {
      const items = taken.get(party) ?? [];
      lane.is_more = items.length >= (of[party] ?? placesMax);
      for (const item of items) ask(lane, item);
      // An idle lane with all its slots needs no record.
      if (lane.under_way === 0 && lane.places === placesMax) lanes.delete(party);
    }
  }

  function ask(lane: Lane, item: Item): void {
    lane.under_way++;
    const asked = work.ask(item).then((isAnswered) => {
      lane.places = isAnswered ? Math.min(placesMax, lane.places * 2) : 1;
      lane.under_way--;
      running.delete(asked);
    });
    running.add(asked);
  }

  /** Until a lane that has more to do has a slot, or new items may be due. */
  async function untilFree(signal: AbortSignal): Promise<void> {
    const freed = new AbortController();
    let isOver = false;
    const ticked = pause(takeEveryMs, AbortSignal.any([signal, freed.signal])).then(() => {
      isOver = true;
    });
    const hasPlace = () =>
      [...lanes.values()].some((lane) => lane.is_more && lane.under_way < lane.places);
    while (!isOver && running.size > 0 && !hasPlace()) await Promise.race([...running, ticked]);
    freed.abort();
  }

  return async (signal) => {
    await takeAndAsk();
    if (running.size > 0) await untilFree(signal);
    if (signal.aborted) await Promise.all(running);
    return running.size > 0;
  };
}
