import { sleep } from "./retry.ts";
import type { WaybillEvent } from "./webhooks.ts";

/** The account's events as they happen, until the loop is left or the signal ends it. */
export type EventStream = AsyncIterable<WaybillEvent>;

interface StreamOptions {
  /** Opens the stream behind a cursor, or at what is new. */
  open(after?: string): Promise<ReadableStream<Uint8Array>>;
  after?: string;
  signal?: AbortSignal;
}

const pauseMs = 1000;

/**
 * The events of one stream after another: the server ends each after a while, a connection may be cut, and the next one
 * goes on behind the last event. Throws what opening throws, or the signal's reason.
 */
export async function* eventsOf({
  open,
  after,
  signal,
}: StreamOptions): AsyncGenerator<WaybillEvent> {
  let cursor = after;
  for (;;) {
    for await (const event of messagesOf(await open(cursor), signal)) {
      cursor = event.cursor;
      yield event;
    }
    await sleep(pauseMs, signal);
  }
}

/** The `data` of each message of `text/event-stream`, until it ends or is cut. */
async function* messagesOf(
  stream: ReadableStream<Uint8Array>,
  signal?: AbortSignal,
): AsyncGenerator<WaybillEvent> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  const stop = () => void reader.cancel().catch(() => undefined);
  signal?.addEventListener("abort", stop);
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
      if (signal?.aborted) throw signal.reason;
      if (done) return;
      const blocks = (rest + decoder.decode(value, { stream: true })).split(/\r?\n\r?\n/);
      rest = blocks.pop() ?? "";
      for (const block of blocks) {
        const data = [...block.matchAll(/^data: ?(.*)$/gm)].map(([, line]) => line).join("\n");
        if (data) yield JSON.parse(data) as WaybillEvent;
      }
    }
  } finally {
    signal?.removeEventListener("abort", stop);
    stop();
  }
}
