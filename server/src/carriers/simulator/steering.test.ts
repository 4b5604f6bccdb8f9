import { expect, test } from "vitest";
import { toronto } from "../contract-samples-world.ts";
import { steeringOf } from "./steering.ts";

const to = (address2: string | null) => ({ ...toronto, address2 });
const none = steeringOf(to(null), "ups");

test("a line that does not start with sim: steers nothing", () => {
  expect(Object.values(none).every((value) => !value)).toBe(true);
  for (const line of ["Unit 4", "c/o sim:refuse", "SIM:refuse", "sim"]) {
    expect(steeringOf(to(line), "ups")).toEqual(none);
  }
});

test("an instruction that names a carrier acts on that one, and * on every one", () => {
  expect(steeringOf(to("sim:timeout=ups"), "ups").timeout).toBe(true);
  expect(steeringOf(to("sim:timeout=ups"), "fedex")).toEqual(none);
  expect(steeringOf(to("sim:no_lane=*"), "fedex").no_lane).toBe(true);
});

test("several instructions are joined by a semicolon, with or without sim: before each", () => {
  for (const line of [
    "sim:error=ups;sim:slow=*:250;sim:lost_answer",
    "sim:error=ups; slow=*:250 ;lost_answer",
  ]) {
    const expected = { ...none, error: true, slow_ms: 250, lost_answer: true };
    expect(steeringOf(to(line), "ups")).toEqual(expected);
  }
});

test("slowness is bounded, and an invalid number is ignored", () => {
  expect(steeringOf(to("sim:slow=*:999999999"), "ups").slow_ms).toBe(60_000);
  expect(steeringOf(to("sim:slow=*:-5"), "ups").slow_ms).toBe(0);
  expect(steeringOf(to("sim:slow=*"), "ups").slow_ms).toBe(0);
});

test("the ways of real carriers name a carrier each, some with seconds", () => {
  const line = to("sim:lag=ups:900;late_file=*:30;late_price=ups;no_void=fedex");
  expect(steeringOf(line, "ups")).toEqual({
    ...none,
    lag_seconds: 900,
    late_file_seconds: 30,
    late_price: true,
  });
  expect(steeringOf(to("sim:lag=*:999999999"), "ups").lag_seconds).toBe(86_400);
  for (const word of [
    "empty_ok",
    "refuse_in_ok",
    "token_expired",
    "throttle",
    "published",
  ] as const)
    expect(steeringOf(to(`sim:${word}=ups`), "ups")).toEqual({ ...none, [word]: true });
  for (const word of ["shared_pickup", "half", "no_void"] as const)
    expect(steeringOf(to(`sim:${word}=*`), "ups")).toEqual({ ...none, [word]: true });
});
