import { startBenchServer } from "./bench-server.ts";
import { treeSeconds } from "./processor-time.ts";
import { newId } from "../server/src/domain/values/ids.ts";

/**
 * `node bench/million.ts [rows]`: what lists, searches and counted pages cost the database of an account with so many
 * shipments and orders (a million by default), against one with a thousand. No shipment has an order's number, which is how
 * an empty partial index once misled the planner.
 */

const rows = Number(process.argv[2] ?? 1_000_000);
const fewRows = 1_000;
const requests = 100;
const together = 4;
const partRows = 20_000;

interface Tenant {
  account_id: string;
  token: string;
}

const address = `jsonb_build_object('name', CASE WHEN n <= 3 THEN 'Amélie Tremblay' ELSE 'Customer ' || n END,
  'address1', n || ' Rue Notre-Dame Est', 'city', 'Montréal', 'province_code', 'QC', 'postal_code', 'H2Y 1C6',
  'country_code', CASE WHEN n <= 3 THEN 'US' ELSE 'CA' END, 'company', NULL, 'address2', NULL, 'phone', NULL,
  'email', NULL, 'is_residential', false, 'tax_identifier', NULL)`;
/** As the API stores it, with every field. */
const packages = JSON.stringify([
  {
    id: "pkg_1",
    weight: 2,
    weight_unit: "lbs",
    length: 10,
    width: 8,
    height: 4,
    size_unit: "in",
    package_contents: null,
    package_type: "parcel",
    reference: null,
    declared_value: null,
    currency: null,
    tracking_code: null,
  },
]);
const made = `(SELECT id, $3::int + n AS n, to_timestamp(($4::float8 + n * 1000) / 1000) AS at
  FROM unnest($2::text[]) WITH ORDINALITY AS made (id, n)) AS rows`;

const shipments = `
  INSERT INTO shipments (account_id, id, type, status, ship_code, from_address, to_address, return_address, packages,
    tags, created_at, updated_at)
  SELECT $1, id, 'courier', CASE WHEN n % 50 = 0 THEN 'cancelled' ELSE 'draft' END,
    'B' || reverse(lpad(n::text, 7, '0')), ${address}, ${address},
    ${address}, '${packages}',
    CASE WHEN n <= 3 THEN ARRAY['rare'] ELSE ARRAY['common'] END, at, at FROM ${made}`;

const orders = `
  INSERT INTO orders (account_id, id, order_number, source, status, customer, to_address, packages, currency, tags,
    placed_at, created_at, updated_at)
  SELECT $1, 'ord' || substr(id, 4), 'N-' || n, 'shopify', CASE WHEN n <= 3 THEN 'on_hold' ELSE 'unfulfilled' END, NULL,
    ${address}, '[]', 'CAD', CASE WHEN n <= 3 THEN ARRAY['rare'] ELSE ARRAY['common'] END, at, at, at FROM ${made}`;

const bench = await startBenchServer();
try {
  const few = await openTenant("Few");
  const many = await openTenant("Many");
  await fill(few, fewRows);
  await fill(many, rows);
  await bench.database.query("ANALYZE");
  console.log(
    `| list | ${fewRows} rows: ms of the database | ${rows} rows | ratio |\n|---|---|---|---|`,
  );
  for (const path of paths()) {
    // The second measurement counts: the first has read what is on the disk.
    const figures = [];
    for (const tenant of [few, many]) {
      await databaseMs(tenant, path);
      figures.push(await databaseMs(tenant, path));
    }
    const [of_few, of_many] = figures as [number, number];
    const ratio = of_many / of_few;
    console.log(
      `| \`${path}\` | ${of_few.toFixed(2)} | ${of_many.toFixed(2)} | ${ratio.toFixed(2)} |`,
    );
  }
} finally {
  await bench.stop();
}

function paths(): string[] {
  return [
    "/shipments",
    "/shipments?status=draft",
    "/shipments?status=cancelled",
    "/shipments?status=draft,cancelled",
    "/shipments?tag=rare",
    "/shipments?country_code=US",
    "/shipments?created_from=2026-01-01&created_to=2026-01-02",
    "/shipments?q=B77",
    "/shipments?q=B777",
    "/shipments?q=customer%207",
    "/shipments?q=tremblay",
    "/shipments?q=nothing",
    "/shipments?page=2",
    "/shipments?page=40",
    "/shipments?status=draft&page=2",
    "/shipments?fields=id,status",
    "/orders",
    "/orders?status=on_hold",
    "/orders?tag=rare",
    "/orders?q=N-77",
    "/orders?q=N-777",
    "/orders?q=customer%207",
    "/orders?q=nothing",
    "/orders?page=2",
    "/orders?page=40",
    "/orders?fields=id,status",
  ];
}

/** Milliseconds of the database's processors for one request. */
async function databaseMs(tenant: Tenant, path: string): Promise<number> {
  const before = treeSeconds(bench.pids.database);
  let left = requests;
  const ask = async () => {
    while (left-- > 0) await get(tenant, path);
  };
  await Promise.all(Array.from({ length: together }, ask));
  return ((treeSeconds(bench.pids.database) - before) * 1000) / requests;
}

async function get({ token }: Tenant, path: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(bench.base + path, { headers });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
}

async function openTenant(name: string): Promise<Tenant> {
  const response = await fetch(`${new URL(bench.base).origin}/api/admin/organizations`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${bench.operator_token}`,
      "content-type": "application/json",
    },
    body: JSON.stringify({ name, owner_email: `${name.toLowerCase()}@example.com` }),
  });
  const { data } = (await response.json()) as {
    data: { accounts: { id: string; environment: string; token: string }[] };
  };
  const { id, token } = data.accounts.find(({ environment }) => environment === "test")!;
  return { account_id: id, token };
}

/**
 * Shipments and orders, one a second. Ship codes are in no order, as the product's, and order numbers are in the order of
 * time, as a shop's; a fiftieth is cancelled, and the oldest three are
 * rare.
 */
async function fill({ account_id }: Tenant, count: number): Promise<void> {
  const now = Date.parse("2026-11-01T00:00:00Z");
  for (let from = 0; from < count; from += partRows) {
    const size = Math.min(partRows, count - from);
    const at = (index: number) => new Date(now - (count - from - index) * 1000);
    const ids = Array.from({ length: size }, (_row, index) => newId("shp", at(index)));
    for (const statement of [shipments, orders])
      await bench.database.query(statement, [account_id, ids, from, now - (count - from) * 1000]);
    if ((from / partRows) % 10 === 0) console.error(`${from + size} of ${count} rows`);
  }
}
