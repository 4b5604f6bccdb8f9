import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { Order, Report } from "./thread.ts";
import type { Input, Output, Task } from "./tasks.ts";

/**
 * A few threads beside the event loop. Each task has a time limit, after which its thread is ended and another
 * one takes its place: whatever is in a text, it costs what the limit allows. Accounts take turns.
 */
export interface Threads {
  /** Throws `GivenUp` for a task that took too long or ended its thread, and what the task itself throws. */
  run<T extends Task>(task: T, input: Input<T>, terms: Terms): Promise<Output<T>>;
  close(): Promise<void>;
}

export interface Terms {
  /** Whose turn it takes. */
  account_id: string;
  /** How long it may wait for those before it, and for a thread to start. */
  wait_ms: number;
  /** How long it may run, once it does. */
  limit_ms: number;
}

/** A task that did not end by itself. */
export class GivenUp extends Error {
  /** `busy`: it never began, since others were before it. */
  readonly reason: "too_long" | "died" | "busy";

  constructor(reason: GivenUp["reason"], cause?: unknown) {
    super(`a task in a thread was given up: ${reason}`, { cause });
    this.name = "GivenUp";
    this.reason = reason;
  }
}

interface Job extends Order, Terms {
  ended: PromiseWithResolvers<unknown>;
}

/** A task that needs more dies, and not the process. */
const heapMaxMb = 512;

/** Threads start when there is work for them, and stay. */
export function openThreads(most = Math.min(4, Math.max(2, availableParallelism() - 1))): Threads {
  const lanes = new Map<string, Job[]>();
  const idle: Thread[] = [];
  const all = new Set<Thread>();

  /** The first job of the account that has waited longest for its turn. */
  function nextJob(): Job | undefined {
    const [account_id, jobs] = lanes.entries().next().value ?? [];
    if (account_id === undefined || !jobs) return undefined;
    lanes.delete(account_id);
    const job = jobs.shift()!;
    if (jobs.length > 0) lanes.set(account_id, jobs);
    return job;
  }

  function takeBack(job: Job): boolean {
    const jobs = lanes.get(job.account_id) ?? [];
    const at = jobs.indexOf(job);
    if (at >= 0) jobs.splice(at, 1);
    if (jobs.length === 0) lanes.delete(job.account_id);
    return at >= 0;
  }

  function handOut(): void {
    while (lanes.size > 0) {
      const thread = idle.pop();
      if (thread) thread.work(nextJob()!);
      else {
        const starting = [...all].filter((each) => !each.is_ready).length;
        if (all.size < most && starting < lanes.size) start();
        return;
      }
    }
  }

  function start(): void {
    const thread = startThread({
      onIdle: () => {
        idle.push(thread);
        handOut();
      },
      onEnd: () => {
        all.delete(thread);
        if (idle.includes(thread)) idle.splice(idle.indexOf(thread), 1);
        handOut();
      },
    });
    all.add(thread);
  }

  return {
    async run(task, input, terms) {
      const job: Job = { task, input, ...terms, ended: Promise.withResolvers() };
      lanes.set(terms.account_id, [...(lanes.get(terms.account_id) ?? []), job]);
      const patience = setTimeout(() => {
        if (takeBack(job)) job.ended.reject(new GivenUp("busy"));
      }, terms.wait_ms);
      handOut();
      try {
        return (await job.ended.promise) as Output<typeof task>;
      } finally {
        clearTimeout(patience);
      }
    },
    async close() {
      for (const jobs of lanes.values())
        for (const { ended } of jobs) ended.reject(new GivenUp("died"));
      lanes.clear();
      await Promise.all([...all].map((thread) => thread.stop()));
    },
  };
}

interface Thread {
  is_ready: boolean;
  work(job: Job): void;
  stop(): Promise<unknown>;
}

function startThread({ onIdle, onEnd }: { onIdle(): void; onEnd(): void }): Thread {
  const worker = new Worker(new URL("./thread.ts", import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: heapMaxMb },
  });
  let job: Job | null = null;
  let limit: NodeJS.Timeout | undefined;
  let reason: GivenUp["reason"] = "died";
  const thread: Thread = {
    is_ready: false,
    work(next) {
      job = next;
      // A process stays for what it waits for, and not for a thread that has nothing to do.
      worker.ref();
      limit = setTimeout(() => {
        reason = "too_long";
        void worker.terminate();
      }, next.limit_ms);
      worker.postMessage({ task: next.task, input: next.input } satisfies Order);
    },
    stop: () => worker.terminate(),
  };
  const rest = () => {
    clearTimeout(limit);
    job = null;
    worker.unref();
  };
  worker.on("message", (report: Report) => {
    if (report === "ready") thread.is_ready = true;
    else if ("done" in report) job?.ended.resolve(report.done);
    else job?.ended.reject(report.failed);
    rest();
    onIdle();
  });
  let cause: unknown;
  worker.on("error", (error: unknown) => {
    cause = error;
  });
  worker.on("exit", () => {
    job?.ended.reject(new GivenUp(reason, cause));
    rest();
    onEnd();
  });
  return thread;
}
