import { expect, test } from "vitest";
import { answerOf, outcomeOf } from "../corpus/corpus-world.ts";
import { fromTracking, showsUse } from "./tracking.ts";
import { trackingEvents } from "./tracking-events.ts";

const asAnswer = (body: unknown, status = 200) =>
  answerOf({ bytes: Buffer.from(JSON.stringify(body)) }, status);
const tracked = (body: unknown, status?: number) =>
  fromTracking(asAnswer(body, status), trackingEvents);
const refusal = (code: string, status = "400") => ({
  error: { code: status, message: "Bad Request", errors: [{ code, detail: "No scan so far." }] },
});

test.each(["150001", "150002", "150003", "150009"])(
  "a label that was not scanned yet (%s) has no tracking, and was not used",
  (code) => {
    const tracking = tracked(refusal(code), 400);
    expect(tracking).toBeNull();
    expect(showsUse(tracking)).toBe(false);
  },
);

test.each([
  ["150010", 400, "refused"],
  ["150001", 500, "unknown"],
])("the error %s with status %i is a failure", (code, status, kind) => {
  const parse = (answer: Parameters<typeof fromTracking>[0]) =>
    fromTracking(answer, trackingEvents);
  expect(outcomeOf(parse, asAnswer(refusal(code), status))).toMatchObject({ failure: { kind } });
});

test.each([
  ["-07:00", "14:03:12"],
  ["-7:00", "14:03:12"],
  ["+0530", "01:33:12"],
  ["about seven", "07:03:12"],
  ["-25:00", "07:03:12"],
])("a local time with the offset %s is at %s in UTC", (GMTOffset, time) => {
  const event = { eventCode: "03", eventTimestamp: "2026-04-04T07:03:12", GMTOffset };
  const { events } = tracked({ trackingNumber: "1", trackingEvents: [event] })!;
  expect(events.map(({ occurred_at }) => occurred_at.toISOString())).toEqual([
    `2026-04-04T${time}.000Z`,
  ]);
});
