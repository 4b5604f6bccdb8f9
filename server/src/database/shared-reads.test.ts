import fc from "fast-check";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { testDatabase, type TestDatabase } from "../../test/setup/database.ts";
import { findToBuy } from "../purchasing/labels/store.ts";
import { findQuote } from "../purchasing/quotes/store.ts";
import { findVersion } from "../automation/store.ts";
import type { Database } from "./tables.ts";

/**
 * Reads that each purchase of a label makes, shared by concurrent purchases: here of two accounts whose
 * shipments have the same ids.
 */

const accounts = ["acc_one", "acc_two", "acc_none"];
const shipments = many(6).map((n) => `shp_${n}`);
const now = new Date("2026-03-10T12:00:00.000Z");

const reads = {
  version: (db: Database, { account_id }: Asked) => findVersion(db, account_id),
  quote: (db: Database, { account_id, id, at }: Asked) => findQuote(db, { account_id, id }, at),
  to_buy: async (db: Database, { account_id, id, at: now }: Asked) => {
    const found = await findToBuy(db, { account_id, id, now });
    return found && factsOf(found);
  },
};

/** Of what is read of a shipment that is to be bought. */
function factsOf({ account_id, id, ...facts }: NonNullable<Awaited<ReturnType<typeof findToBuy>>>) {
  const { rules_version, quote_revision, quote_rates } = facts;
  return { account_id, id, rules_version, quote_revision, quote_rates };
}

interface Asked {
  read: keyof typeof reads;
  account_id: string;
  id: string;
  at: Date;
}

function many(count: number): number[] {
  return Array.from({ length: count }, (_each, n) => n);
}

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
  for (const account_id of ["acc_one", "acc_two"]) await fill(database.db, account_id);
});
afterAll(() => database.close());

/** Each account's values name the account; the second has no `shp_5`, and the first no quote of `shp_4`. */
async function fill(db: Database, account_id: string): Promise<void> {
  const isFirst = account_id === "acc_one";
  await sql`INSERT INTO rule_sets VALUES (${account_id}, ${`rules of ${account_id}`})`.execute(db);
  for (const [n, id] of shipments.slice(0, isFirst ? 6 : 5).entries()) {
    await sql`
      INSERT INTO shipments (account_id, id, type, status, ship_code, from_address, to_address, return_address,
        packages, tags, created_at, updated_at)
      VALUES (${account_id}, ${id}, 'courier', 'draft', 'X', '{}', '{}', '{}', '[{}]', '{}', ${now}, ${now})`.execute(
      db,
    );
    if (isFirst && n === 4) continue;
    const rates = JSON.stringify([`${account_id}/${id}`]);
    await sql`
      INSERT INTO shipment_quotes VALUES (${account_id}, ${id}, ${n % 2}, ${rates}::jsonb, ${now}, ${later(n)})`.execute(
      db,
    );
  }
}

const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000);

/** The expected results, written by hand. */
function answerTo({ read, account_id, id, at }: Asked): unknown {
  const n = shipments.indexOf(id);
  const isFirst = account_id === "acc_one";
  const isThere = account_id !== "acc_none" && (isFirst || n < 5);
  if (read === "version") return account_id === "acc_none" ? null : `rules of ${account_id}`;
  const isKept = isThere && !(isFirst && n === 4) && later(n) > at;
  const quote = isKept ? { revision: n % 2, rates: [`${account_id}/${id}`] } : null;
  if (read === "quote") return quote;
  const rules_version = `rules of ${account_id}`;
  const [quote_revision, quote_rates] = [quote?.revision ?? null, quote?.rates ?? null];
  return isThere ? { account_id, id, rules_version, quote_revision, quote_rates } : null;
}

const asked = fc.record({
  read: fc.constantFrom("version" as const, "quote" as const, "to_buy" as const),
  account_id: fc.constantFrom(...accounts),
  id: fc.constantFrom(...shipments),
  at: fc.nat(6).map(later),
});

test("whatever is read at once, each caller gets the rows of its account, and of no other", async () => {
  const property = fc.asyncProperty(
    fc.array(asked, { minLength: 1, maxLength: 60 }),
    async (all) => {
      const heard = await Promise.all(all.map((each) => reads[each.read](database.db, each)));
      expect(heard).toEqual(all.map(answerTo));
    },
  );
  await fc.assert(property, { numRuns: 100 });
});

test("twenty concurrent reads of each kind make one round trip of each", async () => {
  const syncs = vi.spyOn(pg.Connection.prototype, "sync");
  onTestFinished(() => syncs.mockRestore());
  const kinds = Object.keys(reads) as Asked["read"][];
  const all = many(20).flatMap((n) =>
    kinds.map((read) => ({
      read,
      account_id: accounts[n % 2]!,
      id: shipments[n % 5]!,
      at: now,
    })),
  );
  const heard = await Promise.all(all.map((each) => reads[each.read](database.db, each)));
  expect(heard).toEqual(all.map(answerTo));
  expect(syncs).toHaveBeenCalledTimes(3);
});
