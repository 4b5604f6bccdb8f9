import { describe, expect, test } from "vitest";
import { newYork, seattle, toronto, vancouver } from "../../contract-samples-world.ts";
import { manualClock } from "../../../domain/time/clock.ts";
import { statusOfEvent } from "../../tracking.ts";
import { trackingEvents as purolator } from "../../purolator/tracking-events.ts";
import { hubs } from "./cities.ts";
import { itineraryOf, itineraryKinds } from "./itinerary.ts";
import { itineraries, usualPace, type Parcel } from "./itineraries.ts";
import { localTime } from "./local-time.ts";
import { stopsBetween } from "./way.ts";

const bought = new Date("2026-07-20T15:00:00Z");

function aParcel(changes: Partial<Parcel> = {}): Parcel {
  return {
    carrier: "canada_post",
    tracking_code: "7012345678901234",
    sender: toronto,
    recipient: vancouver,
    bought_at: bought.toISOString(),
    voided_at: null,
    itinerary_kind: null,
    scans_after_void: false,
    is_signed_for: false,
    ship_date: "2026-07-20",
    estimated_delivery_date: null,
    ...changes,
  };
}

/** The carrier's tracking so many seconds after the purchase. */
function after(seconds: number, changes: Partial<Parcel> = {}) {
  const clock = manualClock(bought);
  clock.advance(seconds * 1_000);
  return itineraries(clock, usualPace).tell(aParcel(changes));
}

test("nothing is scanned in the first minute, and all of it after two and a half", () => {
  expect(after(59).events.map(({ code }) => code)).toEqual(["3000"]);
  expect(after(61).events.map(({ code }) => code)).toEqual(["2300", "3000"]);
  expect(after(150).events[0]!.code).toBe("1496");
});

test("a reported event is reported again unchanged, by every process and at every time", () => {
  const whole = after(1_000).events;
  for (const seconds of [0, 60, 75, 90, 110, 130, 149]) {
    const { events } = after(seconds);
    expect(whole.slice(whole.length - events.length)).toEqual(events);
  }
});

test("a parcel across Canada is sorted in real cities in transit, in their local time", () => {
  const { events } = after(1_000, { carrier: "fedex", tracking_code: "123456789012" });
  const cities = [...new Set(events.map(({ city }) => city))].reverse();
  expect(cities[0]).toBe("Toronto");
  expect(cities.at(-1)).toBe("Vancouver");
  expect(cities.length).toBe(5);
  const [last] = events;
  expect(last).toMatchObject({ code: "DL", province: "BC", utc_offset: "-07:00" });
  expect(last!.local_time.slice(0, 13)).toBe("2026-07-20T08");
  expect(events.at(-1)).toMatchObject({ local_time: "2026-07-20T11:00:00", utc_offset: "-04:00" });
});

test("a parcel stays in its country, though the straight line leaves it", () => {
  const regina = { ...vancouver, city: "Regina", province_code: "SK", postal_code: "S4P 3C8" };
  const stops = stopsBetween(toronto, regina);
  expect(stops.length).toBe(3);
  expect(stops.map(({ country_code }) => country_code)).toEqual(["CA", "CA", "CA"]);
});

test("customs are passed once on the way over the border", () => {
  const events = after(1_000, { carrier: "ups", recipient: seattle }).events;
  expect(events.filter(({ code }) => code === "014").map(({ country }) => country)).toEqual(["US"]);
  expect(after(1_000, { carrier: "ups" }).events.map(({ code }) => code)).not.toContain("014");
});

test("a signature is reported once it was given, and only where one was required", () => {
  const signed = { is_signed_for: true };
  expect(after(140, signed).signed_by).toBeNull();
  expect(after(150, signed).signed_by).toBe("A BYRON");
  expect(after(150).signed_by).toBeNull();
});

test("a voided label does not move, and one that is shipped all the same does", () => {
  const voided_at = new Date(bought.getTime() + 10_000).toISOString();
  expect(after(1_000, { voided_at }).events.map(({ code }) => code)).toEqual(["3001", "3000"]);
  const late = { scans_after_void: true };
  expect(after(1_000, late).events.map(({ code }) => code)).toEqual(["3000"]);
  expect(after(10, { ...late, voided_at }).events[0]!.code).toBe("2300");
  expect(after(40, { ...late, voided_at }).events[0]!.code).toBe("1496");
});

test("a parcel with a ship date days ago was scanned then, which shows with the first scan of any other", () => {
  const past = { ship_date: "2026-06-01", estimated_delivery_date: "2026-06-08" };
  expect(after(59, past).events.map(({ local_time }) => local_time)).toEqual([
    "2026-06-01T11:00:00",
  ]);
  const { events } = after(61, past);
  expect(events.at(-2)!.local_time).toBe("2026-06-01T16:00:00");
  expect(events[0]!.code).toBe("1496");
  expect(events[0]!.local_time).toMatch(/^2026-06-08T1[1-4]/);
  expect(events[1]!.local_time).toMatch(/^2026-06-08T0[5-9]/);
});

test.each(itineraryKinds)(
  "the scenario %s takes its steps one after the other within its time",
  (itinerary_kind) => {
    const itinerary = itineraryOf({
      tracking_code: "7012345678901234",
      sender: newYork,
      recipient: vancouver,
      itinerary_kind,
      first_scan_at: bought,
      duration_seconds: 25,
    });
    const seconds = itinerary.map(({ at }) => (at.getTime() - bought.getTime()) / 1_000);
    expect(seconds).toEqual([...seconds].sort((a, b) => a - b));
    expect(seconds[0]).toBe(0);
    expect(seconds.at(-1)).toBeLessThanOrEqual(25);
  },
);

test("parcels overseas leave by the nearest gateway", () => {
  const paris = {
    ...toronto,
    city: "Paris",
    province_code: null,
    postal_code: "75001",
    country_code: "FR",
  };
  expect(stopsBetween(toronto, paris).map(({ city }) => city)).toEqual(["Mississauga"]);
  expect(stopsBetween(seattle, paris).map(({ city }) => city)).toEqual(["Seattle"]);
});

test("the table of cities was read to its end", () => {
  expect(hubs.length).toBe(52);
  expect(hubs.at(-1)).toMatchObject({ city: "Honolulu", province_code: "HI", country_code: "US" });
  expect(hubs[0]).toMatchObject({ city: "St. John's", latitude: 47.6, longitude: -52.7 });
});

describe("local time", () => {
  test.each([
    ["2026-07-01T12:00:00Z", "NL", "CA", "2026-07-01T09:30:00", "-02:30"],
    ["2026-12-01T12:00:00Z", "SK", "CA", "2026-12-01T06:00:00", "-06:00"],
    ["2026-07-01T12:00:00Z", "AZ", "US", "2026-07-01T05:00:00", "-07:00"],
    ["2026-12-01T04:30:15Z", "ON", "CA", "2026-11-30T23:30:15", "-05:00"],
    ["2026-12-01T12:00:00Z", null, "FR", "2026-12-01T12:00:00", "+00:00"],
  ])("%s in %s, %s", (moment, province_code, country_code, local_time, utc_offset) => {
    const city = { city: "Somewhere", province_code, country_code };
    expect(localTime(new Date(moment), city)).toEqual({ local_time, utc_offset });
  });
});

describe("a carrier with few codes", () => {
  const status = (code: string, description: string | null) =>
    statusOfEvent(purolator, { code, description });

  test("is understood by its texts, the longest match first, in any case of letters", () => {
    expect(status("Undeliverable", "SHIPMENT UNCLAIMED - to be returned")).toBe("return_to_sender");
    expect(status("Undeliverable", "Snow")).toBe("exception");
    expect(status("Undeliverable", null)).toBe("exception");
    expect(status("Other", "New Tracking Number Assigned -")).toBe("pre_transit");
  });

  test("and a code that is in no table is unknown", () => {
    expect(status("Teleported", "Beamed up")).toBe("unknown");
    expect(status("constructor", null)).toBe("unknown");
  });
});
