import { extname } from "node:path";

const contentTypes: Record<string, string> = {
  ".pdf": "application/pdf",
  ".png": "image/png",
  ".zpl": "application/zpl; charset=utf-8",
  ".csv": "text/csv; charset=utf-8",
};

/** The content type by the extension of the key. */
export function contentTypeOf(key: string): string {
  return contentTypes[extname(key)] ?? "application/octet-stream";
}
