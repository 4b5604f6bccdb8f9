import Papa from "papaparse";
import { hashOfBytes } from "./chunk-key.ts";
import type { ParsedFile } from "./read-file.ts";

/** Reads a file beside the page, which stays free: 10,000 rows take a while. */
self.addEventListener("message", ({ data }: MessageEvent<ArrayBuffer>) => {
  self.postMessage(parse(data));
});

function parse(bytes: ArrayBuffer): ParsedFile {
  const { data } = Papa.parse<string[]>(textOf(bytes), { skipEmptyLines: "greedy" });
  const [headers = [], ...rows] = data;
  return { file_hash: hashOfBytes(bytes), headers, rows };
}

/** UTF-8, or else what Excel writes on Windows. */
function textOf(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
