import { rate, type Load } from "./measure.ts";
import { parcelEntry, type BenchServer } from "./bench-server.ts";

/** The main calls of one server, ready to be measured: what `run.ts` and `paired.ts` have in common. */

export const deepRows = 100_000;
export const depth = 10_000;

export interface MainCalls {
  loads: Record<"bare get" | "get" | "list" | "deep list", Load> &
    Record<"bare insert" | "create" | "bulk create", Load>;
  /** Sets how long every carrier takes to quote. */
  delayQuotes(latency_ms: number): Promise<void>;
  createShipment(): Promise<string>;
  /** New shipments whose rates are known. */
  quotedShipments(count: number): Promise<string[]>;
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

  /** The address of the page that starts after so many rows. */
  async function walkTo(rows: number): Promise<string> {
    let url = `${bench.base}/shipments?per_page=100`;
    for (let walked = 0; walked < rows; walked += 100) {
      url = ((await call(url, "GET")) as { links: { next: string } }).links.next;
    }
    return url.replace("per_page=100", "per_page=25");
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
  const id = await createShipment();
  const bareUrl = `${bench.bare}/bare/${bench.account_id}`;
  const row = ((await (await fetch(`${bareUrl}/${id}`)).json()) as { data: object }).data;
  let made = 0;
  const bareRow = () =>
    JSON.stringify({ ...row, id: `shp_bare${String(made++).padStart(20, "0")}` });
  const creation = (body: object) => ({
    url: `${bench.base}/shipments`,
    method: "POST" as const,
    headers,
    body: JSON.stringify(body),
  });
  return {
    loads: {
      "bare get": { url: `${bareUrl}/${id}` },
      get: { url: `${bench.base}/shipments/${id}`, headers },
      list: { url: `${bench.base}/shipments?per_page=25`, headers },
      "deep list": { url: await walkTo(depth), headers },
      "bare insert": { url: bareUrl, method: "POST", headers, bodies: bareRow },
      create: creation(parcelEntry),
      "bulk create": creation(Array.from({ length: 100 }, () => parcelEntry)),
    },
    delayQuotes: async (latency_ms) => {
      const dials = latency_ms > 0 ? { "*": { latency_ms, operations: ["quotes"] } } : {};
      await call(`${bench.simulator}/dials`, "PUT", dials);
    },
    createShipment,
    quotedShipments: async (count) => {
      const ids = await Promise.all(Array.from({ length: count }, createShipment));
      await rate(ids, 8, quote);
      return ids;
    },
    rate: quote,
    buy: (shipment) =>
      call(`${bench.base}/labels/${shipment}`, "POST", { service: "ups.standard" }),
  };
}
