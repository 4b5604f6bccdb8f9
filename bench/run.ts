import { deepRows, depth, mainCalls, type MainCalls } from "./main-calls.ts";
import { latency, rate, throughput } from "./measure.ts";
import { startBenchServer } from "./bench-server.ts";

/**
 * `node bench/run.ts`: measures the main calls in one run against the bare baseline and prints a table.
 * Absolute figures depend on the machine; only the ratios are comparable.
 */

const bench = await startBenchServer();
const table: [what: string, figure: string][] = [];
try {
  const calls = await mainCalls(bench);
  await measureGet(calls);
  await measureList(calls);
  await measureCreate(calls);
  await measureRates(calls);
  await measureLabels(calls);
} finally {
  await bench.stop();
}
console.log(`\n| what | figure |\n|---|---|`);
for (const [what, figure] of table) console.log(`| ${what} | ${figure} |`);

async function measureGet({ loads }: MainCalls) {
  const figures = await throughput({ bare: loads["bare get"], product: loads.get });
  note("bare Fastify + pg get", `${round(figures.bare)} requests/s`);
  note("authenticated get", `${round(figures.product)} requests/s`);
  note("**get, ratio to bare** (aim ≥ 0.5)", (figures.product / figures.bare).toFixed(2));
}

async function measureList({ loads }: MainCalls) {
  const figures = await throughput({ first: loads.list, deep: loads["deep list"] });
  note("list, first page of 25", `${round(figures.first)} requests/s`);
  note(`list at depth ${depth} of ${deepRows}`, `${round(figures.deep)} requests/s`);
  note(
    "**deep list, time against the first page** (aim ≤ 1.3)",
    (figures.first / figures.deep).toFixed(2),
  );
}

async function measureCreate({ loads }: MainCalls) {
  const figures = await throughput({
    bare: loads["bare insert"],
    one: loads.create,
    many: loads["bulk create"],
  });
  note("bare insert of the same row", `${round(figures.bare)} requests/s`);
  note("create one shipment", `${round(figures.one)} requests/s`);
  note("create, ratio to bare", (figures.one / figures.bare).toFixed(2));
  note("bulk create, 100 rows a call", `${round(figures.many * 100)} shipments/s`);
}

async function measureRates(calls: MainCalls) {
  const id = await calls.createShipment();
  for (const latency_ms of [0, 50]) {
    await calls.delayQuotes(latency_ms);
    const { p50, p99 } = await latency(100, () => calls.rate(id));
    note(
      `rates, 5 carriers at ${latency_ms} ms`,
      `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
    );
    note(
      `**quoting p50 beyond the carriers' ${latency_ms} ms** (aim ≤ 15)`,
      `${(p50 - latency_ms).toFixed(1)} ms`,
    );
  }
  await calls.delayQuotes(0);
}

async function measureLabels(calls: MainCalls) {
  const quoted = await calls.quotedShipments(600);
  const warm = quoted.splice(0, 50);
  await rate(warm, 8, calls.buy);
  note(
    "label purchase of quoted shipments, 16 at once",
    `${round(await rate(quoted, 16, calls.buy))} labels/s`,
  );
  const single = await calls.quotedShipments(110);
  const { p50, p99 } = await latency(100, (index) => calls.buy(single[index]!));
  note("label purchase, one after the other", `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`);
}

function note(what: string, figure: string) {
  table.push([what, figure]);
  console.log(`${what}: ${figure}`);
}

function round(value: number): number {
  return Math.round(value);
}
