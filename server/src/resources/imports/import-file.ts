import type { Platform } from "../../context.ts";
import { inTransaction } from "../../database/connect.ts";
import { atShell } from "../../domain/accounts/principal.ts";
import { pause } from "../../database/retry.ts";
import { runNext } from "./run-imports.ts";
import { readSource } from "./sources/read-source.ts";
import type { Format } from "./sources/source-row.ts";
import { storeImport } from "./start-import.ts";
import * as store from "./store.ts";

export type ImportError = Pick<store.StagedRow, "row" | "line" | "sku" | "error">;

interface FileToImport {
  account_id: string;
  /** Null leaves it to the file's header. */
  format: Format | null;
  bytes: AsyncIterable<Uint8Array>;
  onProgress(row: store.ImportRow): void;
  onError(error: ImportError): void;
}

const pollEveryMs = 200;

/**
 * Imports a file of any length for an operator: stages it in one transaction, processes its rows along with
 * any workers, and reports each bad row at the end. Throws 404 for an unknown account, 422 for a file that is
 * unusable as a whole.
 */
export async function importProducts(
  platform: Platform,
  { account_id, format, bytes, onProgress, onError }: FileToImport,
): Promise<store.ImportRow> {
  const { db } = platform;
  await store.refuseUnknownAccount(db, account_id);
  const source = readSource(bytes, format);
  const account = { account_id };
  const { id } = await inTransaction(db, (tx) =>
    storeImport({ ...platform, account, principal: atShell, request_id: null }, tx, {
      format,
      source,
      rows_max: Infinity,
    }),
  );
  for (;;) {
    const current = await store.getImport(db, account_id, id);
    onProgress(current);
    if (current.status !== "processing") {
      for await (const error of store.errorsOf(db, { account_id, import_id: id })) onError(error);
      return current;
    }
    // Another process works on the remaining part.
    if (!(await runNext(platform))) await pause(pollEveryMs, new AbortController().signal);
  }
}
