import { expect, test } from "vitest";
import { aFreight, dock, unit } from "../../../test/freight-shipments.ts";
import { freightProblems, type LtlShipment } from "./freight-rules.ts";

/** By the local time at the dock, which is in Ottawa: half past six in the evening of a Tuesday. */
const now = new Date("2026-10-06T22:30:00Z");
const fieldsOf = (pickup: object) =>
  Object.keys(freightProblems({ ...aFreight(), pickup } as LtlShipment, { purpose: "ship", now }));

test.each([
  [{}, []],
  [{ date: "2026-10-05" }, ["pickup.date"]],
  [{ date: "2026-10-06" }, ["pickup.close_time"]],
  [{ date: "2026-10-06", close_time: null }, ["pickup.close_time"]],
  [{ date: "2026-10-06", close_time: "18:30" }, ["pickup.close_time"]],
  [{ date: "2026-10-06", close_time: "18:31" }, []],
  [{ date: "2026-10-07", close_time: null }, []],
  [{ date: "2026-11-05" }, []],
  [{ date: "2026-11-06" }, ["pickup.date"]],
  [{ date: "2099-12-31" }, ["pickup.date"]],
  // A Saturday, and Thanksgiving.
  [{ date: "2026-10-10" }, ["pickup.date"]],
  [{ date: "2026-10-12" }, ["pickup.date"]],
])("a truck for %j: problems with %j", (pickup, fields) => {
  expect(fieldsOf(pickup)).toEqual(fields);
});

test.each([
  [[{ quantity: 10, weight: 2_000 }], []],
  [
    [
      { quantity: 3, weight: 6_666.666 },
      { quantity: 1, weight: 0.002 },
    ],
    [],
  ],
  [[{ quantity: 10, weight: 2_000.01 }], ["handling_units"]],
])("weights are added before they are rounded: %j", (weights, fields) => {
  const handling_units = weights.map((each) => ({ ...unit, ...each }));
  const entry = aFreight({ handling_units }) as LtlShipment;
  expect(Object.keys(freightProblems(entry, { purpose: "ship", now }))).toEqual(fields);
});

test.each([{ country_code: "ZZ" }, { province_code: "XX" }])(
  "an unknown place has no calendar: %j",
  (change) => {
    const from_address = { ...dock, ...change };
    const entry = { ...aFreight({ from_address }), pickup: { date: "2026-10-10" } } as LtlShipment;
    const fields = Object.keys(freightProblems(entry, { purpose: "ship", now }));
    expect(fields).not.toContain("pickup.date");
  },
);
