import { expect, test } from "vitest";
import { answerOf } from "../corpus/corpus-world.ts";
import { fromReference, fromTracking } from "./tracking.ts";
import { trackingEvents } from "./tracking-events.ts";

const asAnswer = (...shipment: object[]) =>
  answerOf({ bytes: Buffer.from(JSON.stringify({ trackResponse: { shipment } })) });

test.each([
  [["SDD", "20261012"], ["RDD", "20261014"], "2026-10-14"],
  [["RDD", "20261014"], ["SDD", "20261012"], "2026-10-14"],
  [["DEL", "20261013"], ["SDD", "20261012"], "2026-10-12"],
  [["SDD", "20261012"], ["RDD", ""], "2026-10-12"],
])("of the dates %j and %j the expected one is %s", (one, other, day) => {
  const deliveryDate = [one, other].map(([type, date]) => ({ type, date }));
  const answer = asAnswer({ package: [{ trackingNumber: "1Z1", deliveryDate }] });
  expect(fromTracking(answer, "1Z1", trackingEvents)?.estimated_delivery_date).toBe(day);
});

const unknown = { inquiryNumber: "att_1", warnings: [{ code: "TW0001", message: "Not found." }] };
const ours = {
  package: [{ trackingNumber: "1Z1", referenceNumber: [{ type: "SHIPMENT", number: "att_1" }] }],
};

test("a warning about one shipment does not hide another that has our reference", () => {
  const found = { package_tracking_codes: ["1Z1"], state: "live" };
  expect(fromReference(asAnswer(unknown, ours), "att_1")).toEqual(found);
  expect(fromReference(asAnswer(ours, unknown), "att_1")).toEqual(found);
});

test("a package of a shipment that has the warning is none that UPS knows", () => {
  expect(fromReference(asAnswer(unknown), "att_1")).toBeNull();
  expect(fromReference(asAnswer({ ...unknown, ...ours }), "att_1")).toBeNull();
});
