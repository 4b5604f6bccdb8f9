import { expect, test } from "vitest";
import { aFreight } from "../../test/freight-shipments.ts";
import { freightProblems, type LtlShipment } from "./freight-rules.ts";

/** By the clock at the dock, which is in Ottawa: half past six in the evening of a Tuesday. */
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
  [{ date: "2099-12-31" }, []],
  [{ date: "2100-01-01" }, ["pickup.date"]],
])("a lorry for %j: problems with %j", (pickup, fields) => {
  expect(fieldsOf(pickup)).toEqual(fields);
});
