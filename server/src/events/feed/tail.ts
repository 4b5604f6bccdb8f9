import { onNobodysBehalf } from "../../database/driver/on-behalf-of.ts";
import type { Database } from "../../database/tables.ts";
import type { PlacedEvent } from "../payload.ts";
import { readEvents, readHeads } from "./read-store.ts";

/**
 * Follows the ends of feeds for all that listen in this process: two statements each 200 ms find out who has
 * news, and each such feed is read once, however many listen to it.
 */
export interface Tail {
  /**
   * Tells of what is placed behind the position, from now until the returned function is called. News
   * whose `after` lies behind the listener's position has a gap before it, which the listener reads itself.
   */
  listen(account_id: string, position: number, tell: (news: News) => void): () => void;
}

/** All events between two positions. */
export interface News {
  after: number;
  through: number;
  events: readonly PlacedEvent[];
}

interface Followed {
  position: number;
  listeners: Set<(news: News) => void>;
}

const everyMs = 200;
const readAtOnce = 500;

/** `failed` is called when the database could not be read, which the next round does again. */
export function followFeeds(db: Database, failed: (error: unknown) => void): Tail {
  const feeds = new Map<string, Followed>();
  let isRunning = false;

  async function round(): Promise<boolean> {
    let isMore = false;
    for (const { account_id, last_position } of await readHeads(db, [...feeds.keys()])) {
      const feed = feeds.get(account_id);
      if (!feed || last_position <= feed.position) continue;
      const after = feed.position;
      const selection = { types: null, subject_id: null, limit: readAtOnce };
      const events = await readEvents(db, account_id, {
        ...selection,
        after,
        through: last_position,
      });
      const isPart = events.length === readAtOnce;
      feed.position = isPart ? events.at(-1)!.position : last_position;
      isMore ||= isPart;
      for (const tell of feed.listeners) tell({ after, through: feed.position, events });
    }
    return isMore;
  }

  function next(ms: number): void {
    isRunning = feeds.size > 0;
    if (!isRunning) return;
    const timer = setTimeout(() => {
      round()
        .catch(failed)
        .then((isMore) => next(isMore === true ? 0 : everyMs))
        .catch(failed);
    }, ms);
    timer.unref();
  }

  return {
    listen(account_id, position, tell) {
      const feed = feeds.get(account_id) ?? { position, listeners: new Set() };
      feeds.set(account_id, feed);
      feed.listeners.add(tell);
      const { position: at } = feed;
      if (at > position) queueMicrotask(() => tell({ after: at, through: at, events: [] }));
      if (!isRunning) onNobodysBehalf(() => next(everyMs));
      return () => {
        feed.listeners.delete(tell);
        if (feed.listeners.size === 0 && feeds.get(account_id) === feed) feeds.delete(account_id);
      };
    },
  };
}
