import { randomUUID } from "node:crypto";
import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { toWirePackage } from "../server/src/carriers/simulated/quotes.ts";
import type { WireLabelRequest, WireRate } from "../server/src/carriers/simulator/wire.ts";
import type { Address } from "../server/src/domain/addresses/address.ts";
import type { Package } from "../server/src/domain/goods/parcel.ts";
import { deepRows, depth, mainCalls, type MainCalls } from "./main-calls.ts";
import { costOf, latency, rate, throughput, type Figure } from "./measure.ts";
import { startBenchServer } from "./bench-server.ts";

/**
 * `node bench/run.ts [--processes=2]`: measures the main calls in one run against a bare server and prints two tables:
 * each call with the processor time of every process, and the goals' ratios. Absolute figures depend on the
 * machine; only the ratios, and milliseconds of processor time, are comparable.
 */

const { values } = parseArgs({ options: { processes: { type: "string", default: "1" } } });
const samples = 1_000;
const labelsAtOnce = 16;
/** The carrier's own code of `ups.standard`. */
const upsStandard = "11";

const bench = await startBenchServer({}, process.cwd(), Number(values.processes));
const figures: string[][] = [];
const goals: string[][] = [];
try {
  const calls = await mainCalls(bench);
  await measureReads(calls);
  await measureCreations(calls);
  await measureRates(calls);
  await measureLabels(calls);
} finally {
  await bench.stop();
}
const load = loadavg()[0]!.toFixed(1);
console.log(
  `\nProcesses of the API: ${values.processes}. Load at the end, our own included: ${load}.\n`,
);
printTable(["call", "a second", "p99 ms", "CPU ms of server + database"], figures);
printTable(["goal", "aim", "figure"], goals);

async function measureReads({ loads, bytesOf }: MainCalls) {
  const seen = await throughput(
    {
      "bare get": loads["bare get"],
      get: loads.get,
      "bare list": loads["bare list"],
      list: loads.list,
      "deep list": loads["deep list"],
    },
    bench.costs,
  );
  const [first, deep, bare] = await Promise.all(
    [loads.list, loads["deep list"], loads["bare list"]].map(bytesOf),
  );
  note("bare Fastify and pg: get", seen["bare get"]);
  note("get", seen.get);
  note(`bare Fastify and pg: list of 25, ${bare} bytes`, seen["bare list"]);
  note(`list, first page of 25 drafts, ${first} bytes`, seen.list);
  note(`list at a depth of ${depth} of ${deepRows}, ${deep} bytes`, seen["deep list"]);
  goal("get / bare", "≥ 0.7", ratioOf(seen.get, seen["bare get"]));
  goal("list / bare list", "≥ 0.6", ratioOf(seen.list, seen["bare list"]));
  goal("list of 25 drafts", "≥ 1,300/s", `${Math.round(seen.list.perSecond)}/s`);
  goal("deep page / first page", "0.9–1.1", ratioOf(seen["deep list"], seen.list));
}

async function measureCreations({ loads }: MainCalls) {
  const seen = await throughput(
    { bare: loads["bare insert"], one: loads.create, many: loads["bulk create"] },
    bench.costs,
  );
  note("bare Fastify and pg: insert of the same row", seen.bare);
  note("create", seen.one);
  note("bulk create, calls of 100 rows", seen.many);
  goal("create / bare", "≥ 0.8", ratioOf(seen.one, seen.bare));
}

async function measureRates(calls: MainCalls) {
  const id = await calls.createShipment();
  for (const latency_ms of [0, 50]) {
    await calls.delayQuotes(latency_ms);
    const time = await latency(samples, () => calls.rate(id));
    const what = `rates of 5 carriers at ${latency_ms} ms`;
    addTo(figures, [what, perSecondOf(time), time.p99.toFixed(1), ""]);
    goal(`${what}: p50 beyond it`, "≤ 15 ms", `${(time.p50 - latency_ms).toFixed(1)} ms`);
  }
  await calls.delayQuotes(0);
}

async function measureLabels(calls: MainCalls) {
  const buyBare = await barePurchases(calls.row);
  await rate([...Array(100).keys()], labelsAtOnce, buyBare);
  await rate(await calls.quotedShipments(100), labelsAtOnce, calls.buy);
  const bare = await labelsOf([...Array(samples).keys()], buyBare);
  const together = await labelsOf(await calls.quotedShipments(samples), calls.buy);
  const alone = await labelsInTurn(await calls.quotedShipments(samples + 10), calls.buy);
  note(`bare purchase: a row, the carrier's call, a file, the row; ${labelsAtOnce} at once`, bare);
  note(`purchase of a quoted shipment, ${labelsAtOnce} at once`, together);
  note("purchase of a quoted shipment, one after the other", alone);
  goal("purchase / bare purchase", "", ratioOf(together, bare));
  goal(`label, ${labelsAtOnce} at once: server + database`, "≤ 4 ms", `${own(together)} ms`);
  goal("label, one after the other: server + database", "as at once", `${own(alone)} ms`);
}

/** Buys the labels of all, 16 at once. */
async function labelsOf<T>(work: T[], buy: (piece: T) => Promise<unknown>): Promise<Figure> {
  const before = bench.costs();
  const times: number[] = [];
  const perSecond = await rate(work, labelsAtOnce, async (piece) => {
    const start = performance.now();
    await buy(piece);
    times.push(performance.now() - start);
  });
  const p99_ms = times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)]!;
  return { perSecond, p99_ms, cost: costOf(before, bench.costs(), work.length) };
}

async function labelsInTurn(ids: string[], buy: (id: string) => Promise<unknown>): Promise<Figure> {
  const before = bench.costs();
  const { p50, p99 } = await latency(samples, (index) => buy(ids[index]!));
  return { perSecond: 1000 / p50, p99_ms: p99, cost: costOf(before, bench.costs(), ids.length) };
}

/** Milliseconds of what Waybill itself does: the carrier and the generator of the load are elsewhere in production. */
function own({ cost }: Figure): string {
  return (cost["server"]! + cost["database"]!).toFixed(1);
}

/** Purchases of the row's parcel by the bare server, of the same carrier at its price. */
async function barePurchases(row: MainCalls["row"]): Promise<(piece: number) => Promise<void>> {
  const consignment = {
    ship_date: new Date().toISOString().slice(0, 10),
    sender: row["from_address"] as Address,
    recipient: row["to_address"] as Address,
    packages: [toWirePackage((row["packages"] as Package[])[0]!)],
  };
  const quote = { ...consignment, currency: "CAD", service_codes: [upsStandard] };
  const { data } = await post<{ data: { rates: WireRate[] } }>(
    `${bench.simulator}/carriers/ups/quotes`,
    quote,
  );
  const [rate] = data.rates;
  const surcharges = rate!.surcharges.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
  const order: Omit<WireLabelRequest, "reference"> = {
    ...consignment,
    service_code: upsStandard,
    service_name: "UPS Standard",
    extras: [],
    expected_cost: { amount_cents: rate!.base_cents + surcharges, currency: rate!.currency },
    return_to: consignment.sender,
    is_return: false,
    ship_code: "BARE",
    customer_reference: null,
    contents_type: null,
    incoterm: null,
    customs_lines: [],
    label: { format: "pdf", size: "4x6" },
  };
  return async () => {
    await post(`${bench.bare}/bare-labels`, { ...order, reference: randomUUID() });
  };
}

async function post<T = unknown>(url: string, body: object): Promise<T> {
  const headers = { authorization: "Bearer sim_test_bare", "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

function note(call: string, { perSecond, cost, p99_ms }: Figure) {
  addTo(figures, [call, String(Math.round(perSecond)), p99_ms.toFixed(1), costsOf(cost)]);
}

function goal(name: string, aim: string, figure: string) {
  addTo(goals, [name, aim, figure]);
}

function addTo(table: string[][], row: string[]) {
  table.push(row);
  console.error(row.join(": "));
}

function perSecondOf({ p50 }: { p50: number }): string {
  return Math.round(1000 / p50).toString();
}

function ratioOf(one: Figure, other: Figure): string {
  return (one.perSecond / other.perSecond).toFixed(2);
}

/** Of the processes that took part: `0.31 server + 0.10 database`. */
function costsOf(cost: Record<string, number>): string {
  return Object.entries(cost)
    .filter(([, ms]) => ms >= 0.005)
    .map(([name, ms]) => `${ms.toFixed(2)} ${name}`)
    .join(" + ");
}

function printTable(titles: string[], rows: string[][]) {
  const lines = [titles, titles.map(() => "---"), ...rows];
  console.log(lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n") + "\n");
}
