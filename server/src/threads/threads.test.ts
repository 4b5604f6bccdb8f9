import { PDFDocument } from "@cantoo/pdf-lib";
import { afterEach, expect, test } from "vitest";
import { longestStretchMs } from "../../test/loop/stretch.ts";
import { invoice as ordinary, tile } from "../../test/documents/invoice.fixtures.ts";
import { TaskAborted, openThreads, type Threads } from "./threads.ts";

let threads: Threads;
afterEach(() => threads.close());

const options = { account_id: "acc_1", wait_ms: 60_000, limit_ms: 60_000 };
const invoice = (words: string, count: number) => ({
  ...ordinary,
  items: Array.from({ length: count }, (_, place) => ({
    ...tile,
    customs_description: `${words} ${place}`,
  })),
});

test("the largest invoice in letters that are hardest to set does not block the event loop", async () => {
  threads = openThreads(1);
  await threads.run("commercial_invoice", invoice("Mug", 1), options);
  let bytes: Uint8Array | undefined;
  const longest = await longestStretchMs(async () => {
    const hard = invoice("ספל חרס בעבודת יד ".repeat(11), 500);
    bytes = await threads.run("commercial_invoice", hard, options);
  });
  expect(Buffer.from(bytes!).subarray(0, 5).toString()).toBe("%PDF-");
  expect(longest).toBeLessThan(100);
});

test("the picture of a label of fifty packages does not block the event loop", async () => {
  threads = openThreads(1);
  const pdf = await PDFDocument.create();
  for (let page = 0; page < 50; page++)
    pdf.addPage([288, 432]).drawText(`Package ${page}`, { x: 20, y: 200 });
  const label = await pdf.save();
  await threads.run("label_picture", [label], options);
  let bytes: Uint8Array | undefined;
  const longest = await longestStretchMs(async () => {
    bytes = await threads.run("label_picture", [label], options);
  });
  expect(Buffer.from(bytes!).readUInt32BE(20)).toBe(50 * 1218);
  expect(longest).toBeLessThan(100);
});

test("a task that takes too long is aborted, and the next one is executed", async () => {
  threads = openThreads(1);
  const given = threads.run("commercial_invoice", invoice("陶瓷杯".repeat(60), 500), {
    ...options,
    limit_ms: 20,
  });
  const next = threads.run("commercial_invoice", invoice("Mug", 1), options);
  await expect(given).rejects.toMatchObject({ name: "TaskAborted", reason: "too_long" });
  expect((await next).byteLength).toBeGreaterThan(1000);
});

test("an error of a task is thrown to its caller, and its thread continues", async () => {
  threads = openThreads(1);
  await expect(threads.run("bol", {} as never, options)).rejects.toThrow(TypeError);
  await threads.run("commercial_invoice", invoice("Mug", 1), options);
});

test("accounts take turns, however much one of them asks for", async () => {
  threads = openThreads(1);
  const ended: string[] = [];
  const ask = async (account_id: string) => {
    await threads.run("commercial_invoice", invoice("Mug", 5), { ...options, account_id });
    ended.push(account_id);
  };
  await Promise.all([..."aaaaab"].map(ask));
  expect(ended.indexOf("b")).toBeLessThan(3);
});

test("tasks that wait when the threads are closed are aborted", async () => {
  threads = openThreads(1);
  const asked = [1, 2, 3].map(() => threads.run("commercial_invoice", invoice("Mug", 9), options));
  const ends = Promise.allSettled(asked);
  await threads.close();
  for (const end of await ends)
    expect(end).toMatchObject({ status: "rejected", reason: expect.any(TaskAborted) as unknown });
});
