import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { expect, vi } from "vitest";
import { verdictOf } from "../client-log.ts";
import { outcomeOf, type Headers, type Reply, type Shipment } from "../client.ts";
import { aShipment } from "../shipments.ts";
import type { TestAccount } from "../world.ts";

/**
 * Clients that create shipments, buy labels, void them and top up without a pause, each call under a
 * key of its own: the load while something breaks.
 */
interface Traffic {
  /** Every call that was answered, in the order of the responses. */
  calls: Call[];
  /** Resolves when so many more calls have ended in that way. */
  until(count: number, ended: (call: Call) => boolean): Promise<void>;
  /** Resolves when the calls under way are answered. */
  stop(): Promise<void>;
}

export interface Call {
  /** By `performance.now()`. */
  asked_at: number;
  answered_at: number;
  reply: Reply<unknown>;
  outcome: string;
  /** The same call under the same key. */
  again(): Promise<Reply<unknown>>;
}

export const succeeded = ({ reply }: Call) => reply.status < 300;
export const wasRefused = ({ outcome }: Call) => outcome === "503 unavailable";

// A client that was refused retries soon, but does not fill the log.
const pauseMs = 40;

export function startTraffic(accounts: readonly TestAccount[]): Traffic {
  const calls: Call[] = [];
  let isStopping = false;

  async function call<T>(send: (headers: Headers) => Promise<Reply<T>>): Promise<T | null> {
    const headers = { "idempotency-key": randomUUID() };
    const asked_at = performance.now();
    const reply = await send(headers);
    const answered_at = performance.now();
    const again = () => send(headers);
    calls.push({ asked_at, answered_at, reply, outcome: outcomeOf(reply), again });
    if (reply.status < 300) return reply.body;
    await wait(pauseMs);
    return null;
  }

  async function run(account: TestAccount): Promise<void> {
    for (let round = 0; !isStopping; round++) {
      const created = await call((headers) =>
        account.post<{ data: Shipment }>("/shipments", aShipment(), headers),
      );
      if (!created) continue;
      const { id } = created.data;
      const label = await call((headers) => account.buy(id, { service: "cheapest" }, headers));
      if (!label) continue;
      if (round % 2 === 0)
        await call((headers) => account.post(`/shipments/${id}/void`, {}, headers));
      else await call((headers) => account.post("/credits/top-up", { amount: 12.34 }, headers));
    }
  }

  const running = Promise.all(accounts.map(run));
  return {
    calls,
    async until(count, ended) {
      const from = calls.length;
      await vi.waitFor(
        () => expect(calls.slice(from).filter(ended).length).toBeGreaterThanOrEqual(count),
        { timeout: 15_000, interval: 5 },
      );
    },
    async stop() {
      isStopping = true;
      await running;
    },
  };
}

/**
 * Retries each key that has no final response yet, until it has one; not all of them concurrently, because
 * thousands of requests would be refused for their number.
 */
export async function untilAllFinal({ calls }: Traffic): Promise<void> {
  const open = calls.filter(({ reply }) => verdictOf(reply) !== "final").values();
  const askAgain = async () => {
    for (const { again } of open)
      await vi.waitFor(
        async () => {
          const reply = await again();
          expect(verdictOf(reply), outcomeOf(reply)).toBe("final");
        },
        { timeout: 20_000, interval: 200 },
      );
  };
  await Promise.all(Array.from({ length: 40 }, askAgain));
}
