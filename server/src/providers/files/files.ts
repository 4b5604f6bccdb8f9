import type { Readable } from "node:stream";

/**
 * Where files live: labels, papers, statements. Keys are paths that start with the account's id. `disk.ts`
 * keeps them in a folder, `s3.ts` in a bucket.
 */
export interface Files {
  /**
   * Stores the bytes under the key, on stable storage once it resolves. Writing the same key again replaces
   * them whole, never in part; content that ends with an error leaves what was there. Returns what was
   * written, for the row that will list the file.
   */
  write(key: string, content: Buffer | AsyncIterable<Uint8Array>): Promise<FileDigest>;
  /** The bytes, or null when no file is stored under the key. */
  read(key: string): Promise<Buffer | null>;
  /** The content, to be read to its end or destroyed; null when no file is stored under the key. */
  open(key: string): Promise<OpenFile | null>;
  /** A link that works without a token for `url_valid_minutes`, for GET and HEAD. */
  link(key: string, now: Date): Link;
  /** How those links are answered by us; null where the store does that itself. */
  served: ServedFiles | null;
}

export interface FileDigest {
  bytes: number;
  /** In hexadecimal digits. */
  sha256: string;
}

export interface OpenFile {
  bytes: number;
  content: Readable;
}

export interface Link {
  url: string;
  /** Whole seconds: from then on it is refused. */
  expires_at: Date;
}

export interface ServedFiles {
  /** Whether a link that came back is one of ours, unaltered and in time. */
  isSigned(
    link: { method: string; key: string; expires: string; signature: string },
    now: Date,
  ): boolean;
}
