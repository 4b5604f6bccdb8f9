import { setTimeout as delay } from "node:timers/promises";
import { createParser, type EventSourceMessage } from "eventsource-parser";
import { Agent, request } from "undici";

/** Where a stream of events is read, and from where on. */
interface StreamSource {
  /** The base of the API, such as `http://127.0.0.1:8080/sandbox/api/v5`. */
  api: string;
  token: string;
  /** Patterns of types, with commas between them. */
  types: string;
  /** The position of the last event that was handled; null is the feed's head. */
  cursor: string | null;
}

export interface StreamedEvent {
  cursor: string;
  type: string;
  /** The event's JSON as it was sent. */
  body: string;
}

interface StreamReader {
  /** Called with one event after the other; the next one waits for it. */
  onEvent(event: StreamedEvent): Promise<void>;
  /** Called with the cursor from which on events will be sent, when none was given. */
  onBegin(cursor: string): void;
  /** What the user should know of, such as a lost connection. */
  onNotice(text: string): void;
}

/** The platform sends something each 15 s; a connection that is quiet for three times as long is dead. */
const quietMs = 45_000;
const slowestRetryMs = 30_000;

/**
 * Reads the stream until the process ends, connecting anew from the last event whenever it breaks off. Throws
 * when the platform refuses the token or the request.
 */
export async function readStream(from: StreamSource, reader: StreamReader): Promise<never> {
  const agent = new Agent({ connect: { timeout: 5_000 }, bodyTimeout: quietMs });
  const source = { ...from };
  let failures = 0;
  for (;;) {
    const onEvent = async (event: StreamedEvent) => {
      failures = 0;
      await reader.onEvent(event);
      source.cursor = event.cursor;
    };
    const onBegin = (cursor: string) => {
      if (source.cursor !== null) return;
      source.cursor = cursor;
      reader.onBegin(cursor);
    };
    const retryMs = await readOnce(source, agent, { ...reader, onEvent, onBegin });
    if (retryMs === null) failures += 1;
    await delay(retryMs ?? Math.min(slowestRetryMs, 500 * 2 ** Math.min(failures, 10)));
  }
}

/** One connection. Returns after how long to try again: what the platform says, or null when it says nothing. */
async function readOnce(
  source: StreamSource,
  agent: Agent,
  reader: StreamReader,
): Promise<number | null> {
  try {
    const url = `${source.api}/events/stream?${new URLSearchParams({ types: source.types }).toString()}`;
    const { statusCode, headers, body } = await request(url, {
      dispatcher: agent,
      headers: {
        accept: "text/event-stream",
        authorization: `Bearer ${source.token}`,
        ...(source.cursor === null ? {} : { "last-event-id": source.cursor }),
      },
    });
    if (statusCode === 200) return await readMessages(body, reader);
    const seconds = Number(headers["retry-after"]);
    handleRefusal(statusCode, await body.text(), { source, reader });
    return seconds > 0 ? seconds * 1_000 : null;
  } catch (error) {
    if (error instanceof Refused) throw error;
    reader.onNotice(`The stream broke off (${(error as Error).message}); it is resumed.`);
    return null;
  }
}

async function readMessages(
  body: AsyncIterable<Uint8Array>,
  reader: StreamReader,
): Promise<number | null> {
  const messages: { cursor: string; event: EventSourceMessage | null }[] = [];
  let retryMs: number | null = null;
  const parser = createParser({
    // Called before the event of the same message.
    onId: (cursor) => messages.push({ cursor, event: null }),
    onEvent: (event) => {
      const message = messages.at(-1);
      if (event.id !== undefined && message) message.event = event;
    },
    onRetry: (ms) => (retryMs = ms),
  });
  const decoder = new TextDecoder();
  for await (const chunk of body) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    for (const { cursor, event } of messages.splice(0)) {
      if (event === null) reader.onBegin(cursor);
      else if (event.event !== undefined)
        await reader.onEvent({ cursor, type: event.event, body: event.data });
    }
  }
  return retryMs;
}

class Refused extends Error {}

/** Throws when trying again cannot help. */
function handleRefusal(
  status: number,
  text: string,
  { source, reader }: { source: StreamSource; reader: StreamReader },
): void {
  const { message, code, oldest } = problemIn(text);
  if (status === 410 && code === "cursor_expired" && oldest !== null) {
    reader.onNotice(
      `Events after ${source.cursor ?? "the last one"} are no longer kept; it goes on with the oldest.`,
    );
    source.cursor = oldest;
    return;
  }
  const said = `The platform answered ${status}${message === "" ? "" : `: ${message}`}`;
  if (status < 500 && status !== 429) throw new Refused(said);
  reader.onNotice(`${said}; it is tried again.`);
}

function problemIn(text: string): { message: string; code: string; oldest: string | null } {
  try {
    const { error } = JSON.parse(text) as {
      error?: { message?: string; code?: string; details?: { oldest_cursor?: string } };
    };
    return {
      message: error?.message ?? "",
      code: error?.code ?? "",
      oldest: error?.details?.oldest_cursor ?? null,
    };
  } catch {
    return { message: "", code: "", oldest: null };
  }
}
