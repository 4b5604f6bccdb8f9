import { parentPort } from "node:worker_threads";
import { tasks, type Task } from "./tasks.ts";

/** One thread: does what it is given, one after the other, and says what came of it. */

export interface Order {
  task: Task;
  input: unknown;
}

export type Report = { done: unknown } | { failed: unknown } | "ready";

const port = parentPort!;
port.on("message", ({ task, input }: Order) => {
  const work = async () => (tasks[task] as (input: unknown) => unknown)(input);
  work().then(
    (done) => port.postMessage({ done } satisfies Report),
    (failed: unknown) => port.postMessage({ failed } satisfies Report),
  );
});
port.postMessage("ready" satisfies Report);
