import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canBecome } from "./shipment-states.ts";
import {
  shipmentStatuses,
  shipmentTypes,
  trackingStatuses,
  type ShipmentStatus,
  type ShipmentType,
  type TrackingStatus,
} from "./shipment-status.ts";
import {
  decisiveScan,
  isScanned,
  shipmentStatusWhile,
  statusOfAll,
  stepsTo,
  type TransitStatus,
  type Scan,
} from "./tracking.ts";

const transitStatuses: readonly TransitStatus[] = [
  "in_transit",
  "exception",
  "returned",
  "delivered",
];

/** The final state of a shipment that receives these scans in so many portions, each of which it stores. */
function follow(type: ShipmentType, portions: readonly (readonly Scan[])[]) {
  const known: Scan[] = [];
  let status: ShipmentStatus = type === "ltl" ? "booked" : "purchased";
  for (const portion of portions) {
    known.push(...portion);
    const target = shipmentStatusWhile[decisiveScan(known)?.status ?? "unknown"];
    for (const step of target ? stepsTo(type, status, target) : []) {
      expect(canBecome(type, status, step)).toBe(true);
      status = step;
    }
  }
  return { status, decisive: decisiveScan(known)?.status };
}

const scan = fc.record({
  occurred_at: fc.integer({ min: 0, max: 20 }).map((minute) => new Date(minute * 60_000)),
  status: fc.constantFrom(...trackingStatuses),
  carrier_code: fc.constantFrom("A", "B"),
});
const scans = fc.array(scan, { maxLength: 12 });

/** The same scans in another order, some of them twice, in portions. */
const told = scans.chain((all) =>
  fc
    .tuple(
      fc.shuffledSubarray(all, { minLength: all.length }),
      fc.subarray(all),
      fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 4 }),
    )
    .map(([shuffled, again, cuts]) => {
      const heard = [...shuffled, ...again];
      const ends = [...cuts].sort((a, b) => a - b).concat(heard.length);
      return { all, portions: ends.map((end, index) => heard.slice(ends[index - 1] ?? 0, end)) };
    }),
);

describe("the order and the repetition of scans", () => {
  test.each(shipmentTypes)("makes no difference to the final state of a shipment (%s)", (type) => {
    fc.assert(
      fc.property(told, ({ all, portions }) => {
        expect(follow(type, portions)).toEqual(follow(type, [all]));
      }),
      { numRuns: 2_000 },
    );
  });

  test("never reverts a delivery", () => {
    fc.assert(
      fc.property(scans, scans, (before, after) => {
        const delivered = {
          occurred_at: new Date(0),
          status: "delivered",
          carrier_code: "D",
        } as const;
        const { status, decisive } = follow("courier", [before, [delivered], after]);
        expect([status, decisive]).toEqual(["delivered", "delivered"]);
      }),
    );
  });
});

test("every tracking status moves every kind of shipment only as its table of states allows", () => {
  const forbidden: string[] = [];
  for (const type of shipmentTypes) {
    for (const from of shipmentStatuses) {
      for (const status of trackingStatuses) {
        const to = shipmentStatusWhile[status];
        if (!to) continue;
        let at = from;
        for (const step of stepsTo(type, from, to)) {
          expect(canBecome(type, at, step)).toBe(true);
          at = step;
        }
        if (at !== to) expect(at).toBe(from);
        if (at !== to) forbidden.push(`${type} ${from} ${to}`);
      }
    }
  }
  const onTheWay = (type: ShipmentType): readonly ShipmentStatus[] => [
    type === "ltl" ? "booked" : "purchased",
    "in_transit",
    "exception",
    "returned",
  ];
  // A shipment in transit can get anywhere; one never purchased, or already delivered, nowhere.
  const expected = shipmentTypes.flatMap((type) =>
    shipmentStatuses
      .filter((from) => !onTheWay(type).includes(from))
      // A pending void can fail, and a void label can be live again, but not by a scan alone.
      .flatMap((from) =>
        transitStatuses.filter((to) => to !== from).map((to) => `${type} ${from} ${to}`),
      ),
  );
  expect([...new Set(forbidden)].sort()).toEqual(expected.sort());
});

test("a shipment passes through every state in transit, one by one", () => {
  expect(stepsTo("courier", "purchased", "delivered")).toEqual(["in_transit", "delivered"]);
  expect(stepsTo("ltl", "booked", "returned")).toEqual(["in_transit", "returned"]);
  expect(stepsTo("courier", "exception", "returned")).toEqual(["in_transit", "returned"]);
  expect(stepsTo("courier", "returned", "delivered")).toEqual(["delivered"]);
  expect(stepsTo("courier", "in_transit", "in_transit")).toEqual([]);
  expect(stepsTo("courier", "voided", "in_transit")).toEqual([]);
});

describe("the scan that decides", () => {
  const at = (minute: number, status: TrackingStatus): Scan => ({
    occurred_at: new Date(minute * 60_000),
    status,
    carrier_code: status,
  });

  test.each<[string, Scan[], TrackingStatus | undefined]>([
    ["none of none", [], undefined],
    [
      "the newest scan",
      [at(1, "accepted"), at(3, "out_for_delivery"), at(2, "in_transit")],
      "out_for_delivery",
    ],
    [
      "a scan, not later events about the label",
      [at(1, "accepted"), at(2, "pre_transit")],
      "accepted",
    ],
    ["a scan, not a later cancellation", [at(1, "accepted"), at(2, "cancelled")], "accepted"],
    [
      "what is understood, not what is not",
      [at(1, "pre_transit"), at(2, "unknown")],
      "pre_transit",
    ],
    ["the delivery, whatever follows", [at(1, "delivered"), at(2, "exception")], "delivered"],
    [
      "the farther of two at one time",
      [at(1, "out_for_delivery"), at(1, "in_transit")],
      "out_for_delivery",
    ],
  ])("is %s", (_name, all, status) => {
    expect(decisiveScan(all)?.status).toBe(status);
  });
});

describe("a shipment of several packages", () => {
  test.each<[TrackingStatus[], TrackingStatus]>([
    [["delivered", "delivered"], "delivered"],
    [["delivered", "pre_transit"], "in_transit"],
    [["delivered", "out_for_delivery"], "out_for_delivery"],
    [["out_for_delivery", "in_transit"], "in_transit"],
    [["accepted", "pre_transit"], "accepted"],
    [["delivered", "exception", "in_transit"], "exception"],
    [["pre_transit", "unknown"], "pre_transit"],
    [["cancelled", "pre_transit"], "pre_transit"],
    [["cancelled"], "cancelled"],
    [["unknown"], "unknown"],
    [[], "unknown"],
  ])("%j is %s", (statuses, together) => {
    expect(statusOfAll(statuses)).toBe(together);
  });

  test("is delivered exactly when all of its packages are, and scanned when one is", () => {
    const some = fc.array(fc.constantFrom(...trackingStatuses), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(some, (statuses) => {
        const together = statusOfAll(statuses);
        expect(together === "delivered").toBe(statuses.every((each) => each === "delivered"));
        expect(isScanned(together)).toBe(statuses.some(isScanned));
      }),
    );
  });
});
