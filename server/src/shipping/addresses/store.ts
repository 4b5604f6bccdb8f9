import { sql, type Selectable } from "kysely";
import { json, type AddressesTable, type Database, type Tx } from "../../database/tables.ts";
import type { AddressUse } from "../../domain/addresses/address-use.ts";
import { notFound } from "../../domain/errors/errors.ts";
import { onPage, type Page } from "../../http/paging.ts";

/** The SQL of the address book, and of the copy of its default sender in the account's row. */

export type BookRow = Selectable<AddressesTable>;

/** Serialises the changes of an account's book until the transaction ends. */
export async function lockBook(tx: Tx, accountId: string): Promise<void> {
  await tx
    .selectFrom("accounts")
    .select("account_id")
    .where("account_id", "=", accountId)
    .forUpdate()
    .execute();
}

async function findBookAddress(db: Database | Tx, accountId: string, id: string) {
  const row = await db
    .selectFrom("addresses")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .executeTakeFirst();
  return row ?? null;
}

/** Throws 404, the same for a missing address and another account's. */
export async function getBookAddress(
  db: Database | Tx,
  accountId: string,
  id: string,
): Promise<BookRow> {
  const row = await findBookAddress(db, accountId, id);
  if (!row) throw notFound();
  return row;
}

interface BookSearch {
  q?: string;
  use?: AddressUse;
}

function selectBook(db: Database, accountId: string, { q, use }: BookSearch) {
  const text = sql<string>`concat_ws(' ', label, address ->> 'name', address ->> 'company', address ->> 'address1',
    address ->> 'city', address ->> 'postal_code')`;
  return db
    .selectFrom("addresses")
    .where("account_id", "=", accountId)
    .$if(q !== undefined, (query) =>
      query.where(sql<boolean>`strpos(folded(${text}), folded(${q!})) > 0`),
    )
    .$if(use !== undefined, (query) => query.where(sql<boolean>`${use!} = ANY (uses)`));
}

export async function listBook(
  db: Database,
  accountId: string,
  { page, ...search }: BookSearch & { page: Page },
): Promise<BookRow[]> {
  return onPage(selectBook(db, accountId, search).selectAll(), page, "id").execute();
}

export async function countBook(
  db: Database,
  accountId: string,
  search: BookSearch,
): Promise<number> {
  const { total } = await selectBook(db, accountId, search)
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return total;
}

export async function countAddresses(tx: Tx, accountId: string): Promise<number> {
  const { total } = await tx
    .selectFrom("addresses")
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
  return total;
}

/** Writes an entry, new or changed, and takes its defaults from the others. */
export async function putBookAddress(tx: Tx, row: BookRow): Promise<void> {
  const { account_id, id, default_for } = row;
  if (default_for.length > 0)
    await sql`
      UPDATE addresses SET default_for = ARRAY(
        SELECT use FROM unnest(default_for) AS use WHERE NOT use = ANY (${default_for}::text[]))
      WHERE account_id = ${account_id} AND id <> ${id} AND default_for && ${default_for}::text[]`.execute(
      tx,
    );
  const values = { ...row, address: json(row.address) };
  const { account_id: _account, id: _id, created_at: _created, ...facts } = values;
  await tx
    .insertInto("addresses")
    .values(values)
    .onConflict((conflict) => conflict.columns(["account_id", "id"]).doUpdateSet(facts))
    .execute();
}

export async function deleteBookAddress(tx: Tx, accountId: string, id: string): Promise<void> {
  const { numDeletedRows } = await tx
    .deleteFrom("addresses")
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw notFound();
}

/** The default sender; null when there is none. */
export async function findDefaultSender(
  db: Database | Tx,
  accountId: string,
): Promise<BookRow | null> {
  const row = await db
    .selectFrom("addresses")
    .selectAll()
    .where("account_id", "=", accountId)
    .where(sql<boolean>`'from' = ANY (default_for)`)
    .executeTakeFirst();
  return row ?? null;
}

export async function copyDefaultSender(
  tx: Tx,
  accountId: string,
  address: BookRow["address"] | null,
): Promise<void> {
  await tx
    .updateTable("accounts")
    .set({ default_from_address: json(address) })
    .where("account_id", "=", accountId)
    .execute();
}
