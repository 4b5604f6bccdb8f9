import { createHash } from "node:crypto";
import { Transform } from "node:stream";

/** The amount and the digest of the bytes. */
export interface Digest {
  bytes: number;
  /** Line ends: in PostgreSQL's text format of COPY, one per row and none inside a value. */
  lines: number;
  sha256: string;
}

/** Passes bytes through and measures them; call `digest` when the stream has ended. */
export function digesting(): Transform & { digest(): Digest } {
  const hash = createHash("sha256");
  let bytes = 0;
  let lines = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines += 1;
      done(null, chunk);
    },
  });
  return Object.assign(stream, { digest: () => ({ bytes, lines, sha256: hash.digest("hex") }) });
}

/** One digest of many files, in their order. */
export function digestOfFiles() {
  const hash = createHash("sha256");
  let count = 0;
  let bytes = 0;
  return {
    add(key: string, content: Buffer): void {
      count += 1;
      bytes += content.length;
      const sha256 = createHash("sha256").update(content).digest("hex");
      hash.update(`${key}\t${content.length}\t${sha256}\n`);
    },
    digest: () => ({ count, bytes, sha256: hash.digest("hex") }),
  };
}
