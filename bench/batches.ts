import { randomUUID } from "node:crypto";
import { createInterface } from "node:readline/promises";
import { loadavg } from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import { median } from "./measure.ts";
import { processorSeconds, residentMebibytes } from "./processor-time.ts";
import { startBenchServer, parcelEntry } from "./bench-server.ts";

/**
 * `node bench/batches.ts [shipments] [alone]`: one batch of 10,000 labels with carriers that take 20 ms,
 * and before it, unless `alone`, smaller batches alternating with a bare loop of the same purchases.
 * Prints a table.
 */

const shipments = Number(process.argv[2] ?? 10_000);
const roundShipments = Math.min(shipments, 1_500);
const rounds = 3;
const carrierMs = 20;
/** As many as a batch of one account has under way. */
const atOnce = 24;
const service = "ups.standard";

const entry = { service, ...parcelEntry };

interface Batch {
  id: string;
  status: string;
  processed_count: number;
  success_count: number;
}

const bench = await startBenchServer();
const table: [what: string, figure: string][] = [];
try {
  await call("POST", `/accounts/${bench.account_id}/adjustments`, {
    amount: 900_000,
    description: "Bench",
  });
  await dial({ "*": { latency_ms: carrierMs } });
  if (process.argv[3] !== "alone") await compare();
  await measureOne();
} finally {
  await bench.stop();
}
console.log(`\n| what | figure |\n|---|---|`);
for (const [what, figure] of table) console.log(`| ${what} | ${figure} |`);

async function compare() {
  const bare = await bench.start("bare-purchases.ts");
  const lines = createInterface({ input: bare.stdout! })[Symbol.asyncIterator]();
  const buyBare = async (ids: string[]) => {
    const order = { account_id: bench.account_id, ids, service, at_once: atOnce };
    bare.stdin!.write(`${JSON.stringify(order)}\n`);
    const { value } = (await lines.next()) as { value: string };
    return Number(value.split(" ")[1]);
  };
  await buyBare(await create(200));
  await run(await create(200));
  const seen = {
    bare: [] as number[],
    batch: [] as number[],
    bareCost: [] as number[],
    batchCost: [] as number[],
  };
  for (let round = 0; round < rounds; round++) {
    const [one, other] = [await create(roundShipments), await create(roundShipments)];
    const before = processorSeconds(bare.pid!);
    seen.bare.push(await buyBare(one));
    seen.bareCost.push((processorSeconds(bare.pid!) - before) / roundShipments);
    const { perSecond, cost } = await run(other);
    seen.batch.push(perSecond);
    seen.batchCost.push(cost.server / roundShipments);
  }
  bare.stdin!.end();
  note(
    `bare loop of ${roundShipments} purchases, ${atOnce} at once`,
    `${round(median(seen.bare))} labels/s, ${ms(median(seen.bareCost))} of processor time each`,
  );
  note(
    `batch of ${roundShipments}`,
    `${round(median(seen.batch))} labels/s, ${ms(median(seen.batchCost))} each in the server`,
  );
  note(
    "**batch, ratio to the bare loop** (aim ≥ 0.6)",
    (median(seen.batch) / median(seen.bare)).toFixed(2),
  );
}

async function measureOne() {
  const ids = await create(shipments);
  const begun = performance.now();
  const done = await run(ids, begun);
  note(`create a batch of ${shipments}`, `${round(done.createMs)} ms`);
  note(
    `**batch of ${shipments} labels, carriers at ${carrierMs} ms** (aim ≤ 60 s for 10,000)`,
    `${(done.ms / 1000).toFixed(1)} s, ${round(done.perSecond)} labels/s`,
  );
  note("**first label after the 202** (aim ≤ 1 s)", `${round(done.firstMs)} ms`);
  note("get it while it runs", `p50 ${median(done.polls).toFixed(1)} ms`);
  note(
    "processor seconds: server, simulator, database",
    `${Object.values(done.cost)
      .map((each) => each.toFixed(1))
      .join(", ")}`,
  );
  note(
    "the server's memory at a tenth, half and the end",
    done.memory.map((each) => `${round(each)} MiB`).join(", "),
  );
  note("load of the machine (1 min), our own included", loadavg()[0]!.toFixed(1));
}

/** Creates a batch of these, processes it, and polls it until its end. */
async function run(ids: string[], begun = performance.now()) {
  const { id } = (
    await call<{ data: Batch }>("POST", "/batches", { name: "Bench", shipment_ids: ids })
  ).data;
  const createMs = performance.now() - begun;
  const before = bench.costs();
  await call("POST", `/batches/${id}/process`, {});
  const accepted = performance.now();
  const polls: number[] = [];
  const memory: number[] = [];
  let firstMs = 0;
  for (;;) {
    const asked = performance.now();
    const { data: batch } = await call<{ data: Batch }>("GET", `/batches/${id}`);
    polls.push(performance.now() - asked);
    if (batch.success_count > 0) firstMs ||= performance.now() - accepted;
    const part = batch.processed_count / ids.length;
    if (part >= [0.1, 0.5, 1][memory.length]!) memory.push(residentMebibytes(bench.pids.server));
    if (batch.status === "completed") break;
    if (batch.status !== "processing") throw new Error(`the batch ended ${batch.status}`);
    await wait(firstMs === 0 ? 10 : 1000);
  }
  const tookMs = performance.now() - accepted;
  const after = bench.costs();
  const cost = {
    server: after.server - before.server,
    simulator: after.simulator - before.simulator,
    database: after.database - before.database,
  };
  return {
    ms: tookMs,
    perSecond: (ids.length * 1000) / tookMs,
    createMs,
    firstMs,
    polls,
    memory,
    cost,
  };
}

async function create(count: number): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) {
    const rows = Array(Math.min(500, count - ids.length)).fill(entry);
    const created = await call<{ data: { data: { id: string } }[] }>("POST", "/shipments", rows);
    ids.push(...created.data.map(({ data }) => data.id));
  }
  return ids;
}

async function dial(dials: object) {
  await fetch(`${bench.simulator}/dials`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(dials),
  });
}

/** Of the account, or of the operator where the path says so. */
async function call<T = unknown>(method: string, path: string, body?: object): Promise<T> {
  const isOperator = path.startsWith("/accounts/");
  const base = isOperator ? new URL("/api/admin", bench.base).href : bench.base;
  const response = await fetch(base + path, {
    method,
    headers: {
      authorization: `Bearer ${isOperator ? bench.operator_token : bench.token}`,
      ...(body ? { "content-type": "application/json" } : {}),
      ...(isOperator ? { "idempotency-key": randomUUID() } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (!response.ok)
    throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

function note(what: string, figure: string) {
  table.push([what, figure]);
  console.log(`${what}: ${figure}`);
}

function round(value: number): number {
  return Math.round(value);
}

function ms(seconds: number): string {
  return `${(seconds * 1000).toFixed(1)} ms`;
}
