import type { Rate } from "@waybill/sdk";
import { expect, test } from "vitest";
import { leftOf, pricesOf, sumOf } from "./prices.ts";

const rate = (
  service: string,
  total: number,
  [estimated_delivery_days, trackable]: [number | null, boolean],
) => ({ service, total, estimated_delivery_days, trackable }) as Rate;

const rates = [
  rate("post.letter", 2.1, [null, false]),
  rate("post.parcel", 9.95, [5, true]),
  rate("fast.ground", 14.2, [2, true]),
  rate("fast.air", 30.4, [2, true]),
];

test("a shipment without a service costs what the strategy would choose", () => {
  expect(pricesOf(rates, null)).toEqual({ cheapest: 2.1, cheapest_tracked: 9.95, fastest: 14.2 });
});

test("a shipment that names a service or a strategy costs that, whatever the strategy of the others", () => {
  const all = (total: number) => ({ cheapest: total, cheapest_tracked: total, fastest: total });
  expect(pricesOf(rates, "fast.air")).toEqual(all(30.4));
  expect(pricesOf(rates, "fastest")).toEqual(all(14.2));
});

test("where no service would do there is no price", () => {
  const none = { cheapest: null, cheapest_tracked: null, fastest: null };
  expect(pricesOf([], null)).toEqual(none);
  expect(pricesOf(rates, "gone.service")).toEqual(none);
  expect(pricesOf(rates.slice(0, 1), null)).toEqual({ ...none, cheapest: 2.1, fastest: 2.1 });
});

test("the sum is exact to the cent, and says of how many labels it is", () => {
  const all = [0.1, 0.2, 19.99, null].map((total) => ({
    cheapest: total,
    cheapest_tracked: null,
    fastest: null,
  }));
  expect(sumOf(all, "cheapest")).toEqual({ total: 20.29, priced: 3, without_service: 1 });
  expect(sumOf(all, "fastest")).toEqual({ total: 0, priced: 0, without_service: 4 });
  expect(leftOf(20.3, 20.29)).toBe(0.01);
  expect(leftOf(20.28, 20.29)).toBe(-0.01);
});
