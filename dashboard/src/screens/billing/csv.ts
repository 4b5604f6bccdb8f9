import type { Transaction } from "@waybill/sdk";

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
export function csvOf(rows: readonly Transaction[]): string {
  const lines = rows.map((row) => columns.map((name) => cellOf(row[name])).join(","));
  return [columns.join(","), ...lines, ""].join("\r\n");
}

/** A text that a spreadsheet would take for a formula gets an apostrophe before it. */
function cellOf(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Has the browser save a text as a file. */
export function saveFile(name: string, text: string): void {
  const address = URL.createObjectURL(
    new Blob(["\uFEFF", text], { type: "text/csv;charset=utf-8" }),
  );
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
