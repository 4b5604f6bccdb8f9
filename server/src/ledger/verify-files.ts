import { sql, type RawBuilder } from "kysely";
import type { Database } from "../database/tables.ts";
import { namedPerRule, type Contradiction } from "./verify.ts";

/** A file as its row lists it; without size and digest where it was never written, or before 0028. */
interface ListedFile {
  file_key: string;
  bytes: number | null;
  sha256: string | null;
  /** The owner: a shipment, a statement or a batch. */
  account_id: string;
  subject: string;
}

const pageSize = 500;
const together = 8;

/** Every file that a row lists, by the primary key of its row. */
const listings = {
  shipments: sql`
    SELECT account_id, id, document ->> 'file_key' AS file_key, (document ->> 'bytes')::bigint AS bytes, document ->> 'sha256' AS sha256
    FROM rows_of_page, jsonb_array_elements(documents) AS document`,
  statements: sql`
    SELECT account_id, id, file.* FROM rows_of_page,
      LATERAL (VALUES (pdf_key, pdf_bytes, pdf_sha256), (csv_key, csv_bytes, csv_sha256)) AS file (file_key, bytes, sha256)
    WHERE file_key IS NOT NULL`,
  batches: sql`
    SELECT account_id, id, combined_file_key AS file_key, combined_bytes AS bytes, combined_sha256 AS sha256
    FROM rows_of_page WHERE combined_file_key IS NOT NULL`,
};

/**
 * Compares the files of labels, documents, statements and batches with the size and digest stored next to
 * their keys; `check` reads the file store. Reads all of them, so the time grows with their total size. A
 * document drawn by Waybill that was never drawn is drawn on request, and is not reported as missing.
 */
export async function verifyFiles(
  db: Database,
  check: (file: ListedFile) => Promise<"intact" | "missing" | "damaged">,
): Promise<Contradiction[]> {
  const found: Contradiction[] = [];
  for (const table of Object.keys(listings) as (keyof typeof listings)[]) {
    for await (const files of pagesOf(db, table)) {
      for (let place = 0; place < files.length; place += together) {
        const some = files.slice(place, place + together);
        const states = await Promise.all(some.map(check));
        some.forEach((file, index) => {
          const state = states[index]!;
          if (state === "intact" || (state === "missing" && isUndrawn(file))) return;
          if (found.length < namedPerRule) found.push(contradictionOf(file, state));
        });
      }
    }
  }
  return found;
}

function isUndrawn({ file_key, sha256 }: ListedFile): boolean {
  return sha256 === null && /^[^/]+\/(papers|invoices)\//.test(file_key);
}

function contradictionOf(
  { account_id, subject, file_key, bytes, sha256 }: ListedFile,
  state: "missing" | "damaged",
): Contradiction {
  const digest = sha256 === null ? "" : ` of ${bytes} bytes with ${sha256}`;
  return {
    rule: "file_is_what_was_written",
    promise: "Every file that a row lists is there, byte for byte as it was written.",
    account_id,
    subject,
    expected: `${file_key}${digest}`,
    found: state,
  };
}

interface RowKey {
  account_id: string;
  id: string;
}

/** A page of rows at a time, by their key, so that no page costs more than another. */
async function* pagesOf(db: Database, table: keyof typeof listings): AsyncGenerator<ListedFile[]> {
  let last: RowKey | undefined = { account_id: "", id: "" };
  while (last) {
    const page = rowsBehind(table, last);
    const { rows } = await sql<ListedFile>`
      WITH rows_of_page AS (${page})
      SELECT account_id, id AS subject, file_key, bytes, sha256 FROM (${listings[table]}) AS listed`.execute(
      db,
    );
    yield rows;
    const end = sql<RowKey>`
      SELECT account_id, id FROM (${page}) AS page ORDER BY account_id DESC, id DESC LIMIT 1`;
    last = (await end.execute(db)).rows[0];
  }
}

function rowsBehind(table: keyof typeof listings, { account_id, id }: RowKey): RawBuilder<unknown> {
  return sql`
    SELECT * FROM ${sql.table(table)} WHERE (account_id, id) > (${account_id}, ${id})
    ORDER BY account_id, id LIMIT ${pageSize}`;
}
