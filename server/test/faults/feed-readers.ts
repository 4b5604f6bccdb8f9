import { createParser } from "eventsource-parser";
import { Agent, request } from "undici";
import { setTimeout as delay } from "node:timers/promises";

/**
 * A reader of an account's feed and one of its stream. Both ask the processes in turn, and resume behind the last event
 * that they have whenever a process dies; the reader of the stream also drops its connection after each fifth event.
 */
export interface FeedReaders {
  /** The cursors and ids of the events that each has read, in the order in which it read them. */
  feed: Read[];
  stream: Read[];
  stop(): Promise<void>;
}

export interface Read {
  cursor: string;
  id: string;
}

interface Asked {
  /** The processes' addresses. */
  urls: readonly string[];
  token: string;
  stopped: AbortSignal;
}

const eventsOfConnection = 5;
const betweenTriesMs = 50;

export function readFeeds({ urls, token }: Omit<Asked, "stopped">): FeedReaders {
  const stop = new AbortController();
  const asked = { urls, token, stopped: stop.signal };
  const [feed, stream]: Read[][] = [[], []];
  const reading = Promise.all([
    repeat(asked, (url, agent) => readPage(asked, feed!, { url, agent })),
    repeat(asked, (url, agent) => readStream(asked, stream!, { url, agent })),
  ]);
  return {
    feed: feed!,
    stream: stream!,
    async stop() {
      stop.abort();
      await reading;
    },
  };
}

/** Reads again and again, from the other process where one does not answer. */
async function repeat(
  { urls, stopped }: Asked,
  read: (url: string, agent: Agent) => Promise<void>,
): Promise<void> {
  const agent = new Agent({ connect: { timeout: 1_000 }, headersTimeout: 5_000 });
  for (let turn = 0; !stopped.aborted; turn += 1) {
    try {
      await read(`${urls[turn % urls.length]}/sandbox/api/v5`, agent);
    } catch {
      await delay(betweenTriesMs);
    }
  }
  await agent.destroy();
}

interface Source {
  url: string;
  agent: Agent;
}

async function readPage({ token, stopped }: Asked, seen: Read[], { url, agent }: Source) {
  const after = seen.at(-1)?.cursor ?? "0";
  const { statusCode, body } = await request(`${url}/events?after=${after}&limit=7&wait=1`, {
    dispatcher: agent,
    headers: { authorization: `Bearer ${token}` },
    signal: stopped,
  });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(text);
  const { data } = JSON.parse(text) as { data: Read[] };
  for (const { cursor, id } of data) seen.push({ cursor, id });
}

async function readStream({ token, stopped }: Asked, seen: Read[], { url, agent }: Source) {
  const after = seen.at(-1)?.cursor ?? "0";
  const { statusCode, body } = await request(`${url}/events/stream`, {
    dispatcher: agent,
    headers: { authorization: `Bearer ${token}`, "last-event-id": after },
    signal: stopped,
  });
  if (statusCode !== 200) throw new Error(await body.text());
  let left = eventsOfConnection;
  const parser = createParser({
    onEvent: ({ id, data }) => {
      if (left-- <= 0) return;
      seen.push({ cursor: id!, id: (JSON.parse(data) as Read).id });
    },
  });
  for await (const chunk of body as AsyncIterable<Buffer>) {
    parser.feed(chunk.toString());
    if (left <= 0) break;
  }
}
