import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { JournalEntry } from "../carriers/journal-entry.ts";
import { manualClock } from "../domain/time/clock.ts";
import { appendedOnDisk, type AppendedFiles } from "../providers/files/appended.ts";
import { readJournal } from "./read-journal.ts";
import { openJournal, type OpenJournal } from "./write-journal.ts";

/** What is noted outside the database is read again, whatever happened to the process that noted it. */

const today = "2026-11-27T12:00:00.000Z";
const since = new Date("2026-11-27T11:00:00.000Z");

let folder: string;
let files: AppendedFiles;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "waybill-journal-"));
  files = appendedOnDisk(join(folder, "journal"));
});
const opened: OpenJournal[] = [];
afterEach(async () => {
  for (const journal of opened.splice(0)) journal.close();
  await rm(folder, { recursive: true, force: true });
});

const facts = {
  account_id: "acc_1",
  carrier: "ups",
  environment: "test",
  connection_id: "con_1",
} as const;
const money = { amount_cents: 1200, currency: "CAD" };

function sent(reference: string, at = today): JournalEntry {
  const destination = { country: "CA", postal_code: "B3J 1S3" };
  const references = { account_id: "acc_1", shipment_id: "shp_1", shipment_digest: "d" };
  return {
    step: "sent",
    effect: "label",
    at,
    reference,
    ...facts,
    add_ons: [],
    label_format: "pdf",
    references: { ...references, idempotency_key: null },
    look_up: { ship_date: "2026-11-27", destination, pieces: 1, carrier_service_code: "11" },
    expected_cost: money,
  };
}
function sold(reference: string, at = today): JournalEntry {
  const codes = { tracking_code: "1Z", package_tracking_codes: ["1Z"] };
  const label = { carrier_label_id: "1Z", ...codes, cost: money, carrier_data: null };
  return {
    step: "heard",
    effect: "label",
    at,
    account_id: "acc_1",
    reference,
    outcome: "done",
    label,
  };
}
const about = (reference: string, at: string) => ({ at, reference, account_id: "acc_1" });
const voidSent = (reference: string, at = today): JournalEntry => ({
  step: "sent",
  effect: "void",
  ...facts,
  ...about(reference, at),
});
const voidHeard = (
  reference: string,
  outcome: "nothing" | "unknown",
  at = today,
): JournalEntry => ({
  step: "heard",
  effect: "void",
  outcome,
  ...about(reference, at),
});
const voided = (reference: string, at = today): JournalEntry => ({
  step: "heard",
  effect: "void",
  outcome: "done",
  refund: "approved",
  ...about(reference, at),
});

/** A process that notes, and the clock that it goes by. */
function aProcess(process_id = "prc_1", over: AppendedFiles = files) {
  const clock = manualClock(new Date(today));
  const journal = openJournal({ files: over, clock, process_id, kept_days: 400 });
  opened.push(journal);
  return { clock, journal };
}

async function noted(...entries: JournalEntry[]): Promise<string> {
  const { journal } = aProcess();
  for (const entry of entries) await journal.write(entry);
  journal.close();
  const [name] = await files.names("2026-11-27");
  return join(folder, "journal", name!);
}

const labelsOf = async () =>
  (await readJournal(files, { since })).labels.map(({ sent: { reference }, heard, undone }) => [
    reference,
    heard?.tracking_code ?? null,
    undone,
  ]);

test("of all processes what was sent is read in the order of the calls, each with its answer", async () => {
  const [one, two] = [aProcess("prc_1"), aProcess("prc_2")];
  await one.journal.write(sent("att_2", "2026-11-27T12:00:02.000Z"));
  await Promise.all([
    two.journal.write(sent("att_1", "2026-11-27T12:00:01.000Z")),
    two.journal.write(sold("att_1", "2026-11-27T12:00:03.000Z")),
  ]);
  expect(await labelsOf()).toEqual([
    ["att_1", "1Z", null],
    ["att_2", null, null],
  ]);
});

test("each day has a file of its own, and those that no restore needs are deleted", async () => {
  const { clock, journal } = aProcess();
  await journal.write(sent("att_1"));
  clock.set(new Date("2026-11-28T00:00:00.000Z"));
  await journal.write(sold("att_1", "2026-11-28T00:00:00.000Z"));
  expect(await files.folders()).toEqual(["2026-11-27", "2026-11-28"]);
  expect(await labelsOf()).toEqual([["att_1", "1Z", null]]);
  clock.set(new Date("2028-01-01T00:00:00.000Z"));
  await journal.prune();
  expect(await files.folders()).toEqual(["2026-11-27", "2026-11-28"]);
  clock.set(new Date("2028-01-02T00:00:00.000Z"));
  await journal.prune();
  expect(await files.folders()).toEqual(["2026-11-28"]);
});

describe("a power cut", () => {
  test("that tears the last line leaves all before it", async () => {
    const path = await noted(sent("att_1"), sold("att_1"), sent("att_2"));
    await appendFile(path, JSON.stringify(sold("att_2")).slice(0, -20));
    const journal = await readJournal(files, { since });
    expect(journal.damaged).toEqual([]);
    expect(await labelsOf()).toEqual([
      ["att_1", "1Z", null],
      ["att_2", null, null],
    ]);
  });

  test("a file whose write failed is left, so that half a line is its last", async () => {
    const full: AppendedFiles = {
      ...files,
      async begin(name) {
        const file = await files.begin(name);
        return {
          close: () => file.close(),
          async append(bytes) {
            if (!bytes.includes("att_2")) return file.append(bytes);
            await file.append(bytes.subarray(0, 40));
            throw new Error("ENOSPC");
          },
        };
      },
    };
    const { journal } = aProcess("prc_1", full);
    await journal.write(sent("att_1"));
    await expect(journal.write(sent("att_2"))).rejects.toThrow("ENOSPC");
    await journal.write(sent("att_3"));
    expect(await labelsOf()).toEqual([
      ["att_1", null, null],
      ["att_3", null, null],
    ]);
    expect((await readJournal(files, { since })).damaged).toEqual([]);
  });
});

test("a whole line that cannot be read is named, and the others are read", async () => {
  const path = await noted(sent("att_1"), sent("att_2"));
  const [first, second] = (await readFile(path, "utf8")).split("\n") as [string, string];
  await writeFile(path, `${first.replace("{", "#")}\n${second}\n`);
  const { damaged, labels } = await readJournal(files, { since });
  expect(damaged).toHaveLength(1);
  expect(labels.map(({ sent: { reference } }) => reference)).toEqual(["att_2"]);
});

test.each<[string, JournalEntry[], unknown]>([
  ["that was answered", [voidSent("att_1"), voided("att_1")], { refund: "approved" }],
  ["without an answer", [voidSent("att_1")], "unheard"],
  ["whose answer proves nothing", [voidSent("att_1"), voidHeard("att_1", "unknown")], "unheard"],
  ["that was refused", [voidSent("att_1"), voidHeard("att_1", "nothing")], null],
  [
    "that was refused, and made later",
    [
      voidSent("att_1"),
      voidHeard("att_1", "nothing"),
      voidSent("att_1", "2026-11-27T12:05:00.000Z"),
      voided("att_1", "2026-11-27T12:05:01.000Z"),
    ],
    { refund: "approved" },
  ],
  [
    "that was made, and refused when it was made again",
    [
      voidSent("att_1"),
      voided("att_1"),
      voidSent("att_1", "2026-11-27T12:05:00.000Z"),
      voidHeard("att_1", "nothing", "2026-11-27T12:05:01.000Z"),
    ],
    { refund: "approved" },
  ],
])("a void %s", async (_how, entries, undone) => {
  await noted(sent("att_1"), sold("att_1"), ...entries);
  expect(await labelsOf()).toEqual([["att_1", "1Z", undone]]);
});

test("what had no effect, or was sent before, is not among what was sent, and its void is", async () => {
  const nothing: JournalEntry = {
    step: "heard",
    effect: "label",
    outcome: "nothing",
    ...about("att_1", today),
  };
  await noted(
    sent("att_0", "2026-11-27T10:00:00.000Z"),
    sold("att_0", "2026-11-27T10:00:01.000Z"),
    ...[sent("att_1"), nothing, voidSent("att_0"), voided("att_0")],
  );
  const { labels, undone_labels, references } = await readJournal(files, { since });
  expect(labels).toEqual([]);
  expect(undone_labels).toMatchObject([
    { sent: { reference: "att_0" }, undone: { refund: "approved" } },
  ]);
  expect([...references]).toEqual(["att_0", "att_1"]);
});

test("a manifest is read with its answer, or without one, and not where it was refused", async () => {
  const asked = (reference: string): JournalEntry => ({
    step: "sent",
    effect: "manifest",
    ...facts,
    ...about(reference, today),
    references: {
      account_id: "acc_1",
      manifest_id: "man_1",
      part: 0,
      shipment_ids: ["shp_1"],
      idempotency_key: null,
    },
    label_references: ["att_0"],
    look_up: { ship_date: "2026-11-27" },
  });
  const told = { step: "heard", effect: "manifest" } as const;
  const manifest = { carrier_manifest_id: "M1", carrier_data: null };
  await noted(
    ...[asked("att_1"), asked("att_2"), asked("att_3")],
    { ...told, outcome: "done", manifest, ...about("att_1", today) },
    { ...told, outcome: "nothing", ...about("att_2", today) },
    { ...told, outcome: "unknown", ...about("att_3", today) },
  );
  const { manifests, labels, undone_labels, references } = await readJournal(files, { since });
  expect(manifests.map(({ sent: { reference }, heard }) => [reference, heard])).toEqual([
    ["att_1", manifest],
    ["att_3", null],
  ]);
  expect([labels, undone_labels]).toEqual([[], []]);
  expect([...references]).toEqual(["att_1", "att_2", "att_3"]);
});

test("entries of one moment are stored together, each once", async () => {
  const { journal } = aProcess();
  const many = Array.from(
    { length: 50 },
    (_each, index) => `att_${String(index).padStart(2, "0")}`,
  );
  await Promise.all(many.map((reference) => journal.write(sent(reference))));
  expect((await labelsOf()).map(([reference]) => reference)).toEqual(many);
  expect(await readdir(join(folder, "journal", "2026-11-27"))).toEqual(["prc_1-1.jsonl"]);
});
