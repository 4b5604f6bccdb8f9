import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { aBound, bulkhead, type Seeker } from "../domain/scheduling/bulkhead.ts";
import { timeUsed } from "../domain/scheduling/active-accounts.ts";
import type { Order, Report } from "./thread.ts";
import type { Input, Output, Task } from "./tasks.ts";

/**
 * A few threads in addition to the event loop. Each task has a time limit, after which its thread is terminated and
 * replaced: whatever a text contains, its cost is limited. Accounts share the threads fairly.
 */
export interface Threads {
  /** Throws `TaskAborted` for a task that took too long or ended its thread, and what the task itself throws. */
  run<T extends Task>(task: T, input: Input<T>, options: TaskOptions): Promise<Output<T>>;
  close(): Promise<void>;
}

interface TaskOptions {
  /** The account whose share it uses. */
  account_id: string;
  /** How long it may wait for a free thread. */
  wait_ms: number;
  /** How long it may run, once its thread has started and loaded what it needs. */
  limit_ms: number;
  /** Memory of the input that is handed over to the thread: the caller cannot read it any more. */
  transfer?: readonly ArrayBuffer[];
}

/** What a thread returns of a file is a Uint8Array, not a Buffer. */
export function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** A task that did not end by itself. */
export class TaskAborted extends Error {
  /** `busy`: it never began, since others were before it. */
  readonly reason: "too_long" | "died" | "busy";

  constructor(reason: TaskAborted["reason"], cause?: unknown) {
    super(`a task in a thread was given up: ${reason}`, { cause });
    this.name = "TaskAborted";
    this.reason = reason;
  }
}

/** A task that needs more ends its thread, and not the process. */
const heapMaxMb = 512;

/** An ordinary document or search takes less, and many of them may be requested at once. */
const longMs = 100;

/** Threads start when there is work for them, and stay. */
export function openThreads(most = Math.min(4, Math.max(2, availableParallelism() - 1))): Threads {
  const places = bulkhead();
  const bound = aBound("threads", most);
  const idle: Thread[] = [];
  const all = new Set<Thread>();
  const closing = new AbortController();

  /** There is one for each holder of a slot. */
  function aThread(): Thread {
    const waiting = idle.pop();
    if (waiting) return waiting;
    const thread = startThread();
    all.add(thread);
    void thread.ended.then(() => {
      all.delete(thread);
      if (idle.includes(thread)) idle.splice(idle.indexOf(thread), 1);
    });
    return thread;
  }

  async function enter(seeker: Seeker, wait_ms: number): Promise<() => void> {
    const { signal } = closing;
    const leave = await places.enter(seeker, { wait_ms, signal }).catch((error: unknown) => {
      throw new TaskAborted(signal.aborted ? "died" : "busy", error);
    });
    if (!signal.aborted) return leave;
    throw new TaskAborted("died");
  }

  return {
    async run(task, input, options) {
      const { account_id: owner, wait_ms, limit_ms, transfer = [] } = options;
      const seeker = { owner, rank: 0, bounds: [bound] };
      const leave = await enter(seeker, wait_ms);
      const thread = aThread();
      const begun = performance.now();
      try {
        return (await thread.work({ task, input }, { limit_ms, transfer })) as Output<typeof task>;
      } finally {
        if (all.has(thread)) idle.push(thread);
        const worked_ms = performance.now() - begun;
        if (worked_ms > longMs) places.use(seeker, timeUsed(owner, worked_ms));
        leave();
      }
    },
    async close() {
      closing.abort();
      await Promise.all([...all].map((thread) => thread.stop()));
    },
  };
}

interface Thread {
  /** One order at a time. The limit counts from when the thread has started and loaded what the order needs. */
  work(
    order: Order,
    options: Required<Pick<TaskOptions, "limit_ms" | "transfer">>,
  ): Promise<unknown>;
  stop(): Promise<unknown>;
  ended: Promise<unknown>;
}

function startThread(): Thread {
  const worker = new Worker(new URL("./thread.ts", import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: heapMaxMb },
  });
  const ended = Promise.withResolvers<void>();
  /** The order in progress, and what to do once the thread has loaded what it needs. */
  let order: PromiseWithResolvers<unknown> | null = null;
  let onBegun: (() => void) | null = null;
  let reason: TaskAborted["reason"] = "died";
  let cause: unknown;
  worker.on("message", (report: Report) => {
    if (report === "begun") onBegun?.();
    else if ("done" in report) order?.resolve(report.done);
    else order?.reject(report.failed);
  });
  worker.on("error", (error: unknown) => {
    cause = error;
  });
  worker.on("exit", () => {
    ended.resolve();
    order?.reject(new TaskAborted(reason, cause));
  });
  return {
    ended: ended.promise,
    stop: () => worker.terminate(),
    async work(next, { limit_ms, transfer }) {
      const { promise } = (order = Promise.withResolvers());
      // A process stays alive for its orders, and not for an idle thread.
      worker.ref();
      let limit: NodeJS.Timeout | undefined;
      onBegun = () => {
        limit = setTimeout(() => {
          reason = "too_long";
          void worker.terminate();
        }, limit_ms);
      };
      try {
        worker.postMessage(next, transfer);
        return await promise;
      } finally {
        clearTimeout(limit);
        order = null;
        worker.unref();
      }
    },
  };
}
