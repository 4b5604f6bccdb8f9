import { sql, type Selectable } from "kysely";
import { ownRow } from "../../database/own-row.ts";
import type { Database, StatementsTable, Tx } from "../../database/tables.ts";
import { onPage, type Page } from "../../http/paging.ts";

export type StatementRow = Selectable<StatementsTable>;

/** One page, newest first: ids are made of the times at which the months begin. */
export async function listStatements(db: Database, accountId: string, page: Page) {
  const select = db.selectFrom("statements").selectAll().where("account_id", "=", accountId);
  return onPage(select, page, "id").execute();
}

export async function countStatements(db: Database, accountId: string): Promise<number> {
  const { total } = await db
    .selectFrom("statements")
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
  return total;
}

export async function getStatement(db: Database, accountId: string, id: string) {
  return ownRow(db, "statements", { account_id: accountId, id });
}

/** The statement with the further totals of its month, up to the first transaction of a later month. */
export async function counted(db: Database | Tx, row: StatementRow): Promise<StatementRow> {
  const { account_id, through_sequence, ends_at } = row;
  const { rows } = await sql<Counted>`
    SELECT coalesce(max(sequence), ${through_sequence}::bigint) AS through_sequence,
      ${sumOf("top_up")} AS top_ups_cents, ${sumOf("label")} AS labels_cents, ${sumOf("ltl")} AS ltl_cents,
      ${sumOf("refund")} AS refunds_cents, ${sumOf("adjustment")} AS adjustments_cents,
      ${sumOf("fee")} AS fees_cents, coalesce(sum(amount_cents), 0)::bigint AS amount_cents,
      coalesce(sum(${signedTax}), 0)::bigint AS taxes_cents
    FROM ledger_transactions
    WHERE account_id = ${account_id} AND sequence > ${through_sequence}
      AND sequence < coalesce((
        SELECT later.sequence FROM ledger_transactions AS later
        WHERE later.account_id = ${account_id} AND later.sequence > ${through_sequence}
          AND later.created_at >= ${ends_at}
        ORDER BY later.sequence LIMIT 1), 9223372036854775807)`.execute(db);
  const more = rows[0]!;
  return {
    ...row,
    through_sequence: more.through_sequence,
    closing_cents: row.closing_cents + more.amount_cents,
    top_ups_cents: row.top_ups_cents + more.top_ups_cents,
    labels_cents: row.labels_cents + more.labels_cents,
    ltl_cents: row.ltl_cents + more.ltl_cents,
    refunds_cents: row.refunds_cents + more.refunds_cents,
    adjustments_cents: row.adjustments_cents + more.adjustments_cents,
    fees_cents: row.fees_cents + more.fees_cents,
    taxes_cents: row.taxes_cents + more.taxes_cents,
  };
}

type Sums = Pick<
  StatementRow,
  | "through_sequence"
  | "top_ups_cents"
  | "labels_cents"
  | "ltl_cents"
  | "refunds_cents"
  | "adjustments_cents"
  | "fees_cents"
  | "taxes_cents"
>;
type Counted = Sums & { amount_cents: number };

function sumOf(type: string) {
  return sql`coalesce(sum(amount_cents) FILTER (WHERE type = ${sql.lit(type)}), 0)::bigint`;
}

/** The ledger stores a tax without its sign where the money goes out; here it has that of its amount. */
export const signedTax = sql`CASE WHEN subtotal_cents + tax_cents = amount_cents THEN tax_cents ELSE -tax_cents END`;

/** Stores a count, so that it is never counted again; another process may have done so. */
export async function keepCount(db: Database, seen: StatementRow, now: StatementRow) {
  await db
    .updateTable("statements")
    .set({ closing_cents: now.closing_cents, ...sumsOf(now) })
    .where("account_id", "=", seen.account_id)
    .where("id", "=", seen.id)
    .where("status", "=", "open")
    .where("through_sequence", "=", seen.through_sequence)
    .execute();
}

/** The columns of a row with totals. */
export function sumsOf(row: StatementRow): Sums {
  const { through_sequence, top_ups_cents, labels_cents, ltl_cents } = row;
  const { refunds_cents, adjustments_cents, fees_cents, taxes_cents } = row;
  return {
    through_sequence,
    top_ups_cents,
    labels_cents,
    ltl_cents,
    refunds_cents,
    adjustments_cents,
    fees_cents,
    taxes_cents,
  };
}
