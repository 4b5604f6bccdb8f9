import { gunzipSync } from "node:zlib";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { canScan, wordsOf } from "../../../test/acceptance/scan.ts";
import { monthAfter, monthAt } from "../../domain/time/months.ts";
import { toCents } from "../../domain/values/money.ts";
import type { Statement } from "./schemas.ts";
import {
  aHolder,
  aPurchasedShipment,
  aStatementsWorld,
  enter,
  work,
  type Holder,
  type Move,
  type StatementsWorld,
} from "../../../test/statements.ts";

/** Σ of the CSV = closing − opening = PDF = ledger, to the cent, whatever happened and when (decision 17). */

let world: StatementsWorld;
beforeAll(async () => {
  world = await aStatementsWorld("2026-12-01T13:00:00Z");
});
afterAll(() => world.close());

const zones = [
  "America/Toronto",
  "America/St_Johns",
  "America/Vancouver",
  "Pacific/Auckland",
  "UTC",
];
const hour = 3_600_000;
// Around the ends of September and October, where mistakes are likely.
const someMoment = fc.oneof(
  fc
    .constantFrom("2026-10-01T00:00:00Z", "2026-11-01T00:00:00Z")
    .chain((midnight) =>
      fc.integer({ min: -14 * hour, max: 14 * hour }).map((ms) => Date.parse(midnight) + ms),
    ),
  fc.integer({ min: Date.parse("2026-09-02"), max: Date.parse("2026-11-30") }),
);
const cents = fc.integer({ min: 1, max: 20_000 });

interface Step {
  at: number;
  type: Move["type"];
  subtotal: number;
  tax: number;
}

const someStep: fc.Arbitrary<Step> = fc.record({
  at: someMoment,
  type: fc.constantFrom("top_up", "label", "ltl", "refund", "adjustment", "fee"),
  subtotal: cents,
  tax: fc.nat({ max: 2600 }),
});
/** Mostly in the order of time, as the ledger is; now and then something is entered late. */
const someHistory = fc
  .tuple(fc.array(someStep, { maxLength: 25 }), fc.array(someStep, { maxLength: 3 }))
  .map(([steps, late]) => [...steps.sort((a, b) => a.at - b.at), ...late]);

interface Entered extends Move {
  id: string;
  month: string;
  order: string | null;
}

/** Enters the history in this order, and returns in which statement each transaction has to be. */
async function live(holder: Holder, zone: string, history: readonly Step[]): Promise<Entered[]> {
  const entered: Entered[] = [];
  let month = "";
  for (const [place, { at, type, subtotal, tax }] of history.entries()) {
    const isTaxed = type === "label" || type === "ltl" || type === "refund" || type === "fee";
    const isOut =
      ["label", "ltl", "fee"].includes(type) || (type === "adjustment" && tax % 2 === 1);
    const sign = isOut ? -1 : 1;
    const tax_cents = isTaxed ? sign * tax : 0;
    const hasShipment = isTaxed && type !== "fee";
    const order = hasShipment ? `=1+${place}` : null;
    const gst = Math.round(tax / 3);
    const taxes = [
      { name: "GST", amount: gst / 100 },
      { name: "QST", amount: (tax - gst) / 100 },
    ];
    const shipment_id = order
      ? await aPurchasedShipment(world, holder.account_id, { order_number: order, taxes })
      : null;
    const move: Move = {
      at: new Date(at).toISOString(),
      type,
      tax_cents,
      shipment_id,
      amount_cents: sign * subtotal + tax_cents,
      description: `Step ${place}, "quoted"\nنص 北京 📦`,
    };
    const id = await enter(world, holder.account_id, move);
    const own = monthAt(new Date(at), zone);
    if (own > month) month = own;
    entered.push({ ...move, id, month, order });
  }
  return entered;
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

async function file(holder: Holder, statement: Statement, path: string): Promise<Buffer> {
  const link = await holder.get(`/billing/statements/${statement.id}/${path}`);
  const { url } = link.json<{ data: { url: string } }>().data;
  const local = url.slice(new URL(url).origin.length);
  const reply = await world.app.inject(local);
  expect(reply.statusCode).toBe(200);
  const packed = await world.app.inject({ url: local, headers: { "accept-encoding": "gzip" } });
  const isPacked = packed.headers["content-encoding"] === "gzip";
  const unpacked = isPacked ? gunzipSync(packed.rawPayload) : packed.rawPayload;
  expect(unpacked.equals(reply.rawPayload)).toBe(true);
  expect(packed.headers["content-length"]).toBe(isPacked ? undefined : String(unpacked.length));
  return reply.rawPayload;
}

function totalsOf(lines: readonly Entered[]) {
  const of = (type: string) =>
    sum(lines.filter((line) => line.type === type).map((line) => line.amount_cents));
  return {
    top_ups: of("top_up"),
    labels: of("label"),
    ltl: of("ltl"),
    refunds: of("refund"),
    adjustments: of("adjustment"),
    fees: of("fee"),
    taxes: sum(lines.map((line) => line.tax_cents ?? 0)),
  };
}

async function expectToAddUp(
  holder: Holder,
  entered: readonly Entered[],
  { from }: { from: string },
): Promise<void> {
  // The first is of the month in which the account was credited.
  const [, ...statements] = (await holder.statements()).reverse();
  let opening = 100_000_00;
  let month = from;
  for (const statement of statements) {
    expect(statement.number).toBe(month);
    const lines = entered.filter((line) => line.month === month);
    const closing = opening + sum(lines.map((line) => line.amount_cents));
    const shown = [statement.opening_balance, statement.closing_balance].map(toCents);
    expect(shown).toEqual([opening, closing]);
    expect(statement.transaction_count).toBe(lines.length);
    const { taxes, ...byType } = statement.totals;
    expect({ ...byType, taxes }).toEqual(
      Object.fromEntries(Object.entries(totalsOf(lines)).map(([name, all]) => [name, all / 100])),
    );
    expect(sum(Object.values(byType).map(toCents))).toBe(closing - opening);
    if (statement.status === "ready")
      await expectCsv(holder, statement, { lines, opening, closing });
    opening = closing;
    month = monthAfter(month);
  }
  expect(statements.at(-1)!.status).toBe("open");
}

async function expectCsv(
  holder: Holder,
  statement: Statement,
  { lines, opening, closing }: { lines: Entered[]; opening: number; closing: number },
): Promise<void> {
  const csv = (await file(holder, statement, "transactions.csv")).toString();
  const rows = parse<Record<string, string>>(csv, { columns: true });
  expect(rows.map((row) => row["transaction_id"])).toEqual(lines.map(({ id }) => id));
  expect(sum(rows.map((row) => toCents(Number(row["total"]))))).toBe(closing - opening);
  for (const [place, row] of rows.entries()) {
    const { amount_cents, tax_cents = 0, at, description, order } = lines[place]!;
    const money = ["subtotal", "tax", "total"].map((name) => row[name]);
    expect(money).toEqual(
      [amount_cents - tax_cents, tax_cents, amount_cents].map((all) => (all / 100).toFixed(2)),
    );
    expect(row).toMatchObject({ date: new Date(at).toISOString(), description, currency: "CAD" });
    expect(row["order_number"]).toBe(order ? `'${order}` : "");
  }
  if (rows.length > 0) expect(toCents(Number(rows.at(-1)!["balance_after"]))).toBe(closing);
}

async function aHolderWithMoney(time_zone: string, month = "2026-08"): Promise<Holder> {
  const holder = await aHolder(world, { since: `${month}-20T12:00:00Z`, time_zone });
  const opening = { at: `${month}-25T12:00:00Z`, type: "top_up" as const };
  await enter(world, holder.account_id, { ...opening, amount_cents: 100_000_00 });
  return holder;
}

test("over random histories, API, CSV and ledger agree to the cent", async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...zones), someHistory, async (zone, history) => {
      const holder = await aHolderWithMoney(zone);
      const entered = await live(holder, zone, history);
      await work(world);
      await expectToAddUp(holder, entered, { from: "2026-09" });
    }),
    { numRuns: 8 },
  );
}, 60_000);

test("the statements of a year add up, and lead from its first balance to its last", async () => {
  const start = Date.parse("2025-12-02T12:00:00Z");
  const steps = fc.sample(someStep, { seed: 2026, numRuns: 180 });
  // Two days apart: each month has about fifteen.
  const history = steps.map((step, place) => ({ ...step, at: start + place * 48 * hour }));
  const holder = await aHolderWithMoney("America/Toronto", "2025-11");
  const entered = await live(holder, "America/Toronto", history);
  await work(world);
  await expectToAddUp(holder, entered, { from: "2025-12" });
  const year = (await holder.statements()).filter(({ status }) => status === "ready");
  expect(year).toHaveLength(13);
  const change = sum(entered.map((line) => line.amount_cents));
  expect(toCents(year[0]!.closing_balance)).toBe(100_000_00 + change);
});

test.skipIf(!(await canScan()))(
  "the PDF has every line, page numbers, taxes by kind, and the balances of the API (pdftotext)",
  async () => {
    const holder = await aHolderWithMoney("America/Toronto");
    const history = Array.from({ length: 90 }, (_, place) => ({
      at: Date.parse("2026-10-02T12:00:00Z") + place * hour,
      type: "label" as const,
      subtotal: 1000 + place,
      tax: 130,
    }));
    await live(holder, "America/Toronto", history);
    await work(world);
    const october = (await holder.statements()).find(({ number }) => number === "2026-10")!;
    const pages = await wordsOf(await file(holder, october, "pdf"));
    const words = pages.join(" ").replace(/\s+/g, " ");
    expect(pages.length).toBeGreaterThan(1);
    pages.forEach((page, place) => {
      expect(page).toContain(`Page ${place + 1} of ${pages.length}`);
      expect(page).toMatch(/DATE +TYPE +DESCRIPTION +ORDER +SUBTOTAL +TAX +TOTAL +BALANCE/);
    });
    history.forEach((_, place) => expect(words).toContain(`Step ${place}, `));
    for (const each of ["Maple & Pine Goods", holder.account_id, "2026-10-31", "北京", "📦"])
      expect(words).toContain(each);
    const inWords = (amount: number) =>
      amount.toLocaleString("en-US", { minimumFractionDigits: 2 });
    expect(words).toContain(`Opening balance ${inWords(october.opening_balance)}`);
    expect(words).toContain(`Closing balance ${inWords(october.closing_balance)}`);
    expect(words).toContain(`Labels ${inWords(october.totals.labels)}`);
    expect(words).toMatch(/GST -38\.70 .*QST -78\.30 .*All taxes -117\.00/);
  },
);
