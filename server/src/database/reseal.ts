import { sql } from "kysely";
import type { Sealer } from "../domain/accounts/sealer.ts";
import type { Database } from "./tables.ts";

/**
 * A column of sealed texts. Each is sealed for the purpose of its table's name and its row's key, joined by
 * spaces.
 */
interface SealedColumn {
  table: string;
  /** The primary key; of a tenant's table the account comes first. */
  key: readonly string[];
  column: string;
}

/**
 * Every column with sealed texts. The texts of one that is missing here cannot be opened once the secret is
 * changed.
 */
export const sealedColumns = [
  { table: "idempotency_keys", key: ["account_id", "key"], column: "sealed_body" },
  { table: "webhook_secrets", key: ["account_id", "webhook_id", "id"], column: "sealed" },
  {
    table: "carrier_connections",
    key: ["account_id", "id", "carrier", "environment"],
    column: "sealed_secrets",
  },
  { table: "users", key: ["id"], column: "totp_secret" },
  { table: "operators", key: ["id"], column: "totp_secret" },
] as const satisfies SealedColumn[];

/** What a text in this row is sealed for. */
export function sealingPurpose(table: SealedColumn["table"], ...key: readonly string[]): string {
  return [table, ...key].join(" ");
}

interface Resealed {
  /** Those that a previous secret had sealed, and the present one has sealed anew. */
  resealed: number;
  /** Those sealed by a secret that was not given: they stay unchanged. */
  unknown: number;
}

const rowsAtATime = 500;

/**
 * Seals anew, with the present secret, the texts that previous ones sealed, while other processes run: a text
 * that one of them has changed meanwhile is left unchanged.
 */
export async function reseal(db: Database, sealer: Sealer): Promise<Resealed> {
  const done: Resealed = { resealed: 0, unknown: 0 };
  for (const sealed of sealedColumns) {
    let after: string[] | null = sealed.key.map(() => "");
    while (after) after = await resealPage(db, sealer, { sealed, after, done });
  }
  return done;
}

/** One page of a column; returns the last key, or null after the last page. */
async function resealPage(
  db: Database,
  sealer: Sealer,
  { sealed, after, done }: { sealed: SealedColumn; after: readonly string[]; done: Resealed },
): Promise<string[] | null> {
  const { table, key, column } = sealed;
  const columns = sql.join(key.map((name) => sql.ref(name)));
  const { rows } = await sql<Record<string, string>>`
    SELECT ${columns}, ${sql.ref(column)} AS sealed FROM ${sql.table(table)}
    WHERE ${sql.ref(column)} IS NOT NULL AND (${columns}) > (${sql.join(after)})
    ORDER BY ${columns} LIMIT ${rowsAtATime}`.execute(db);
  for (const row of rows) {
    const before = row["sealed"]!;
    if (sealer.isCurrent(before)) continue;
    const purpose = sealingPurpose(table, ...key.map((name) => row[name]!));
    const text = sealer.open(before, purpose);
    if (text === null) {
      done.unknown++;
      continue;
    }
    const isRow = sql.join(
      key.map((name) => sql`${sql.ref(name)} = ${row[name]}`),
      sql` AND `,
    );
    const { numAffectedRows } = await sql`
      UPDATE ${sql.table(table)} SET ${sql.ref(column)} = ${sealer.seal(text, purpose)}
      WHERE ${isRow} AND ${sql.ref(column)} = ${before}`.execute(db);
    done.resealed += Number(numAffectedRows ?? 0);
  }
  const last = rows.at(-1);
  return last && rows.length === rowsAtATime ? key.map((name) => last[name]!) : null;
}
