import type { Transaction } from "@waybill/sdk";
import { csvOf } from "../../csv.ts";

const columns = [
  "created_at",
  "type",
  "description",
  "shipment_id",
  "subtotal",
  "tax",
  "amount",
  "balance_after",
  "currency",
  "id",
] as const;

/** Entries of the ledger as a file for spreadsheets, with the API's names and amounts. */
export function ledgerCsv(rows: readonly Transaction[]): string {
  return csvOf(
    columns,
    rows.map((row) => columns.map((name) => row[name])),
  );
}
