import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newId } from "../../src/domain/values/ids.ts";
import type { Document } from "../operations.ts";
import { readOperations, sampleBody } from "../operations.ts";
import { aShipment, ottawa } from "../shipments.ts";
import { aPlatform, must, type TestAccount, type World } from "../world.ts";
import { aShop, ask } from "./makers.ts";

/**
 * No row of the logs names a person or holds a secret, whatever a client sends where: every operation of the document that
 * takes a body is called with planted texts in each of its fields. The rows are searched as a dump shows them.
 */

let world: World;
let shop: TestAccount;
beforeAll(async () => {
  world = await aPlatform();
  shop = await aShop(world);
});
afterAll(() => world.close());

const person = "Zebedee";
const texts = [
  person,
  "77 Planted Street",
  "zebedee@planted.example",
  "+1 416 555 0199",
  "4242424242424242",
] as const;
const planted = [...texts, "Planted", "planted.example", "555 0199", "4165550199"];

/** Its fields, each text replaced by the next one; an unknown field is added to every object. */
function withPlanted(body: unknown, isReplaced: (field: string) => boolean, first = 0): unknown {
  let count = first;
  const next = () => texts[(count += 1) % texts.length]!;
  const visit = (value: unknown, field: string): unknown => {
    if (typeof value === "string") return isReplaced(field) ? next() : value;
    if (Array.isArray(value)) return value.map((each) => visit(each, field));
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value).map(([name, inner]) => [name, visit(inner, name)]);
    return { ...Object.fromEntries(entries), [next()]: next() };
  };
  return visit(body, "");
}

function withNumbers(value: unknown): unknown {
  if (typeof value === "number") return 4242424242424242;
  if (Array.isArray(value)) return value.map(withNumbers);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, withNumbers(inner)]),
  );
}

/** Texts of people, which a call may have and still succeed. */
const ofPeople =
  /^(name|company|address1|address2|phone|email|title|description|instructions|notes|reference|package_contents|tag|order_number|external_id)$/;

async function dump(): Promise<string[]> {
  const rows: string[] = [];
  for (const table of [
    "request_log",
    "request_bodies",
    "request_subjects",
    "carrier_calls",
    "request_log_gaps",
  ]) {
    const read = await sql<{ row: string }>`
      SELECT each::text AS row FROM ${sql.table(table)} AS each`.execute(world.db);
    rows.push(...read.rows.map(({ row }) => `${table} ${row}`));
  }
  return rows;
}

/** The log is written a moment later. */
async function untilLogged(account: TestAccount): Promise<void> {
  const last = newId("req");
  await account.get("/shipments", { "x-request-id": last });
  await expect
    .poll(async () => (await dump()).some((row) => row.includes(last)), { timeout: 20_000 })
    .toBe(true);
}

test("every operation with a body leaves none of the planted texts in any row of the logs", async () => {
  const operations = readOperations(must(await shop.get<Document>("/openapi.json"), 200)).filter(
    ({ body, examples }) => body !== undefined || examples.length > 0,
  );
  expect(operations.length).toBeGreaterThan(25);
  const answered: Record<string, number> = {};
  const statuses = new Set<number>();
  for (const operation of operations) {
    const sample = operation.examples[0]?.value ?? sampleBody(operation);
    const bodies = [
      withPlanted(sample, (field) => ofPeople.test(field)),
      withPlanted(sample, () => true),
      withNumbers(withPlanted(sample, () => true, 2)),
    ];
    for (const body of bodies) {
      const reply = await ask(world, await aShop(world), { operation, body });
      statuses.add(reply.status);
      answered[operation.name] = Math.min(answered[operation.name] ?? 999, reply.status);
    }
  }
  expect([...statuses].some((status) => status < 300)).toBe(true);
  expect(statuses).toContain(422);
  await untilLogged(shop);
  const rows = await dump();
  expect(rows.length).toBeGreaterThan(operations.length * 3);
  expect(rows.some((row) => row.startsWith("request_bodies") && row.includes("draft"))).toBe(true);
  for (const text of planted)
    expect(
      rows.filter((row) => row.includes(text)),
      text,
    ).toEqual([]);
}, 300_000);

test("nor do labels bought for planted people, tokens, paths, queries and unusual headers", async () => {
  const { token } = must(
    await shop.post<{ data: { token: string } }>("/tokens", {
      name: person,
      scopes: ["rates:read"],
    }),
    201,
  ).data;
  const to_address = {
    ...ottawa,
    name: person,
    address1: texts[1],
    phone: "+14165550199",
    email: texts[2],
  };
  for (const steering of ["", "sim:refuse"]) {
    const { id } = await shop.create({
      ...aShipment(),
      to_address: { ...to_address, address2: steering || null },
    });
    await shop.rates(id);
    await shop.buy(id);
    await shop.post(`/shipments/${id}/void`, {});
  }
  for (const text of [...texts, token]) {
    const part = encodeURIComponent(text);
    await shop.get(`/shipments/${part}?q=${part}&${part}=1`);
    await shop.get(`/${part}/${part}`);
    await shop.post(`/shipments/${part}`, "{", {
      "content-type": "text/plain",
      "idempotency-key": text,
    });
  }
  await untilLogged(shop);
  const rows = await dump();
  const calls = rows.filter((row) => row.startsWith("carrier_calls"));
  expect(
    calls.filter((row) => row.includes("buy_label") && row.includes("shipment_refused")),
  ).toHaveLength(1);
  expect(calls.some((row) => row.includes("quote") && row.includes("surcharges"))).toBe(true);
  expect(
    calls.filter((row) => /_cents/.test(row)),
    "what carriers charge is not the account's to know",
  ).toEqual([]);
  for (const text of [...planted, token, token.slice(8)])
    expect(
      rows.filter((row) => row.includes(text)),
      text,
    ).toEqual([]);
}, 60_000);
