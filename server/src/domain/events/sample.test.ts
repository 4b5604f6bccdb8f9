import { expect, test } from "vitest";
import { problemsOf } from "../validation/validation.ts";
import { eventTypes, type EventType } from "./catalogue.ts";
import { sampleOf } from "./sample.ts";

const types = Object.keys(eventTypes) as EventType[];

test.each(types)("a sample of %s has valid data, all of it, and a subject", (type) => {
  const { subject_id, data } = sampleOf(type);
  expect(problemsOf(eventTypes[type].data, data)).toEqual({});
  expect(Object.keys(data)).toEqual(Object.keys(eventTypes[type].data.properties));
  expect(subject_id).toMatch(/^([a-z]{3}_[0-9a-z]{26}|MUG-01)$/);
});

test("a sample's states are those of its type", () => {
  for (const type of types) {
    const { status, previous_status } = sampleOf(type).data as Record<string, unknown>;
    if (previous_status === undefined || type === "shipment.purchase_failed") continue;
    expect([type, previous_status]).not.toEqual([type, status]);
  }
  expect(sampleOf("shipment.purchased")).toMatchObject({
    subject_id: expect.stringMatching(/^shp_/) as string,
    data: { status: "purchased", previous_status: "draft", total: 14.87 },
  });
});
