import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  ledgerToDamage,
  columnsOf,
  findingsAfter,
  flipped,
  rowsOf,
  type BookRow,
  type Column,
} from "../../test/damaged-ledger.ts";
import type { World } from "../../test/world.ts";
import type { Contradiction } from "./verify.ts";

/** The verifier names each change made past the triggers, even of one bit of one value. */

let world: World;
beforeAll(async () => {
  world = await ledgerToDamage();
});
afterAll(() => world.close());

/** Times and thresholds, which the books do not depend on (docs/operating.md). */
const unproven = [
  "balances.low_balance_cents",
  "balances.recharge_below_cents",
  "balances.updated_at",
  "holds.created_at",
];

/**
 * Whether the account is named, and with it the transaction or hold; a balance by any finding of its account.
 */
function isNamed({ table }: Column, row: BookRow, found: Contradiction[]): boolean {
  return found.some(
    (each) =>
      each.account_id === row.account_id &&
      (table === "balances" || `${each.subject} ${each.expected}`.includes(row.subject)),
  );
}

test("a change of any column of any row of the ledger is named", async () => {
  const unnamed: string[] = [];
  for (const column of await columnsOf(world.db)) {
    const { length } = await rowsOf(world.db, column.table);
    expect(length).toBeGreaterThan(1);
    const name = `${column.table}.${column.column}`;
    for (const place of [0, Math.floor(length / 2), length - 1]) {
      const { row, found } = await anyFlipOf(column, place);
      if (!isNamed(column, row, found)) unnamed.push(name);
    }
  }
  expect([...new Set(unnamed)]).toEqual(unproven);
});

test("any flipped bit of a transaction, an entry or the end of a chain is named with account and transaction", async () => {
  const columns = (await columnsOf(world.db)).filter(
    ({ table, column }) => table !== "holds" && !unproven.includes(`${table}.${column}`),
  );
  let named = 0;
  const anyFlip = fc.record({
    column: fc.constantFrom(...columns),
    place: fc.nat(),
    bit: fc.nat({ max: 4000 }),
  });
  const property = fc.asyncProperty(anyFlip, async ({ column, place, bit }) => {
    const rows = await rowsOf(world.db, column.table);
    const row = rows[place % rows.length]!;
    const found = await findingsAfter(world.db, flipped(column, row.ctid, bit)).catch(notStorable);
    fc.pre(found !== null);
    named += 1;
    expect(isNamed(column, row, found)).toBe(true);
  });
  await fc.assert(property, { numRuns: 100 });
  expect(named).toBe(100);
});

/** The first bit flip of that value that PostgreSQL can store. */
async function anyFlipOf(column: Column, place: number) {
  for (let bit = 0; bit < 500; bit++) {
    // Row positions change with each repair.
    const row = (await rowsOf(world.db, column.table))[place]!;
    const found = await findingsAfter(world.db, flipped(column, row.ctid, bit)).catch(notStorable);
    if (found !== null) return { row, found };
  }
  return expect.fail(`${column.table}.${column.column} could not be changed`);
}

/** PostgreSQL itself refuses incomplete characters, invalid JSON and numbers out of range. */
function notStorable(error: unknown): null {
  if ((error as { code?: string }).code?.startsWith("22")) return null;
  throw error;
}
