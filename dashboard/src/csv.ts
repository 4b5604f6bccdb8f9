export type Cell = string | number | null;

/** Rows as a file for spreadsheets (RFC 4180), below the names of their columns. */
export function csvOf(names: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const lines = rows.map((row) => row.map(cellOf).join(","));
  return [names.join(","), ...lines, ""].join("\r\n");
}

/** A text that a spreadsheet would take for a formula gets an apostrophe before it. */
function cellOf(value: Cell): string {
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
