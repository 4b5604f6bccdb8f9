import { sql, type Selectable, type SqlBool } from "kysely";
import { countUpTo } from "../../database/count-up-to.ts";
import { isOneOf } from "../../database/rows.ts";
import type { Database, LedgerTransactionsTable, Tx } from "../../database/tables.ts";
import { onPage, type Page } from "../../http/paging.ts";
import type { TransactionFilters } from "./list-transactions.ts";

export type TransactionRow = Selectable<LedgerTransactionsTable>;

interface PaymentMethodRow {
  account_id: string;
  id: string;
  brand: string;
  last4: string;
  is_default: boolean;
  processor_customer: string | null;
}

export async function findPaymentMethod(db: Database | Tx, accountId: string, id: string | null) {
  const select = db.selectFrom("payment_methods").selectAll().where("account_id", "=", accountId);
  const row = id === null ? select.where("is_default", "=", true) : select.where("id", "=", id);
  return (await row.executeTakeFirst()) ?? null;
}

/** Serialises the changes of an account's cards until the transaction ends. */
export async function lockPaymentMethods(tx: Tx, accountId: string): Promise<void> {
  await tx
    .selectFrom("accounts")
    .select("account_id")
    .where("account_id", "=", accountId)
    .forUpdate()
    .execute();
}

/** One page, in the order of their ids: those are the processor's, and not in the order of time. */
export async function listPaymentMethods(db: Database, accountId: string, page: Page) {
  const select = db
    .selectFrom("payment_methods")
    .select(["id", "brand", "last4", "is_default", "created_at"])
    .where("account_id", "=", accountId);
  return onPage(select, page, "id", "oldest").execute();
}

export async function countPaymentMethods(db: Database, accountId: string): Promise<number> {
  const { total } = await db
    .selectFrom("payment_methods")
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
  return total;
}

export async function insertPaymentMethods(tx: Tx, methods: PaymentMethodRow[]): Promise<void> {
  await tx.insertInto("payment_methods").values(methods).execute();
}

/** Stores a card, or changes of a known one; a new default replaces the old. */
export async function putPaymentMethod(tx: Tx, method: PaymentMethodRow) {
  const { account_id, id, ...facts } = method;
  if (method.is_default) {
    await tx
      .updateTable("payment_methods")
      .set({ is_default: false })
      .where("account_id", "=", account_id)
      .where("is_default", "=", true)
      .execute();
  }
  return tx
    .insertInto("payment_methods")
    .values(method)
    .onConflict((conflict) => conflict.columns(["account_id", "id"]).doUpdateSet(facts))
    .returning(["id", "brand", "last4", "is_default", "created_at"])
    .executeTakeFirstOrThrow();
}

/** Returns whether there was such a card. */
export async function deletePaymentMethod(tx: Tx, accountId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom("payment_methods")
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

interface WantedTransactions {
  account_id: string;
  filters: TransactionFilters;
}

/**
 * One page, in the order of the ledger, the last first: a top-up whose charge was found out later has its id from
 * before that, and moved the balance after what was bought meanwhile.
 */
export async function listTransactions(
  db: Database,
  { page, ...wanted }: WantedTransactions & { page: Page },
) {
  const rows = selectTransactions(db, wanted).selectAll().where("sequence", "is not", null);
  if (!page.beside) return onPage(rows, page, "sequence").execute();
  const beside = await findTransaction(db, wanted.account_id, page.beside.id);
  if (!beside) return [];
  const place = { ...page.beside, id: String(beside.sequence) };
  return onPage(rows, { ...page, beside: place }, "sequence").execute();
}

/** At most `most`. */
export async function countTransactions(
  db: Database,
  wanted: WantedTransactions,
  most: number,
): Promise<number> {
  return countUpTo(db, selectTransactions(db, wanted), most);
}

function selectTransactions(db: Database, { account_id, filters }: WantedTransactions) {
  const { types, created_from, created_to, shipment_id, q, min_cents, max_cents } = filters;
  const conditions = [sql<SqlBool>`true`];
  if (types) conditions.push(isOneOf("type", types));
  if (created_from) conditions.push(sql<SqlBool>`created_at >= ${created_from}`);
  if (created_to) conditions.push(sql<SqlBool>`created_at <= ${created_to}`);
  if (shipment_id !== undefined) conditions.push(sql<SqlBool>`shipment_id = ${shipment_id}`);
  if (q !== undefined)
    conditions.push(
      sql<SqlBool>`(id = ${q} OR shipment_id = ${q} OR strpos(folded(description), folded(${q})) > 0)`,
    );
  if (min_cents !== undefined) conditions.push(sql<SqlBool>`amount_cents >= ${min_cents}`);
  if (max_cents !== undefined) conditions.push(sql<SqlBool>`amount_cents <= ${max_cents}`);
  return db
    .selectFrom("ledger_transactions")
    .where("account_id", "=", account_id)
    .where(sql<SqlBool>`${sql.join(conditions, sql` AND `)}`);
}

export async function findTransaction(db: Database | Tx, accountId: string, id: string) {
  return db
    .selectFrom("ledger_transactions")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .executeTakeFirst();
}

/** The expected refunds of voided labels that their carriers have not confirmed yet. */
export async function sumPendingRefunds(db: Database, accountId: string): Promise<number> {
  const { cents } = await db
    .selectFrom("shipments")
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>("refund_cents"), eb.val(0)).as("cents"))
    .where("account_id", "=", accountId)
    .where("refund_status", "=", "pending")
    .executeTakeFirstOrThrow();
  return Number(cents);
}
