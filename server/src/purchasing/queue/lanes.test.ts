import { expect, test } from "vitest";
import type { Platform } from "../../context.ts";
import type { ClaimedItem, Run } from "./item-store.ts";
import { newLanes, type Lane, type Lanes } from "./lanes.ts";

/** Whose turn it is, without anybody buying anything. */

function lanesOf(limits: { batch_items_max: number; batch_account_items_max: number }): Lanes {
  return newLanes({ config: limits } as Platform);
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
  };
}

function items({ run }: Lane, count: number): ClaimedItem[] {
  const { account_id, batch_id } = run;
  return Array.from({ length: count }, (_each, place) => ({
    ...{ account_id, batch_id, shipment_id: `shp_${place}`, tries: 0, shipment: null },
  }));
}

/** Claims for every lane as much as it wants, of a supply that does not end. */
function fillAll(lanes: Lanes): void {
  for (const { lane, limit } of lanes.thirsty()) lanes.fill(lane, items(lane, limit), limit);
}

function begin(lanes: Lanes): Lane[] {
  const begun: Lane[] = [];
  for (let turn = lanes.next(); turn; turn = lanes.next()) {
    begun.push(turn.lane);
    fillAll(lanes);
  }
  return begun;
}

const names = (lanes: readonly Lane[]) => lanes.map(({ run }) => run.batch_id);

test("an account alone takes no more places than an account may", () => {
  const lanes = lanesOf({ batch_items_max: 10, batch_account_items_max: 6 });
  lanes.refresh([aRun("acc_a", "bat_a"), aRun("acc_a", "bat_b")]);
  fillAll(lanes);
  expect(names(begin(lanes)).sort()).toEqual([
    "bat_a",
    "bat_a",
    "bat_a",
    "bat_b",
    "bat_b",
    "bat_b",
  ]);
});

test("whoever comes later gets the next places, until all have as many", () => {
  const lanes = lanesOf({ batch_items_max: 8, batch_account_items_max: 8 });
  lanes.refresh([aRun("acc_a", "bat_a")]);
  fillAll(lanes);
  const first = begin(lanes);
  expect(names(first)).toEqual(Array(8).fill("bat_a"));
  lanes.refresh([aRun("acc_a", "bat_a"), aRun("acc_b", "bat_b")]);
  fillAll(lanes);
  const later: string[] = [];
  for (const lane of first.slice(0, 4)) {
    lanes.leave(lane);
    later.push(...names(begin(lanes)));
  }
  expect(later).toEqual(Array(4).fill("bat_b"));
  lanes.leave(first[4]!);
  lanes.leave(first[5]!);
  expect(names(begin(lanes)).sort()).toEqual(["bat_a", "bat_a"]);
});

test("an account does not gain by having many batches", () => {
  const lanes = lanesOf({ batch_items_max: 12, batch_account_items_max: 12 });
  const many = Array.from({ length: 9 }, (_each, place) => aRun("acc_a", `bat_a${place}`));
  lanes.refresh([...many, aRun("acc_b", "bat_b")]);
  fillAll(lanes);
  const begun = begin(lanes);
  expect(begun.filter(({ run }) => run.account_id === "acc_b")).toHaveLength(6);
});

test("a batch that stopped gives back what was claimed for it, and begins nothing more", () => {
  const lanes = lanesOf({ batch_items_max: 2, batch_account_items_max: 2 });
  const both = [aRun("acc_a", "bat_a"), aRun("acc_b", "bat_b")];
  lanes.refresh(both);
  fillAll(lanes);
  begin(lanes);
  const [waiting] = lanes.thirsty();
  if (waiting) lanes.fill(waiting.lane, items(waiting.lane, 1), waiting.limit);
  const back = lanes.refresh([both[1]!]);
  expect(back.every(({ batch_id }) => batch_id === "bat_a")).toBe(true);
  expect(lanes.thirsty().every(({ lane }) => lane.run.batch_id === "bat_b")).toBe(true);
  const left = lanes.clear();
  expect(left.every(({ batch_id }) => batch_id === "bat_b")).toBe(true);
  expect(back.length + left.length).toBeGreaterThan(0);
});

test("claims ahead are shared among the batches, so that other processes find some", () => {
  const lanes = lanesOf({ batch_items_max: 10, batch_account_items_max: 10 });
  const runs = Array.from({ length: 20 }, (_each, place) => aRun(`acc_${place}`, `bat_${place}`));
  lanes.refresh(runs);
  expect(lanes.thirsty().map(({ limit }) => limit)).toEqual(Array(20).fill(1));
});
