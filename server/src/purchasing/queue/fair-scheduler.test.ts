import { expect, test } from "vitest";
import type { Platform } from "../../context.ts";
import type { ClaimedItem, Run } from "./item-store.ts";
import { newFairScheduler, type FairScheduler, type Line } from "./fair-scheduler.ts";

/** The order of the scheduler, without purchases. */

type Scheduler = FairScheduler<Run, ClaimedItem>;
type BatchLine = Line<Run, ClaimedItem>;

function schedulerOf(limits: {
  batch_items_max: number;
  batch_account_items_max: number;
}): Scheduler {
  return newFairScheduler<Run, ClaimedItem>({} as Platform, {
    places: { all: limits.batch_items_max, of_account: limits.batch_account_items_max },
    idOf: ({ batch_id }) => batch_id,
  });
}

function aRun(account_id: string, batch_id: string): Run {
  const account = { account_id, settings: {} } as Run["account"];
  return {
    account_id,
    batch_id,
    account,
    service: null,
    label_format: "pdf",
    label_size: null,
    has_waiting: true,
    actor: null,
    request_id: null,
  };
}

function items({ source }: BatchLine, count: number): ClaimedItem[] {
  const { account_id, batch_id } = source;
  return Array.from({ length: count }, (_each, place) => ({
    account_id,
    batch_id,
    shipment_id: `shp_${place}`,
    tries: 0,
    shipment: null,
  }));
}

/** Claims for every queue as much as it wants, of a supply that does not end. */
function fillAll(scheduler: Scheduler): void {
  for (const { line, limit } of scheduler.needingJobs())
    scheduler.fill(line, items(line, limit), limit);
}

function begin(scheduler: Scheduler): BatchLine[] {
  const begun: BatchLine[] = [];
  for (let turn = scheduler.next(); turn; turn = scheduler.next()) {
    begun.push(turn.line);
    fillAll(scheduler);
  }
  return begun;
}

const names = (lines: readonly BatchLine[]) => lines.map(({ source }) => source.batch_id);

test("an account alone takes no more slots than its limit", () => {
  const scheduler = schedulerOf({ batch_items_max: 10, batch_account_items_max: 6 });
  scheduler.refresh([aRun("acc_a", "bat_a"), aRun("acc_a", "bat_b")]);
  fillAll(scheduler);
  expect(names(begin(scheduler)).sort()).toEqual([
    "bat_a",
    "bat_a",
    "bat_a",
    "bat_b",
    "bat_b",
    "bat_b",
  ]);
});

test("an account that arrives later gets the next slots, until all have as many", () => {
  const scheduler = schedulerOf({ batch_items_max: 8, batch_account_items_max: 8 });
  scheduler.refresh([aRun("acc_a", "bat_a")]);
  fillAll(scheduler);
  const first = begin(scheduler);
  expect(names(first)).toEqual(Array(8).fill("bat_a"));
  scheduler.refresh([aRun("acc_a", "bat_a"), aRun("acc_b", "bat_b")]);
  fillAll(scheduler);
  const later: string[] = [];
  for (const line of first.slice(0, 4)) {
    scheduler.leave(line);
    later.push(...names(begin(scheduler)));
  }
  expect(later).toEqual(Array(4).fill("bat_b"));
  scheduler.leave(first[4]!);
  scheduler.leave(first[5]!);
  expect(names(begin(scheduler)).sort()).toEqual(["bat_a", "bat_a"]);
});

test("an account does not gain by having many batches", () => {
  const scheduler = schedulerOf({ batch_items_max: 12, batch_account_items_max: 12 });
  const many = Array.from({ length: 9 }, (_each, place) => aRun("acc_a", `bat_a${place}`));
  scheduler.refresh([...many, aRun("acc_b", "bat_b")]);
  fillAll(scheduler);
  const begun = begin(scheduler);
  expect(begun.filter(({ source }) => source.account_id === "acc_b")).toHaveLength(6);
});

test("a batch that stopped returns what was claimed for it, and begins nothing more", () => {
  const scheduler = schedulerOf({ batch_items_max: 2, batch_account_items_max: 2 });
  const both = [aRun("acc_a", "bat_a"), aRun("acc_b", "bat_b")];
  scheduler.refresh(both);
  fillAll(scheduler);
  begin(scheduler);
  const [waiting] = scheduler.needingJobs();
  if (waiting) scheduler.fill(waiting.line, items(waiting.line, 1), waiting.limit);
  const back = scheduler.refresh([both[1]!]);
  expect(back.every(({ batch_id }) => batch_id === "bat_a")).toBe(true);
  expect(scheduler.needingJobs().every(({ line }) => line.source.batch_id === "bat_b")).toBe(true);
  const left = scheduler.clear();
  expect(left.every(({ batch_id }) => batch_id === "bat_b")).toBe(true);
  expect(back.length + left.length).toBeGreaterThan(0);
});

test("claims ahead are shared among the batches, so that other processes find some", () => {
  const scheduler = schedulerOf({ batch_items_max: 10, batch_account_items_max: 10 });
  const runs = Array.from({ length: 20 }, (_each, place) => aRun(`acc_${place}`, `bat_${place}`));
  scheduler.refresh(runs);
  expect(scheduler.needingJobs().map(({ limit }) => limit)).toEqual(Array(20).fill(1));
});
