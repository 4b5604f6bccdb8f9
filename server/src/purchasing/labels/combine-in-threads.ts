import type { Platform } from "../../context.ts";
import type { CombinedLabels, LabelFile } from "../../documents/combine-labels.ts";
import { asBuffer, TaskAborted } from "../../threads/threads.ts";

/**
 * Labels of many shipments as one file, in worker threads: groups of files, as they are read, and then the groups. No
 * task waits for a file, and none takes a thread for long.
 */

/** A group takes a second or two; the largest picture alone as long. */
const ofGroup = { wait_ms: 30_000, limit_ms: 15_000 };
/** Five thousand pages take less than a second; a batch has no limit of pages. */
const ofAll = { wait_ms: 30_000, limit_ms: 60_000 };
const group = { files_max: 50, bytes_max: 2_000_000 };

/** The files have more pages than may be combined. */
export class TooManyPages extends Error {
  readonly max: number;

  constructor(max: number) {
    super(`more than ${max} pages`);
    this.name = "TooManyPages";
    this.max = max;
  }
}

/**
 * Give it the files as a generator that reads one after the other; null for one without any. Throws `TooManyPages`, `TaskAborted` where the threads
 * are busy, and what `combineLabels` throws.
 */
export async function combineInThreads(
  { threads }: Pick<Platform, "threads">,
  files: AsyncIterable<LabelFile>,
  { account_id, pages_max = Infinity }: { account_id: string; pages_max?: number },
): Promise<CombinedLabels | null> {
  const combined: CombinedLabels[] = [];
  let pages = 0;
  for await (const each of groupsOf(files)) {
    const parts = await combineGroup(threads, each, account_id);
    pages += parts.reduce((sum, part) => sum + part.pages, 0);
    if (pages > pages_max) throw new TooManyPages(pages_max);
    combined.push(...parts);
  }
  if (combined.length < 2) return combined[0] ?? null;
  const parts = combined.map(({ format, bytes }) => ({ name: "", format, bytes }));
  const transfer = parts
    .map(({ bytes }) => bytes.buffer)
    .filter((each) => each instanceof ArrayBuffer);
  const whole = await threads.run("combine_labels", parts, { account_id, ...ofAll, transfer });
  return { ...whole, bytes: asBuffer(whole.bytes), pages };
}

async function* groupsOf(files: AsyncIterable<LabelFile>): AsyncGenerator<LabelFile[]> {
  let held: LabelFile[] = [];
  let bytes = 0;
  for await (const file of files) {
    held.push(file);
    bytes += file.bytes.length;
    if (held.length < group.files_max && bytes < group.bytes_max) continue;
    yield held;
    held = [];
    bytes = 0;
  }
  if (held.length > 0) yield held;
}

/** Where a group takes too long, each file is combined alone; a file that does has a page that says so in its place. */
async function combineGroup(
  threads: Platform["threads"],
  files: readonly LabelFile[],
  account_id: string,
): Promise<CombinedLabels[]> {
  try {
    const part = await threads.run("combine_labels", files, { account_id, ...ofGroup });
    return [{ ...part, bytes: asBuffer(part.bytes) }];
  } catch (error) {
    const [first, ...others] = files;
    const isOver = first?.bytes.length === 0 && others.length === 0;
    if (!(error instanceof TaskAborted) || error.reason === "busy" || isOver) throw error;
  }
  const apart = files.length > 1 ? files : files.map((file) => ({ ...file, bytes: nothing }));
  const parts: CombinedLabels[] = [];
  for (const file of apart) parts.push(...(await combineGroup(threads, [file], account_id)));
  return parts;
}

const nothing = Buffer.alloc(0);
