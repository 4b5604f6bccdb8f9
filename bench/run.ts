import { latency, rate, throughput } from "./measure.ts";
import { openWorld, parcelEntry, type World } from "./world.ts";

/**
 * `node bench/run.ts`: measures the main calls in one run against the bare baseline and prints a table.
 * Absolute figures belong to the machine of the day; the ratios are what is worth comparing.
 */

const deepRows = 100_000;
const depth = 10_000;

const world = await openWorld();
const headers = { authorization: `Bearer ${world.token}`, "content-type": "application/json" };
const table: [what: string, figure: string][] = [];
try {
  await fillShipments(world, deepRows);
  await measureGet();
  await measureList();
  await measureCreate();
  await measureRates();
  await measureLabels();
} finally {
  await world.stop();
}
console.log(`\n| what | figure |\n|---|---|`);
for (const [what, figure] of table) console.log(`| ${what} | ${figure} |`);

async function measureGet() {
  const id = await createShipment();
  const { bare, product } = await throughput({
    bare: { url: `${world.bare}/bare/${world.account_id}/${id}` },
    product: { url: `${world.base}/shipments/${id}`, headers },
  });
  note("bare Fastify + pg get", `${round(bare!)} requests/s`);
  note("authenticated get", `${round(product!)} requests/s`);
  note("**get, ratio to bare** (aim ≥ 0.5)", (product! / bare!).toFixed(2));
}

async function measureList() {
  const first = `${world.base}/shipments?per_page=25`;
  const deep = await walkTo(depth);
  const figures = await throughput({
    first: { url: first, headers },
    deep: { url: deep, headers },
  });
  note("list, first page of 25", `${round(figures["first"]!)} requests/s`);
  note(`list at depth ${depth} of ${deepRows}`, `${round(figures["deep"]!)} requests/s`);
  note(
    "**deep list, time against the first page** (aim ≤ 1.3)",
    (figures["first"]! / figures["deep"]!).toFixed(2),
  );
}

async function measureCreate() {
  const one = JSON.stringify(parcelEntry);
  const many = JSON.stringify(Array.from({ length: 100 }, () => parcelEntry));
  const row = (await (
    await fetch(`${world.bare}/bare/${world.account_id}/${await createShipment()}`)
  ).json()) as { data: object };
  let made = 0;
  const bareRow = () =>
    JSON.stringify({ ...row.data, id: `shp_bare${String(made++).padStart(20, "0")}` });
  const figures = await throughput({
    bare: {
      url: `${world.bare}/bare/${world.account_id}`,
      method: "POST",
      headers,
      bodies: bareRow,
    },
    one: { url: `${world.base}/shipments`, method: "POST", headers, body: one },
    many: { url: `${world.base}/shipments`, method: "POST", headers, body: many },
  });
  note("bare insert of the same row", `${round(figures["bare"]!)} requests/s`);
  note("create one shipment", `${round(figures["one"]!)} requests/s`);
  note("create, ratio to bare", (figures["one"]! / figures["bare"]!).toFixed(2));
  note("bulk create, 100 rows a call", `${round(figures["many"]! * 100)} shipments/s`);
}

async function measureRates() {
  const id = await createShipment();
  for (const latency_ms of [0, 50]) {
    await call(`${world.simulator}/dials`, "PUT", { "*": { latency_ms, operations: ["quotes"] } });
    const { p50, p99 } = await latency(100, () => call(`${world.base}/rates/${id}`, "GET"));
    note(
      `rates, 5 carriers at ${latency_ms} ms`,
      `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
    );
    note(
      `**quoting p50 beyond the carriers' ${latency_ms} ms** (aim ≤ 15)`,
      `${(p50 - latency_ms).toFixed(1)} ms`,
    );
  }
  await call(`${world.simulator}/dials`, "PUT", {});
}

async function measureLabels() {
  const quoted = await Promise.all(Array.from({ length: 600 }, createShipment));
  await rate(quoted, 8, (id) => call(`${world.base}/rates/${id}`, "GET"));
  const warm = quoted.splice(0, 50);
  const buy = (id: string) =>
    call(`${world.base}/labels/${id}`, "POST", { service: "ups.standard" });
  await rate(warm, 8, buy);
  note(
    "label purchase of quoted shipments, 16 at once",
    `${round(await rate(quoted, 16, buy))} labels/s`,
  );
  const single = await Promise.all(Array.from({ length: 110 }, createShipment));
  await rate(single, 8, (id) => call(`${world.base}/rates/${id}`, "GET"));
  const { p50, p99 } = await latency(100, (index) => buy(single[index]!));
  note("label purchase, one after the other", `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`);
}

async function createShipment(): Promise<string> {
  return ((await call(`${world.base}/shipments`, "POST", parcelEntry)) as { data: { id: string } })
    .data.id;
}

/** The address of the page that starts after so many rows. */
async function walkTo(rows: number): Promise<string> {
  let url = `${world.base}/shipments?per_page=100`;
  for (let walked = 0; walked < rows; walked += 100) {
    url = ((await call(url, "GET")) as { links: { next: string } }).links.next;
  }
  return url.replace("per_page=100", "per_page=25");
}

/** Copies of one shipment, older than any real one. */
async function fillShipments({ database, account_id }: World, count: number) {
  const id = await createShipment();
  await database.query(
    `INSERT INTO shipments
     SELECT (jsonb_populate_record(s, jsonb_build_object('id', 'shp_0' || lpad(n::text, 25, '0'), 'ship_code', 'B' || n))).*
     FROM shipments s, generate_series(1, $3::int) n WHERE s.account_id = $1 AND s.id = $2`,
    [account_id, id, count],
  );
  await database.query("ANALYZE shipments");
}

async function call(url: string, method: string, body?: object): Promise<unknown> {
  const response = await fetch(url, {
    method,
    headers: body ? headers : { authorization: headers.authorization },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (!response.ok)
    throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`);
  return response.json();
}

function note(what: string, figure: string) {
  table.push([what, figure]);
  console.log(`${what}: ${figure}`);
}

function round(value: number): number {
  return Math.round(value);
}
