import { mainCalls, type MainCalls } from "./main-calls.ts";
import { latency, median, rate, requestRate } from "./measure.ts";
import { startBenchServer, type BenchServer } from "./bench-server.ts";

/**
 * `node bench/paired.ts <folder> [rounds] [words]`: what a change costs or saves, of the calls whose name has these words. `folder` is another checkout with its
 * `node_modules`, before the change. Both run side by side, each with a database of its own, and are measured in
 * turns, in short rounds: a machine whose speed drifts slows both alike. Half of the rounds run with the one checkout
 * started first, half with the other: the same code started first was measured 5 % faster than started second. Prints
 * for each call the median of the rounds' ratios, in which more than 1 means that this checkout is faster.
 */

const [before, rounds = "12", words = ""] = process.argv.slice(2);
if (!before) throw new Error("Which checkout shall this one be compared with? Name its folder.");

type Measure = (calls: MainCalls) => Promise<number>;
const allMeasures: Record<string, Measure> = {
  "bare Fastify + pg get": throughputOf("bare get"),
  "authenticated get": throughputOf("get"),
  "list, first page of 25": throughputOf("list"),
  "list at a depth of 10,000": throughputOf("deep list"),
  "bare insert": throughputOf("bare insert"),
  "create one shipment": throughputOf("create"),
  "bulk create, 100 rows a call": throughputOf("bulk create"),
  "rates, 5 carriers at 0 ms": (calls) => ratesAt(calls, 0),
  "rates, 5 carriers at 50 ms": (calls) => ratesAt(calls, 50),
  "label purchase, 16 at once": async (calls) =>
    rate(await calls.quotedShipments(64), 16, calls.buy),
  "label purchase, one after the other": async (calls) => {
    const quoted = await calls.quotedShipments(30);
    return 1000 / (await latency(20, (index) => calls.buy(quoted[index]!))).p50;
  },
};

const measures = Object.fromEntries(
  Object.entries(allMeasures).filter(([name]) => name.includes(words)),
);
const here = undefined;
const ratios = new Map<string, number[]>(Object.keys(measures).map((name) => [name, []]));
await measureInTurns([before, here]);
await measureInTurns([here, before]);

console.log(`| what | after against before | all ${rounds} rounds |\n|---|---|---|`);
for (const [name, seen] of ratios) {
  const range = `${Math.min(...seen).toFixed(2)} to ${Math.max(...seen).toFixed(2)}`;
  console.log(`| ${name} | ${median(seen).toFixed(2)} | ${range} |`);
}

/** Half of the rounds, with the checkouts started in this order. */
async function measureInTurns(order: (string | undefined)[]): Promise<void> {
  const servers: BenchServer[] = [];
  try {
    const started = new Map<string | undefined, MainCalls>();
    for (const checkout of order) {
      const server = await startBenchServer({}, checkout);
      servers.push(server);
      started.set(checkout, await mainCalls(server));
    }
    const [old, now] = [started.get(before)!, started.get(here)!];
    const last = Math.ceil(Number(rounds) / 2);
    // The first round warms up.
    for (let round = 0; round <= last; round++) {
      for (const [name, measure] of Object.entries(measures)) {
        const [first, second] = round % 2 === 0 ? [old, now] : [now, old];
        const figures = new Map([[first, await measure(first)]]).set(second, await measure(second));
        if (round > 0) ratios.get(name)!.push(figures.get(now)! / figures.get(old)!);
      }
      console.error(
        `round ${round} of ${last}, started ${order[0] === before ? "before" : "after"} first`,
      );
    }
  } finally {
    for (const server of servers) await server.stop();
  }
}

function throughputOf(name: keyof MainCalls["loads"]): Measure {
  return ({ loads }) => requestRate(loads[name], 1);
}

/** Quotes a second, one after the other. */
async function ratesAt(calls: MainCalls, latency_ms: number): Promise<number> {
  const id = await calls.createShipment();
  await calls.delayQuotes(latency_ms);
  const { p50 } = await latency(20, () => calls.rate(id));
  await calls.delayQuotes(0);
  return 1000 / p50;
}
