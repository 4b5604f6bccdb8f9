import { sql, type RawBuilder } from "kysely";
import { expect, vi } from "vitest";
import { inTransaction } from "../src/database/connect.ts";
import type { Database, Tx } from "../src/database/tables.ts";
import {
  contradictionsIn,
  rowRules,
  verifyLedger,
  type Contradiction,
} from "../src/ledger/verify.ts";
import { adjust } from "./adjust.ts";
import { outcomeOf } from "./client.ts";
import { aLabelled, scheduled } from "./pickups.ts";
import { aLostPurchase, aPlatformOfBlindCarriers } from "./reviews.ts";
import { aShipment, aSteeredShipment } from "./shipments.ts";
import { anAccount, must, type TestAccount, type World } from "./world.ts";

/**
 * A ledger with entries of every kind, and the damage that a disk, a script or a superuser may do to
 * it: triggers are off, no constraint is left, and afterwards every row is restored.
 */

export const bookTables = ["ledger_transactions", "ledger_entries", "balances", "holds"] as const;
const allTables = [
  ...bookTables,
  ...(["accounts", "attempts", "audit_log", "idempotency_keys"] as const),
  ...(["pickup_parts", "shipments", "statements"] as const),
] as const;
type BookTable = (typeof bookTables)[number];

/** Money of every kind in three accounts: paid, refunded, refused, topped up, a fee, and one purchase open. */
export async function ledgerToDamage(): Promise<World> {
  const world = await aPlatformOfBlindCarriers();
  const shop = await anAccount(world);
  must(await shop.post("/credits/top-up", { amount: 75.5 }), 201);
  const [voided] = [await buyOne(shop), await buyOne(shop, "a key"), await buyOne(shop)];
  must(await shop.post(`/shipments/${voided}/void`), 200);
  const { id } = await shop.create(aSteeredShipment("sim:refuse"));
  expect(outcomeOf(await shop.buy(id))).toBe("502 carrier_error");
  const pickup = await scheduled(shop, await aLabelled(shop, "ups"));
  expect(pickup.cost.total).toBe(8.48);
  await buyOne(await anAccount(world));
  await aLostPurchase(world);
  await vi.waitFor(
    async () => expect((await shop.show(voided)).refund).toMatchObject({ status: "approved" }),
    { timeout: 20_000 },
  );
  await closeTwoMonths(world.db, shop.account_id);
  must(await adjust(world, shop.account_id, { amount: 1 }), 201);
  await sql`UPDATE balances SET low_balance_cents = 1000, recharge_below_cents = 900`.execute(
    world.db,
  );
  expect(await verifyLedger(world.db)).toEqual([]);
  await unguard(world.db);
  return world;
}

async function buyOne(account: TestAccount, key?: string): Promise<string> {
  const { id } = await account.create(aShipment());
  must(await account.buy(id, undefined, key ? { "idempotency-key": key } : {}), 201);
  return id;
}

/** Ends the running month, and the one after it, which has no transaction: their statements are made. */
async function closeTwoMonths(db: Database, account_id: string): Promise<void> {
  for (const closed of [1, 2]) {
    await sql`UPDATE statements SET ends_at = now(), due_at = now() WHERE account_id = ${account_id} AND status = 'open'`.execute(
      db,
    );
    await vi.waitFor(
      async () => {
        const made = db.selectFrom("statements").select("id").where("status", "=", "ready");
        expect(await made.where("account_id", "=", account_id).execute()).toHaveLength(closed);
      },
      { timeout: 20_000, interval: 50 },
    );
  }
}

/** Drops every constraint that would refuse a damage; a key's first use rests on its own. */
async function unguard(db: Database): Promise<void> {
  const { rows } = await sql<{ table: string; name: string }>`
    SELECT conrelid::regclass::text AS table, conname AS name FROM pg_constraint
    WHERE contype IN ('c', 'f', 'p') AND conname <> 'idempotency_keys_pkey' AND conrelid = ANY (${[...allTables]}::text[]::regclass[])`.execute(
    db,
  );
  for (const { table, name } of rows) {
    const drop = sql`ALTER TABLE ${sql.table(table)} DROP CONSTRAINT IF EXISTS ${sql.ref(name)} CASCADE`;
    await drop.execute(db);
  }
  await sql`DROP INDEX attempts_one_live_purchase, ledger_transactions_by_shipment`.execute(db);
}

/** The verifier's findings after the damage, which is then rolled back. Null when it changes nothing. */
export async function findingsAfter(
  db: Database,
  ...damages: RawBuilder<unknown>[]
): Promise<Contradiction[] | null> {
  let found: Contradiction[] | null = null;
  const undone = new Error("rolled back");
  await withoutTriggers(db, async (tx) => {
    let changed = 0n;
    for (const damage of damages) changed += (await damage.execute(tx)).numAffectedRows ?? 0n;
    if (changed > 0n) found = await contradictionsIn(tx, rowRules);
    throw undone;
  }).catch((error: unknown) => {
    if (error !== undone) throw error;
  });
  return found;
}

/** Writes with all triggers disabled. */
export async function withoutTriggers<T>(db: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  return inTransaction(db, async (tx) => {
    await sql`SET LOCAL session_replication_role = replica`.execute(tx);
    return work(tx);
  });
}

/** A row of the ledger, and the subject of a contradiction in it. */
export interface BookRow {
  account_id: string;
  /** Its transaction or hold, or the account itself. */
  subject: string;
  /** Its position; valid until it is damaged. */
  ctid: string;
}

const subjects: Record<BookTable, string> = {
  ledger_transactions: "id",
  ledger_entries: "transaction_id",
  balances: "account_id",
  holds: "id",
};

export async function rowsOf(db: Database, table: BookTable): Promise<BookRow[]> {
  const { rows } = await sql<BookRow>`
    SELECT account_id, ${sql.ref(subjects[table])} AS subject, ctid::text FROM ${sql.table(table)} AS book
    ORDER BY book::text`.execute(db);
  return rows;
}

export interface Column {
  table: BookTable;
  column: string;
  type: string;
}

/** Every column of the ledger, including those that later migrations add. */
export async function columnsOf(db: Database): Promise<Column[]> {
  const { rows } = await sql<Column>`
    SELECT table_name AS table, column_name AS column, data_type AS type FROM information_schema.columns
    WHERE table_schema = current_schema() AND table_name = ANY (${[...bookTables]}) ORDER BY 1, 2`.execute(
    db,
  );
  return rows;
}

/** Changes one bit of one value. Throws, or changes nothing, where no such value can be. */
export function flipped({ table, column, type }: Column, ctid: string, bit: number) {
  const now = sql.ref(column);
  const then = flips[type]!(now, bit);
  return sql`UPDATE ${sql.table(table)} SET ${now} = ${then}
    WHERE ctid = ${ctid}::tid AND ${then} IS DISTINCT FROM ${now}`;
}

type Flip = (value: RawBuilder<unknown>, bit: number) => RawBuilder<unknown>;

const flips: Record<string, Flip> = {
  bigint: (value, bit) => sql`${value} # (1::bigint << ${bit % 63}::int)`,
  smallint: (value, bit) => sql`(${value} # (1 << ${bit % 15}::int))::smallint`,
  text: (value, bit) => textFlip(sql`coalesce(${value}, '?')`, bit),
  jsonb: (value, bit) =>
    sql`CASE ${value}::text WHEN '{}' THEN '{"a": 0}' ELSE ${textFlip(sql`${value}::text`, bit)}::jsonb END`,
  bytea: (value, bit) => bytesFlip(value, bit),
  "timestamp with time zone": (value, bit) =>
    sql`coalesce(${value}, now()) + (1::bigint << ${bit % 45}::int) * interval '1 microsecond'`,
};

function textFlip(text: RawBuilder<unknown>, bit: number): RawBuilder<unknown> {
  // The highest bit of a byte would leave what is text.
  const low = bit - (bit % 8) + (bit % 7);
  return sql`convert_from(${bytesFlip(sql`convert_to(${text}, 'UTF8')`, low)}, 'UTF8')`;
}

function bytesFlip(bytes: RawBuilder<unknown>, bit: number): RawBuilder<unknown> {
  const place = sql`(${bit}::int % greatest(8 * length(${bytes}), 1))`;
  return sql`CASE WHEN length(${bytes}) = 0 THEN '?'::bytea
    ELSE set_bit(${bytes}, ${place}, 1 - get_bit(${bytes}, ${place})) END`;
}
