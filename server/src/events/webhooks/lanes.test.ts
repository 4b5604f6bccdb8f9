import { expect, test } from "vitest";
import type { DueDelivery } from "./lane-store.ts";
import { newLanes, type Begun, type Lane, type Lanes } from "./lanes.ts";

/** Which delivery is sent next, without sending. */

const nowhere = { url: "", environment: "test" as const, fence: "1", max_in_flight: 8 };

function aLane(lanes: Lanes, account_id: string, id: string, changes: { failing?: boolean } = {}) {
  const lane = lanes.open({
    account_id,
    id,
    fence: "1",
    due_at: new Date(),
    failing_since: changes.failing ? new Date() : null,
    failure_count: 0,
    is_failing_told: false,
    last_success_at: null,
  });
  fill(lanes, lane, 16);
  return lane;
}

let made = 0;
function fill(lanes: Lanes, lane: Lane, count: number, good_for_ms = 60_000): void {
  const due = Array.from(
    { length: count },
    () => ({ delivery_id: `dlv_${made++}`, attempt_count: 0 }) as DueDelivery,
  );
  const good_until = performance.now() + good_for_ms;
  lanes.fill(lane, { ...nowhere, webhook_id: lane.webhook_id, due }, { secrets: [], good_until });
}

function begin(lanes: Lanes): Begun[] {
  const begun: Begun[] = [];
  for (let next = lanes.next(); next; next = lanes.next()) begun.push(next);
  return begun;
}

const success = { is_success: true, is_answered: true };
const refusal = { is_success: false, is_answered: true };
const silence = { is_success: false, is_answered: false };

test("endpoints that hang fill their own slots alone", () => {
  const lanes = newLanes({ healthy: 8, failing: 2 });
  for (let nth = 0; nth < 20; nth++) aLane(lanes, `acc_${nth}`, `whk_${nth}`, { failing: true });
  const first = begin(lanes);
  expect(first.map(({ pool }) => pool)).toEqual(["failing", "failing"]);
  const healthy = aLane(lanes, "acc_healthy", "whk_healthy");
  expect(begin(lanes).map(({ lane }) => lane)).toEqual([healthy]);
});

test("an account has at most a quarter of the slots, however many webhooks it has", () => {
  const lanes = newLanes({ healthy: 40, failing: 4 });
  for (let nth = 0; nth < 16; nth++) aLane(lanes, "acc_large", `whk_${nth}`);
  expect(begin(lanes)).toHaveLength(10);
  aLane(lanes, "acc_small", "whk_small");
  expect(begin(lanes).map(({ lane }) => lane.account_id)).toEqual(["acc_small"]);
});

test("an endpoint's limit is one more after each success, and one after no answer", () => {
  const lanes = newLanes();
  const lane = aLane(lanes, "acc_a", "whk_a");
  let open = begin(lanes);
  expect(open).toHaveLength(1);
  for (let limit = 2; limit <= 4; limit++) {
    lanes.leave(open.shift()!, success);
    open.push(...begin(lanes));
    expect(open).toHaveLength(limit);
  }
  lanes.leave(open.shift()!, refusal);
  expect([lane.limit, lane.pool]).toEqual([4, "failing"]);
  lanes.leave(open.shift()!, silence);
  expect(lane.limit).toBe(1);
  expect(begin(lanes)).toEqual([]);
  open.splice(0).forEach((each) => lanes.leave(each, success));
  expect(lane.pool).toBe("healthy");
  for (let nth = 0; nth < 20; nth++) {
    fill(lanes, lane, 16);
    open = begin(lanes);
    expect(open.length).toBeLessThanOrEqual(8);
    open.forEach((each) => lanes.leave(each, success));
  }
  expect(lane.limit).toBe(8);
});

test("what was read too long ago is not sent: another process may have the webhook by now", () => {
  const lanes = newLanes();
  const lane = aLane(lanes, "acc_a", "whk_a");
  lane.good_until = performance.now() - 1;
  expect(begin(lanes)).toEqual([]);
  expect([lane.jobs.length, lane.in_hand.size, lane.under_way]).toEqual([0, 0, 0]);
  fill(lanes, lane, 3);
  expect(begin(lanes)).toHaveLength(1);
});

test("a lane that closes begins nothing more, and what it did not begin is not in hand", () => {
  const lanes = newLanes();
  const lane = aLane(lanes, "acc_a", "whk_a");
  const [begun] = begin(lanes);
  lanes.close(lane);
  expect([...lane.in_hand]).toEqual([begun!.job.delivery_id]);
  lanes.leave(begun!, success);
  expect(begin(lanes)).toEqual([]);
});

test("room is given for each pool by itself, so that failing webhooks keep no healthy one out", () => {
  const lanes = newLanes({ healthy: 4, failing: 1 });
  for (let nth = 0; nth < 2; nth++) aLane(lanes, `acc_${nth}`, `whk_${nth}`, { failing: true });
  expect(lanes.room()).toEqual({ healthy: 8, failing: 0 });
});
