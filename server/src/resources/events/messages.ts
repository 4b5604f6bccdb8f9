import { setTimeout as wait } from "node:timers/promises";
import type { Environment, Database } from "../../database/tables.ts";
import { readPage } from "../../events/feed/read-store.ts";
import type { News, Tail } from "../../events/feed/tail.ts";
import { toPayload, type PlacedEvent } from "../../events/payload.ts";

/** The messages of one stream, as server-sent events (WHATWG HTML, 9.2). */
export interface Listening {
  db: Database;
  tail: Tail;
  account_id: string;
  environment: Environment;
  types: readonly string[] | null;
  /** It begins after this position. */
  position: number;
  /** After so long without an event the reader is sent a comment; 15 s unless a test sets it. */
  ping_ms?: number;
  /** Ends the stream. */
  ends: AbortSignal;
  /** Called when the reader is so slow that too much waits for it. */
  fellBehind(): void;
}

/** A connection without traffic is closed by proxies, some after 30 s. */
const defaultPingMs = 15_000;
const readAtOnce = 100;
/** What may wait for a reader; it then resumes by its cursor. */
const unsentBytesMax = 256 * 1024;
/** After the end a client connects again in this time. */
const retry = "retry: 1000\n\n";

/**
 * Reads what there is from the database, at the reader's pace, then passes on what the tail tells, and reads again
 * where that has a gap.
 */
export async function* messagesOf(listening: Listening): AsyncGenerator<string> {
  const { db, account_id, types, environment, ends } = listening;
  let { position } = listening;
  // A message without data is no event, but clients keep its id: a reader whose connection breaks before the first
  // event resumes where it began.
  yield `id: ${position}\n${retry}`;
  while (!ends.aborted) {
    const page = await readPage(db, account_id, {
      types,
      subject_id: null,
      limit: readAtOnce,
      begin: () => position,
    });
    for (const event of page.events) {
      if (ends.aborted) break;
      yield messageOf(event, environment);
    }
    position = page.next_position;
    if (ends.aborted || !page.is_caught_up) continue;
    const live = listen(listening, position);
    try {
      for await (const { text, through } of live.messages()) {
        yield text;
        position = through;
      }
    } finally {
      live.leave();
    }
  }
  yield retry;
}

interface Message {
  text: string;
  /** The position that the reader has with it. */
  through: number;
}

/** What is placed behind the position, until the end, or until there is a gap. */
function listen(
  { tail, account_id, environment, types, ends, fellBehind, ping_ms = defaultPingMs }: Listening,
  position: number,
) {
  const queue: Message[] = [];
  let unsentBytes = 0;
  let known = position;
  let hasGap = false;
  let wake = new AbortController();

  function take({ after, through, events }: News): void {
    if (after > known) hasGap = true;
    if (hasGap) return wake.abort();
    // What was left from the round before: a reader that keeps up has taken it.
    if (unsentBytes > unsentBytesMax) return fellBehind();
    for (const event of events) {
      if (event.position <= known || (types && !types.includes(event.type))) continue;
      const text = messageOf(event, environment);
      unsentBytes += text.length;
      queue.push({ text, through: event.position });
    }
    known = Math.max(known, through);
    wake.abort();
  }

  const stop = () => wake.abort();
  ends.addEventListener("abort", stop);
  const leave = tail.listen(account_id, position, take);
  return {
    leave() {
      leave();
      ends.removeEventListener("abort", stop);
    },
    async *messages(): AsyncGenerator<Message> {
      while (!ends.aborted) {
        const next = queue.shift();
        if (next) {
          unsentBytes -= next.text.length;
          yield next;
        } else if (hasGap) {
          return;
        } else {
          wake = new AbortController();
          const isQuiet = await wait<boolean>(ping_ms, true, wake).catch(() => false);
          if (isQuiet) yield { text: ": ping\n\n", through: known };
        }
      }
    },
  };
}

/** Made once for all that listen. */
const messages = new WeakMap<PlacedEvent, string>();

function messageOf(event: PlacedEvent, environment: Environment): string {
  let message = messages.get(event);
  if (message === undefined) {
    const { position, type } = event;
    const data = JSON.stringify(toPayload(event, environment));
    message = `id: ${position}\nevent: ${type}\ndata: ${data}\n\n`;
    messages.set(event, message);
  }
  return message;
}
