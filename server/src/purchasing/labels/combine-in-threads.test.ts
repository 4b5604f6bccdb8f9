import { PDFDocument } from "@cantoo/pdf-lib";
import { expect, test } from "vitest";
import { combineLabels, type LabelFile } from "../../documents/combine-labels.ts";
import { TaskAborted, type Threads } from "../../threads/threads.ts";
import { combineInThreads, TooManyPages } from "./combine-in-threads.ts";

const account_id = "acc_1";

async function aPdf(pages: number): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  for (let page = 0; page < pages; page++) pdf.addPage([288, 432]);
  return pdf.save();
}

/** Executes at once, apart from what contains this file. */
function threadsWithout(endless?: Uint8Array) {
  const groups: number[] = [];
  const run = async (_task: string, files: readonly LabelFile[]) => {
    groups.push(files.length);
    if (files.some(({ bytes }) => bytes === endless)) throw new TaskAborted("too_long");
    return combineLabels(files);
  };
  return { groups, threads: { run, close: async () => {} } as unknown as Threads };
}

async function* labels(files: readonly Uint8Array[]): AsyncGenerator<LabelFile> {
  for (const [place, bytes] of files.entries()) yield { name: `SH${place}`, format: "pdf", bytes };
}

test("many files are combined in groups, each page in its order", async () => {
  const { groups, threads } = threadsWithout();
  const page = await aPdf(1);
  const two = await aPdf(2);
  const files = Array.from({ length: 120 }, (_, place) => (place === 119 ? two : page));
  const whole = await combineInThreads({ threads }, labels(files), { account_id });
  const { bytes, pages } = whole!;
  expect(groups).toEqual([50, 50, 20, 3]);
  expect([pages, (await PDFDocument.load(bytes)).getPageCount()]).toEqual([121, 121]);
});

test("a file that takes too long leaves a page that says so, and the others are there", async () => {
  const endless = await aPdf(7);
  const { groups, threads } = threadsWithout(endless);
  const files = [await aPdf(2), endless, await aPdf(3)];
  const whole = await combineInThreads({ threads }, labels(files), { account_id });
  expect(whole!.pages).toBe(2 + 1 + 3);
  expect(groups).toEqual([3, 1, 1, 1, 1, 3]);
});

test("without any file there is none, and no thread is asked", async () => {
  const { groups, threads } = threadsWithout();
  expect(await combineInThreads({ threads }, labels([]), { account_id })).toBeNull();
  expect(groups).toEqual([]);
});

test("more pages than allowed are refused before they are joined", async () => {
  const { groups, threads } = threadsWithout();
  const files = labels([await aPdf(3), await aPdf(3)]);
  const combining = combineInThreads({ threads }, files, { account_id, pages_max: 5 });
  await expect(combining).rejects.toThrow(TooManyPages);
  expect(groups).toEqual([2]);
});

test("where threads are busy, nothing is put in the place of a label", async () => {
  const run = () => Promise.reject(new TaskAborted("busy"));
  const threads = { run, close: async () => {} } as unknown as Threads;
  const combining = combineInThreads({ threads }, labels([await aPdf(1)]), { account_id });
  await expect(combining).rejects.toMatchObject({ reason: "busy" });
});
