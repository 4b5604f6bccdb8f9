import { describe, expect, test } from "vitest";
import { collect } from "../../test/collect.ts";
import { faultsOf, hostileTexts } from "../../test/documents/hostile.fixtures.ts";
import type { StatementLine } from "./statement-lines.ts";
import {
  planStatement,
  renderStatement,
  statementPages,
  type StatementFacts,
} from "./statement.ts";

const line = (place: number, words: string): StatementLine => ({
  id: `txn_${place}`,
  created_at: new Date(Date.UTC(2026, 9, 2, place)),
  type: "label",
  description: words,
  shipment_id: null,
  order_number: words,
  carrier: null,
  service: null,
  tracking_code: null,
  amount_cents: -1130,
  tax_cents: -130,
  balance_after_cents: 1_000_000_00 - 1130 * (place + 1),
  currency: "CAD",
  taxes: [{ name: "HST", amount_cents: -130 }],
});

/** A month of so many labels, with that text in every field that a person fills in. */
function aMonth(count: number, words: string) {
  const lines = Array.from({ length: count }, (_, place) => line(place, words));
  const address = { name: words, company: words, address1: words, address2: words, city: words };
  const place = { province_code: "ON", postal_code: words, country_code: "CA", phone: null };
  const facts: StatementFacts = {
    number: "2026-10",
    time_zone: "America/Argentina/ComodRivadavia",
    currency: "CAD",
    created_at: new Date("2026-11-01T04:01:00Z"),
    account: {
      id: "acc_01kapb3wxkfm8bbfm0b0b0b0b0",
      name: words,
      is_sandbox: true,
      address: { ...address, ...place, email: null, is_residential: false, tax_identifier: null },
    },
    period: { first_day: "2026-10-01", last_day: "2026-10-31" },
    opening_cents: 1_000_000_00,
    closing_cents: 1_000_000_00 - 1130 * count,
    totals: ["Top-ups", "Labels", "LTL freight", "Refunds", "Adjustments", "Fees"].map((name) => ({
      name,
      amount_cents: name === "Labels" ? -1130 * count : 0,
    })),
    taxes_cents: -130 * count,
    transaction_count: count,
  };
  return { facts, lines: () => eachOf(lines) };
}

async function* eachOf(lines: readonly StatementLine[]): AsyncGenerator<StatementLine> {
  yield* lines;
}

describe.each(Object.entries(hostileTexts))("hostile text on a statement: %s", (_, words) => {
  test("stays in its box, on as many pages as it needs", async () => {
    const { facts, lines } = aMonth(60, words);
    const plan = await planStatement(facts, lines());
    const pages = await collect(statementPages(facts, plan, lines()));
    expect(pages).toHaveLength(plan.pages.length);
    expect(plan.pages.reduce((sum, count) => sum + count, 0)).toBe(60);
    expect(pages.flatMap(faultsOf)).toEqual([]);
  });
});

test("the same month is the same bytes, also without a transaction", async () => {
  for (const count of [0, 1, 200]) {
    const { facts, lines } = aMonth(count, "Maple & Pine");
    const plan = await planStatement(facts, lines());
    const render = async () => Buffer.concat(await collect(renderStatement(facts, plan, lines())));
    const pdf = await render();
    expect(pdf.toString("latin1")).toMatch(/^%PDF-[^]*%%EOF\s*$/);
    expect((await render()).equals(pdf)).toBe(true);
  }
});

test("more kinds of taxes than there is room for are added up in the last row", async () => {
  const { facts, lines } = aMonth(1, "Maple & Pine");
  const taxes = Array.from({ length: 9 }, (_, place) => ({
    name: `T${place}`,
    amount_cents: -place,
  }));
  const [page] = await collect(statementPages(facts, { pages: [1], taxes }, lines()));
  expect(faultsOf(page!)).toEqual([]);
  const words = page!.marks.flatMap((mark) => (mark.mark === "text" ? [mark.text] : []));
  expect(words).toContain("T4");
  expect(words).not.toContain("T5");
  expect(words.slice(words.indexOf("Others"))[1]).toBe("-0.26");
});

test.each<[string, (facts: StatementFacts) => StatementFacts]>([
  ["its opening balance", (facts) => ({ ...facts, opening_cents: facts.opening_cents + 1 })],
  ["its closing balance", (facts) => ({ ...facts, closing_cents: facts.closing_cents - 1 })],
  ["its taxes", (facts) => ({ ...facts, taxes_cents: facts.taxes_cents + 1 })],
  ["its count", (facts) => ({ ...facts, transaction_count: facts.transaction_count + 1 })],
])("a statement that contradicts the ledger by a cent is not printed: %s", async (_, changed) => {
  const { facts, lines } = aMonth(3, "Maple & Pine");
  await expect(planStatement(changed(facts), lines())).rejects.toThrow(
    "contradict statement 2026-10",
  );
});
