import { createHash } from "node:crypto";
import type { FileDigest, Files } from "./files.ts";

/** A file as a row of the database lists it: its key, and what was written under it. */
export interface ListedFile {
  file_key: string;
  /** Null or absent where the row is older than migration 0028. */
  bytes?: number | null | undefined;
  /** In hexadecimal digits; null or absent likewise. */
  sha256?: string | null | undefined;
}

type FileState = "intact" | "missing" | "damaged";

/**
 * Whether the file of a document is what was written: `damaged` when its size or SHA-256 differs. Of a row
 * without a digest, only whether a regular file exists. Reads the whole file, never into memory. Throws when
 * the store cannot be read.
 */
export async function checkFile(
  files: Pick<Files, "open">,
  { file_key, bytes, sha256 }: ListedFile,
): Promise<FileState> {
  const file = await files.open(file_key);
  if (!file) return "missing";
  if (typeof bytes !== "number" || typeof sha256 !== "string") {
    file.content.destroy();
    return "intact";
  }
  if (file.bytes !== bytes) {
    file.content.destroy();
    return "damaged";
  }
  const found = await digestStream(file.content);
  return found.bytes === bytes && found.sha256 === sha256 ? "intact" : "damaged";
}

/** The same, with the content in memory; null where the file is missing or damaged. */
export async function readIntact(
  files: Pick<Files, "read">,
  { file_key, bytes, sha256 }: ListedFile,
): Promise<Buffer | null> {
  const content = await files.read(file_key);
  if (!content || typeof bytes !== "number" || typeof sha256 !== "string") return content;
  const found = digestBytes(content);
  return found.bytes === bytes && found.sha256 === sha256 ? content : null;
}

/** Size and SHA-256 of content in memory. */
export function digestBytes(content: Uint8Array): FileDigest {
  return {
    bytes: content.byteLength,
    sha256: createHash("sha256").update(content).digest("hex"),
  };
}

async function digestStream(content: AsyncIterable<Uint8Array>): Promise<FileDigest> {
  const measured = measuring(content);
  for await (const _chunk of measured.content);
  return measured.digest();
}

/** The same content, measured as it is read; `digest` is complete when it has ended. */
export function measuring(content: AsyncIterable<Uint8Array>): {
  content: AsyncIterable<Uint8Array>;
  digest(): FileDigest;
} {
  const hash = createHash("sha256");
  let bytes = 0;
  async function* passing(): AsyncGenerator<Uint8Array> {
    for await (const chunk of content) {
      hash.update(chunk);
      bytes += chunk.byteLength;
      yield chunk;
    }
  }
  return { content: passing(), digest: () => ({ bytes, sha256: hash.digest("hex") }) };
}
