import { sql } from "kysely";
import { expect, vi } from "vitest";
import type { Database } from "../../src/database/tables.ts";
import type { Cluster } from "../setup/cluster.ts";
import { leaseSeconds, type TargetProcess } from "./crash-rig.ts";
import type { CutProxy } from "./cut-proxy.ts";

/** What may die while the target is held at a crash point. */
interface StruckRig {
  target: TargetProcess;
  observer: TargetProcess;
  db: Database;
  cluster: Cluster;
  network: CutProxy;
  /** The outside party: the carriers, or a receiver of webhooks. */
  outside: { kill(): Promise<void>; start(): Promise<void> };
}

/** Each leaves the platform whole again: what it kills, it starts. `untilAtRest` waits until there is nothing to do. */
export const strikes = {
  async "the process dies"({ target, observer }) {
    await target.kill();
    observer.release();
    await target.start();
  },
  async "the process is paused past its lease"({ target, observer, db }, untilAtRest) {
    target.pause();
    observer.release();
    await untilPastLease(db);
    await untilAtRest();
    target.resume();
    target.release();
  },
  async "the database dies"({ target, observer, cluster }) {
    await cluster.kill();
    target.release();
    observer.release();
    await cluster.start();
  },
  async "the connection to the database breaks"({ target, observer, network }) {
    network.cut();
    target.release();
    observer.release();
  },
  async "the outside party dies"({ target, observer, outside }) {
    await outside.kill();
    target.release();
    observer.release();
    await outside.start();
  },
} satisfies Record<string, (rig: StruckRig, untilAtRest: () => Promise<unknown>) => Promise<void>>;

export type Strike = keyof typeof strikes;
export const strikeNames = Object.keys(strikes) as Strike[];

/** Of the target and the observer, one is counted as dead. */
async function untilPastLease(db: Database): Promise<void> {
  await vi.waitFor(
    async () => {
      const { rows } = await sql`SELECT FROM processes
        WHERE heartbeat_at > now() - make_interval(secs => ${leaseSeconds})`.execute(db);
      expect(rows).toHaveLength(1);
    },
    { timeout: 20_000, interval: 50 },
  );
}
