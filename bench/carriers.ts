import { startBenchServer, type BenchServer } from "./bench-server.ts";
import { latency, median, rate } from "./measure.ts";

/**
 * `node bench/carriers.ts [rounds]`: what a carrier's own wire format costs. Two servers of this checkout run side by
 * side, one with a connection for each carrier that has an adapter, whose calls go to the simulator's dialects, and one
 * without, whose calls have the simulator's own form. Prints the median time of a quote while every call of a carrier
 * takes 50 ms, and for each carrier how fast labels are bought beside the simulated one: more than 1 is faster. Every
 * carrier sells ZPL itself; UPS has no PDF, so that its labels are drawn as pictures there and made a PDF here.
 */

const rounds = Number(process.argv[2] ?? 6);
const quoteMs = 50;
const labelsAtOnce = 8;

const services = {
  canada_post: "canada_post.expedited_parcel",
  purolator: "purolator.express",
  ups: "ups.standard",
  usps: "usps.ground_advantage",
};

const parcel = { weight: 2, weight_unit: "lbs", length: 10, width: 8, height: 4, size_unit: "in" };
const place = (
  address: string,
  city: string,
  [country_code, province_code, postal_code]: string[],
) => ({
  name: "Amélie Tremblay",
  phone: "416-555-0100",
  address1: address,
  city,
  province_code,
  postal_code,
  country_code,
});
const inCanada = {
  from_address: place("111 Wellington Street", "Ottawa", ["CA", "ON", "K1A 0A9"]),
  to_address: place("275 Rue Notre-Dame Est", "Montréal", ["CA", "QC", "H2Y 1C6"]),
  packages: [parcel],
};
const inTheStates = {
  from_address: place("1 City Hall Square", "Boston", ["US", "MA", "02201"]),
  to_address: place("233 South Wacker Drive", "Chicago", ["US", "IL", "60606"]),
  packages: [parcel],
};
const shipmentFor = (carrier: string) => (carrier === "usps" ? inTheStates : inCanada);

const servers: BenchServer[] = [];
try {
  const simulated = await startBenchServer();
  servers.push(simulated);
  const connected = await startBenchServer({ WAYBILL_SANDBOX_CARRIERS: "connected" });
  servers.push(connected);
  for (const server of servers) {
    await asOperator(server, `/accounts/${server.account_id}/adjustments`, {
      amount: 900_000,
      description: "for the measurement",
    });
    // The account is billed in Canadian dollars, and USPS bills in American ones.
    await asOperator(server, "/exchange-rates", {
      base: "USD",
      quote: "CAD",
      valid_from: new Date().toISOString().slice(0, 10),
      rate: 1.4,
    });
  }

  console.log(
    `| a quote while each carrier's call takes ${quoteMs} ms | simulated, ms | own form, ms |\n|---|---|---|`,
  );
  for (const [name, shipment] of [
    ["in Canada", inCanada],
    ["in the United States", inTheStates],
  ] as const) {
    const figures = [];
    for (const server of servers) figures.push(await quoteTime(server, shipment));
    console.log(`| ${name} | ${figures.map((ms) => ms.toFixed(1)).join(" | ")} |`);
  }

  console.log(
    "\n| labels of | PDF, one after the other | ZPL, one after the other | ZPL, 8 at once |",
  );
  console.log("|---|---|---|---|");
  for (const [carrier, service] of Object.entries(services)) {
    const ratios: number[][] = [[], [], []];
    for (let round = 0; round <= rounds; round++) {
      const order = round % 2 === 0 ? servers : servers.toReversed();
      const figures = new Map<BenchServer, number[]>();
      for (const server of order) figures.set(server, await labelRates(server, carrier, service));
      const [before, after] = [figures.get(simulated)!, figures.get(connected)!];
      // The first round warms up.
      if (round > 0) ratios.forEach((seen, index) => seen.push(after[index]! / before[index]!));
    }
    const told = ratios.map((seen) => median(seen).toFixed(2));
    console.log(`| ${carrier} | ${told.join(" | ")} |`);
  }
} finally {
  for (const server of servers) await server.stop();
}

async function quoteTime(server: BenchServer, shipment: object): Promise<number> {
  const id = await create(server, shipment);
  await dial(server, { "*": { latency_ms: quoteMs, operations: ["quotes"] } });
  const quote = () => call(server, "GET", `/rates/${id}`);
  // The first ones warm up.
  await latency(60, quote);
  const { p50 } = await latency(100, quote);
  await dial(server, {});
  return p50;
}

/** Labels a second: PDF and ZPL, one after the other, and ZPL so many at once. */
async function labelRates(
  server: BenchServer,
  carrier: string,
  service: string,
): Promise<number[]> {
  const quoted = await Promise.all(
    Array.from({ length: 80 }, () => create(server, shipmentFor(carrier))),
  );
  await rate([...quoted], labelsAtOnce, (id) => call(server, "GET", `/rates/${id}`));
  const buy = (id: string, label_format: string) =>
    call(server, "POST", `/labels/${id}`, { service, label_format });
  const pdf = await latency(10, (index) => buy(quoted[index]!, "pdf"));
  const zpl = await latency(10, (index) => buy(quoted[20 + index]!, "zpl"));
  const together = await rate(quoted.slice(40), labelsAtOnce, (id) => buy(id, "zpl"));
  return [1000 / pdf.p50, 1000 / zpl.p50, together];
}

async function create(server: BenchServer, shipment: object): Promise<string> {
  const made = await call(server, "POST", "/shipments", shipment);
  return (made as { data: { id: string } }).data.id;
}

function call(server: BenchServer, method: string, path: string, body?: object): Promise<unknown> {
  return ask(`${server.base}${path}`, { method, token: server.token, body });
}

function asOperator(server: BenchServer, path: string, body: object): Promise<unknown> {
  const url = `${new URL(server.base).origin}/api/admin${path}`;
  return ask(url, { method: "POST", token: server.operator_token, body });
}

async function dial({ simulator }: BenchServer, dials: object): Promise<void> {
  await ask(`${simulator}/dials`, { method: "PUT", token: "", body: dials });
}

async function ask(
  url: string,
  { method, token, body }: { method: string; token: string; body?: object | undefined },
): Promise<unknown> {
  const response = await fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body
        ? { "content-type": "application/json", "idempotency-key": crypto.randomUUID() }
        : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (!response.ok)
    throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`);
  return response.json();
}
