import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";

/**
 * The ordinary tenant, in a process of its own. Reads lines `{base, tokens, shipments, seconds}` and answers
 * each with the latencies and statuses of its reads and purchases. They start by the clock and not when the
 * previous one has ended, so that a stall is counted as often as it is met.
 */

interface Order {
  base: string;
  tokens: string[];
  /** One purchase each. */
  shipments: string[];
  seconds: number;
}

export interface Taken {
  reads: number[];
  purchases: number[];
  /** By kind and status, of the responses that were no success. */
  failures: Record<string, number>;
}

const readsPerSecond = 10;
const purchasesPerSecond = 2;
const giveUpMs = 30_000;

async function work({ base, tokens, shipments, seconds }: Order): Promise<Taken> {
  const taken: Taken = { reads: [], purchases: [], failures: {} };
  const underWay: Promise<void>[] = [];
  const call = async (kind: "reads" | "purchases", path: string, turn: number, body?: object) => {
    const begun = performance.now();
    const status = await fetch(base + path, {
      method: body ? "POST" : "GET",
      headers: {
        authorization: `Bearer ${tokens[turn % tokens.length]}`,
        ...(body ? { "content-type": "application/json" } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(giveUpMs),
    })
      .then(async (response) => {
        await response.arrayBuffer();
        return response.status;
      })
      .catch(() => 0);
    taken[kind].push(performance.now() - begun);
    if (status < 200 || status > 299) {
      const name = `${kind} ${status}`;
      taken.failures[name] = (taken.failures[name] ?? 0) + 1;
    }
  };
  const begun = performance.now();
  for (let tick = 0; tick < seconds * readsPerSecond; tick++) {
    await wait(Math.max(0, begun + (tick * 1000) / readsPerSecond - performance.now()));
    underWay.push(
      call("reads", tick % 2 === 0 ? "/shipments?per_page=25" : "/credits/balance", tick),
    );
    if (tick % (readsPerSecond / purchasesPerSecond) !== 0) continue;
    const id = shipments.pop();
    if (id) underWay.push(call("purchases", `/labels/${id}`, tick, { service: "ups.standard" }));
  }
  await Promise.all(underWay);
  return taken;
}

console.log("ready");
for await (const line of createInterface({ input: process.stdin }))
  console.log(JSON.stringify(await work(JSON.parse(line) as Order)));
