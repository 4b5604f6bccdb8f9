import { rate, type Load } from "./measure.ts";
import { parcelEntry, type BenchServer } from "./bench-server.ts";

/** The main calls of one server, ready to be measured: what `run.ts` and `paired.ts` have in common. */

export const deepRows = 100_000;
export const depth = 10_000;
const pageRows = 25;
/** As many as one account may have in work without being refused. */
const atOnce = 8;

export interface MainCalls {
  loads: Record<"bare get" | "get" | "bare list" | "list" | "deep list", Load> &
    Record<"bare insert" | "create" | "bulk create", Load>;
  /** Sets how long every carrier takes to quote. */
  delayQuotes(latency_ms: number): Promise<void>;
  createShipment(): Promise<string>;
  /** New shipments whose rates are known. */
  quotedShipments(count: number): Promise<string[]>;
  /** A shipment as it is stored. */
  row: Record<string, unknown>;
  /** How many bytes the load's response has. */
  bytesOf(load: Load): Promise<number>;
  /** Requests the rates of the shipment. */
  rate(id: string): Promise<unknown>;
  /** Buys a label of the shipment, whose quote is stored if its rates were requested. */
  buy(id: string): Promise<unknown>;
}

/** Fills the server with older shipments, and says how each call is made. */
export async function mainCalls(bench: BenchServer): Promise<MainCalls> {
  const headers = { authorization: `Bearer ${bench.token}`, "content-type": "application/json" };

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

  async function createShipment(): Promise<string> {
    const created = await call(`${bench.base}/shipments`, "POST", parcelEntry);
    return (created as { data: { id: string } }).data.id;
  }

  /** Copies of one shipment, older than any real one. */
  async function fillShipments() {
    await bench.database.query(
      `INSERT INTO shipments
       SELECT (jsonb_populate_record(s, jsonb_build_object('id', 'shp_0' || lpad(n::text, 25, '0'), 'ship_code', 'B' || n))).*
       FROM shipments s, generate_series(1, $3::int) n WHERE s.account_id = $1 AND s.id = $2`,
      [bench.account_id, await createShipment(), deepRows],
    );
    await bench.database.query("ANALYZE shipments");
  }

  /** The query of the page that starts after so many rows. */
  async function walkTo(rows: number): Promise<string> {
    let url = `${bench.base}/shipments?per_page=100`;
    for (let walked = 0; walked < rows; walked += 100) {
      url = ((await call(url, "GET")) as { links: { next: string } }).links.next;
    }
    return new URL(url.replace("per_page=100", "per_page=25")).search;
  }

  /** Pays for more labels than a demo organization can. */
  async function topUp() {
    const response = await fetch(
      `${new URL(bench.base).origin}/api/admin/accounts/${bench.account_id}/adjustments`,
      {
        method: "POST",
        headers: {
          ...headers,
          authorization: `Bearer ${bench.operator_token}`,
          "idempotency-key": "bench",
        },
        body: JSON.stringify({ amount: 900_000, description: "for the measurement" }),
      },
    );
    if (!response.ok) throw new Error(`no top-up: ${response.status} ${await response.text()}`);
  }

  const quote = (shipment: string) => call(`${bench.base}/rates/${shipment}`, "GET");

  await topUp();
  await fillShipments();
  // The first page is of the same rows as the deep one, and none of the demo's.
  const id = (await inTurns(pageRows, createShipment)).at(-1)!;
  const bareUrl = `${bench.bare}/bare/${bench.account_id}`;
  const { data: row } = (await (await fetch(`${bareUrl}/${id}`)).json()) as {
    data: MainCalls["row"];
  };
  let made = 0;
  // Without its nulls, as the product inserts it.
  const values = Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
  const bareRow = () =>
    JSON.stringify({ ...values, id: `shp_bare${String(made++).padStart(20, "0")}` });
  const at = (path: string) => bench.bases.map((base) => base + path);
  const creation = (body: object) => ({
    urls: at("/shipments"),
    method: "POST" as const,
    headers,
    body: JSON.stringify(body),
  });
  return {
    loads: {
      "bare get": { urls: [`${bareUrl}/${id}`] },
      get: { urls: at(`/shipments/${id}`), headers },
      "bare list": { urls: [`${bareUrl}?below=shp_z`] },
      list: { urls: at(`/shipments?per_page=${pageRows}`), headers },
      "deep list": { urls: at(`/shipments${await walkTo(depth)}`), headers },
      "bare insert": { urls: [bareUrl], method: "POST", headers, bodies: bareRow },
      create: creation(parcelEntry),
      "bulk create": creation(Array.from({ length: 100 }, () => parcelEntry)),
    },
    delayQuotes: async (latency_ms) => {
      const dials = latency_ms > 0 ? { "*": { latency_ms, operations: ["quotes"] } } : {};
      await call(`${bench.simulator}/dials`, "PUT", dials);
    },
    row,
    createShipment,
    quotedShipments: async (count) => {
      const ids = await inTurns(count, createShipment);
      await rate(ids, atOnce, quote);
      return ids;
    },
    bytesOf: async ({ urls: [url] }) => {
      const response = await fetch(url!, { headers });
      return (await response.arrayBuffer()).byteLength;
    },
    rate: quote,
    buy: (shipment) =>
      call(`${bench.base}/labels/${shipment}`, "POST", { service: "ups.standard" }),
  };
}

/** What so many calls return, a few at once. */
async function inTurns<T>(count: number, call: () => Promise<T>): Promise<T[]> {
  const made: T[] = [];
  await rate([...Array(count).keys()], atOnce, async () => made.push(await call()));
  return made;
}
