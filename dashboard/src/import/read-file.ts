export interface ParsedFile {
  file_hash: string;
  headers: string[];
  rows: string[][];
}

/** Has a worker read the file. Commas, semicolons and tabs are told apart by the worker. */
export async function readFile(file: File): Promise<ParsedFile> {
  const bytes = await file.arrayBuffer();
  const worker = new Worker(new URL("./parse-worker.ts", import.meta.url), { type: "module" });
  try {
    return await new Promise<ParsedFile>((resolve, reject) => {
      worker.addEventListener("message", ({ data }: MessageEvent<ParsedFile>) => resolve(data));
      worker.addEventListener("error", ({ message }) => reject(new Error(message)));
      worker.postMessage(bytes, [bytes]);
    });
  } finally {
    worker.terminate();
  }
}

/** Rows as a CSV file that Excel opens in the right letters. */
export function toCsv(rows: readonly (readonly string[])[]): Blob {
  const quoted = (cell: string) =>
    /[",;\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
  const text = rows.map((row) => row.map(quoted).join(",")).join("\r\n");
  return new Blob(["\ufeff", text, "\r\n"], { type: "text/csv" });
}

/** Saves the file where the browser puts what is downloaded. */
export function download(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
