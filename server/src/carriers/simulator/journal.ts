import { randomBytes } from "node:crypto";
import { open, type FileHandle } from "node:fs/promises";
import type { Clock } from "../../domain/time/clock.ts";

/**
 * The oracle of tests: everything that the simulator ever committed, as lines of JSON in a file that
 * only grows. A line is on the disk before its effect is reported, and the simulator's whole state
 * is read back from it, so that a `kill -9` can neither lose a response that was sent nor invent one.
 *
 * Lines that arrive while the disk is busy wait together and share the next fsync.
 */
export interface Journal {
  /** Chosen once when the file is made: two journals never issue the same tracking code. */
  readonly seed: string;
  append<Facts extends object>(entry: NewEntry<Facts>): Promise<Entry & Facts>;
  /** Up to `limit` committed entries with a sequence above `after`, oldest first. */
  read(after: number, limit: number): Promise<Entry[]>;
  readOne(sequence: number): Promise<Entry>;
  close(): Promise<void>;
}

/** The fields of every entry, whatever the operation adds to it (decision 24). */
export interface Entry {
  /** 1 for the first entry, without gaps. */
  sequence: number;
  at: string;
  carrier: string;
  operation: string;
  /** The client's reference, as it sent it. */
  reference: string;
  tracking_code: string | null;
}

type NewEntry<Facts extends object> = Omit<Entry, "sequence" | "at"> & Facts;

interface Waiting {
  line: Buffer;
  settle(failure: Error | null): void;
}

/**
 * Opens the journal, or makes it. A last line that was torn by a crash is cut off: its effect was
 * never reported. Throws when the file is no journal.
 */
export async function openJournal(path: string, clock: Clock): Promise<Journal> {
  const file = await open(path, "a+", 0o600);
  const { seed, starts, end } = await readFound(file);
  let size = end;
  let waiting: Waiting[] = [];
  let writing: Promise<void> | null = null;
  let failure: Error | null = null;
  let last = starts.length;

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        await file.appendFile(Buffer.concat(batch.map(({ line }) => line)));
        await file.datasync();
      } catch (error) {
        // The file's content is unknown now: nothing more is committed until a restart reads it.
        failure = new Error("The journal cannot be written.", { cause: error });
      }
      for (const { line, settle } of batch) {
        if (!failure) {
          starts.push(size);
          size += line.length;
        }
        settle(failure);
      }
    }
    writing = null;
  }

  async function append<Facts extends object>(entry: NewEntry<Facts>): Promise<Entry & Facts> {
    if (failure) throw failure;
    last += 1;
    const written = { sequence: last, at: clock.now().toISOString(), ...entry };
    await new Promise<void>((resolve, reject) => {
      waiting.push({
        line: Buffer.from(`${JSON.stringify(written)}\n`),
        settle: (error) => (error ? reject(error) : resolve()),
      });
      writing ??= writeAll();
    });
    return written;
  }

  async function read(after: number, limit: number): Promise<Entry[]> {
    const until = Math.min(after + limit, starts.length);
    if (after >= until) return [];
    const from = starts[after]!;
    const bytes = Buffer.alloc((starts[until] ?? size) - from);
    await file.read(bytes, 0, bytes.length, from);
    const lines = bytes.toString().trimEnd().split("\n");
    return lines.map((line) => JSON.parse(line) as Entry);
  }

  return {
    seed,
    append,
    read,
    async readOne(sequence) {
      return (await read(sequence - 1, 1))[0]!;
    },
    async close() {
      await writing;
      await file.close();
    },
  };
}

async function readFound(file: FileHandle): Promise<FoundLines> {
  try {
    // A journal of an older release may be readable by others.
    await file.chmod(0o600);
    return await findLines(file);
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** The first line identifies the file, so that no other file is ever mistaken for a journal. */
interface Header {
  journal: "waybill-simulator";
  seed: string;
}

async function findLines(file: FileHandle): Promise<FoundLines> {
  let seed: string | null = null;
  let end = 0;
  const starts: number[] = [];
  for await (const line of wholeLines(file)) {
    if (seed === null) seed = seedOf(line);
    else starts.push(end);
    end += line.length;
  }
  await file.truncate(end);
  return seed === null ? begin(file) : { seed, starts, end };
}

interface FoundLines {
  seed: string;
  /** Where each entry begins in the file. */
  starts: number[];
  end: number;
}

/** Each line with its newline; bytes after the last newline belong to a line that was never finished. */
async function* wholeLines(file: FileHandle): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0);
  for await (const chunk of file.createReadStream({ start: 0, autoClose: false })) {
    rest = Buffer.concat([rest, chunk as Buffer]);
    for (let end = rest.indexOf("\n"); end >= 0; end = rest.indexOf("\n")) {
      yield rest.subarray(0, end + 1);
      rest = rest.subarray(end + 1);
    }
  }
}

function seedOf(line: Buffer): string {
  const { journal, seed } = JSON.parse(line.toString()) as Partial<Header>;
  if (journal !== "waybill-simulator" || !seed) throw new Error("This file is not a journal.");
  return seed;
}

async function begin(file: FileHandle): Promise<FoundLines> {
  const header: Header = { journal: "waybill-simulator", seed: randomBytes(8).toString("hex") };
  const line = `${JSON.stringify(header)}\n`;
  await file.appendFile(line);
  await file.datasync();
  return { seed: header.seed, starts: [], end: line.length };
}
