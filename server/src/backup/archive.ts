import { createReadStream } from "node:fs";
import { Readable, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { extract, pack } from "tar-stream";

/** A `.tar.gz` as a stream of entries: none is buffered in memory, and none is written twice. */

export interface ArchiveWriter {
  add(entry: { name: string; size: number }, content: Readable): Promise<void>;
  /** Resolves once the last byte is written to the destination. */
  finish(): Promise<void>;
}

export function writeArchive(destination: Writable, at: Date): ArchiveWriter {
  const tar = pack();
  const flowing = pipeline(tar, createGzip(), destination);
  // A destination that fails must end the entry that is being written, which would otherwise never end.
  flowing.catch((error: unknown) => tar.destroy(error as Error));
  return {
    async add({ name, size }, content) {
      const sink = tar.entry({ name, size, mode: 0o600, mtime: at });
      await Promise.race([pipeline(content, sink), flowing]);
    },
    async finish() {
      tar.finalize();
      await flowing;
    },
  };
}

/** Hands each entry to `take`, in order, which must read it to its end. Throws when the file is damaged. */
export async function readArchive(
  path: string,
  take: (name: string, content: Readable) => Promise<void>,
): Promise<void> {
  const entries = extract();
  const flowing = pipeline(createReadStream(path), createGunzip(), entries);
  const reading = (async () => {
    for await (const entry of entries) await take(entry.header.name, Readable.from(entry));
  })();
  try {
    await Promise.all([flowing, reading]);
  } catch (error) {
    entries.destroy();
    const [flowed] = await Promise.allSettled([flowing, reading]);
    throw flowed.status === "rejected" ? whyItStopped(flowed.reason as Error, error) : error;
  }
}

/** Of the two errors the damage is the cause; the other one only reports the aborted stream. */
function whyItStopped(flow: NodeJS.ErrnoException, first: unknown): unknown {
  if (flow.code === "ERR_STREAM_PREMATURE_CLOSE") return first;
  if (flow.syscall) return flow;
  return new Error(`the backup is damaged or truncated: ${flow.message}`, { cause: flow });
}

/** A whole entry, for those that are small. Throws when it is larger than `bytes_max`. */
export async function readWhole(content: Readable, bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of content) {
    bytes += (chunk as Buffer).length;
    if (bytes > bytesMax) throw new Error("an entry of the backup is larger than any of its kind");
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}
