import type { Readable } from "node:stream";

/**
 * The file store: labels, documents, statements. Keys are paths that start with the account's id.
 * `disk.ts` keeps them in a folder, `s3.ts` in a bucket.
 */
export interface Files {
  /**
   * Stores the bytes under the key, on stable storage once it resolves. Writing the same key again replaces
   * them whole, never in part; content that ends with an error leaves the old content. Returns size and
   * digest, for the row that will list the file.
   */
  write(key: string, content: Buffer | AsyncIterable<Uint8Array>): Promise<FileDigest>;
  /**
   * The same for a file that nothing lists yet, and a transaction that will list it and can do other work while a
   * disk syncs: it waits for `stored` before its commit. A bucket's upload takes too long for that, and is over when
   * this resolves.
   */
  startWrite(key: string, content: Buffer): Promise<StartedFile>;
  /** The bytes, or null when no file is stored under the key. */
  read(key: string): Promise<Buffer | null>;
  /** The content, to be read to its end or destroyed; null when no file is stored under the key. */
  open(key: string): Promise<OpenFile | null>;
  /** A link that works without a token for `url_valid_minutes`, for GET and HEAD. */
  link(key: string, now: Date): Link;
  /** How Waybill itself serves those links; null where the store does. */
  served: ServedFiles | null;
}

export interface FileDigest {
  bytes: number;
  /** In hexadecimal digits. */
  sha256: string;
}

/** A file that is being written: on stable storage once `stored` resolves. */
interface StartedFile extends FileDigest {
  stored: Promise<void>;
}

interface OpenFile {
  bytes: number;
  content: Readable;
}

export interface Link {
  url: string;
  /** Whole seconds: from then on it is refused. */
  expires_at: Date;
}

interface ServedFiles {
  /** Whether a requested link is one that Waybill signed, unaltered and in time. */
  isSigned(
    link: { method: string; key: string; expires: string; signature: string },
    now: Date,
  ): boolean;
}
