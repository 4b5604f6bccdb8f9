import type { WaybillEvent } from "./webhooks.ts";

/** The account's events as they happen, until the loop is left or the signal ends it. */
export type EventStream = AsyncIterable<WaybillEvent>;

/** Opens the stream behind a cursor, or at what is new; null when the server cannot be reached right now. */
export type OpenStream = (after?: string) => Promise<ReadableStream<Uint8Array>>;

/** The events of one stream after another: the server ends each after a while, and the next goes on behind the last event. */
export async function* eventsOf(open: OpenStream, after?: string): EventStream {
  let cursor = after;
  for (;;) {
    const stream = await open(cursor);
    try {
      for await (const event of messagesOf(stream)) {
        cursor = event.cursor;
        yield event;
      }
    } catch (error) {
      // A connection that is cut is opened anew; one that cannot be opened fails with its own error.
      if (!(error instanceof TypeError)) throw error;
    }
  }
}

/** The `data` of each message of `text/event-stream`. */
async function* messagesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<WaybillEvent> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const blocks = (rest + decoder.decode(value, { stream: true })).split(/\r?\n\r?\n/);
      rest = blocks.pop() ?? "";
      for (const block of blocks) {
        const data = [...block.matchAll(/^data: ?(.*)$/gm)].map(([, line]) => line).join("\n");
        if (data) yield JSON.parse(data) as WaybillEvent;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
