/**
 * Where files live: labels now, statements later. Keys are paths that start with the account's id.
 * `disk.ts` keeps them in a folder; a store with pre-signed links of its own can take its place.
 */
export interface Files {
  /** Keeps the bytes under the key. Writing the same key again replaces them whole, never in part. */
  write(key: string, bytes: Buffer): Promise<void>;
  /** The bytes, or null when nothing is kept under the key. */
  read(key: string): Promise<Buffer | null>;
  /** A link that works without a token for `url_valid_minutes`, for GET and HEAD. */
  signedUrl(key: string, now: Date): string;
  /** Whether a link that came back is one of ours, unaltered and in time. */
  isSigned(
    link: { method: string; key: string; expires: string; signature: string },
    now: Date,
  ): boolean;
}
