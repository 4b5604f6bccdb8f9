import { setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import { tasks, type Task } from "./tasks.ts";

/** One thread: executes its orders, one after the other, and returns their results. */

export interface Order {
  task: Task;
  input: unknown;
}

/** `begun`: what the order needs is loaded. */
export type Report = { done: unknown } | { failed: unknown } | "begun";

// With fewer processors than work, the event loop and the database have priority. But a purchase waits for its documents:
// with the 10 of "below normal", a busy machine left a thread so little that a drawing of half a second was given up
// after eight. Linux counts this by thread; elsewhere it would slow the whole process down.
if (process.platform === "linux") setPriority(0, 5);

const port = parentPort!;
port.on("message", ({ task, input }: Order) => {
  const work = async () => {
    const loaded = (await tasks[task]()) as (input: unknown) => unknown;
    port.postMessage("begun" satisfies Report);
    return loaded(input);
  };
  work().then(
    (done) => port.postMessage({ done } satisfies Report, buffersOf(done)),
    (failed: unknown) => port.postMessage({ failed } satisfies Report),
  );
});

/** The memory of files in a result: it is handed over, since to copy a large file would block the event loop. */
function buffersOf(done: unknown): ArrayBuffer[] {
  const values = done instanceof Uint8Array ? [done] : Object.values(done ?? {});
  return values.flatMap((value) => (ownsItsMemory(value) ? [value.buffer] : []));
}

/** Small ones share a buffer with others. */
function ownsItsMemory(value: unknown): value is Uint8Array<ArrayBuffer> {
  return (
    value instanceof Uint8Array &&
    value.buffer instanceof ArrayBuffer &&
    value.byteLength === value.buffer.byteLength
  );
}
