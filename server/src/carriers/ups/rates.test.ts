import { expect, test } from "vitest";
import { aShipment, toronto, vancouver } from "../contract-samples-world.ts";
import { answerOf } from "../corpus/corpus-world.ts";
import { fromRateResponse } from "./rated-services.ts";
import { toQuote } from "./rates.ts";
import { services } from "./services.ts";

const money = (MonetaryValue: string) => ({ CurrencyCode: "CAD", MonetaryValue });
const charge = (Code: string, amount: string) => ({ Code, ...money(amount) });
const express = (amount: string, more: object = {}) => ({
  Service: { Code: "01" },
  TotalCharges: money(amount),
  ...more,
});
const onSaturday = express("92.00", {
  ItemizedCharges: [charge("375", "8.00"), charge("300", "21.00")],
});
const onMonday = express("71.00", { ItemizedCharges: charge("375", "8.00") });
const flagged = (amount: string, SaturdayDelivery: "0" | "1") =>
  express(amount, { TimeInTransit: { ServiceSummary: { SaturdayDelivery } } });

const ratedOf = (RatedShipment: object[]) =>
  fromRateResponse(
    answerOf({ bytes: Buffer.from(JSON.stringify({ RateResponse: { RatedShipment } })) }),
  );
const service = services.find(({ carrier_service_code }) => carrier_service_code === "01")!;

function rateOf(plain: object[], withSaturday: object[] = []) {
  const { rates } = toQuote(aShipment(toronto, vancouver), [service], {
    account: { number: "A1", country: "CA", asks_negotiated: false },
    rated: ratedOf(plain),
    add_ons: [
      { code: "signature", rated: ratedOf(plain) },
      { code: "saturday_delivery", rated: ratedOf(withSaturday) },
    ],
  });
  const [{ base_cents, surcharges, add_ons }] = rates as [(typeof rates)[0]];
  const total = surcharges.reduce((sum, { amount_cents }) => sum + amount_cents, base_cents);
  return { total, add_ons: add_ons.map(({ code, cost_cents }) => [code, cost_cents]) };
}

test.each([
  ["by its charge", [onSaturday, onMonday]],
  ["in any order", [onMonday, onSaturday]],
  ["by its time in transit", [flagged("92.00", "1"), flagged("71.00", "0")]],
])("a service that is priced twice is sold without Saturday delivery, known %s", (_name, plain) => {
  expect(rateOf(plain).total).toBe(7_100);
});

test("a service that is priced for Saturdays only is sold so", () => {
  expect(rateOf([onSaturday]).total).toBe(9_200);
});

test("each extra is priced by the same kind of delivery, and Saturday's by its own", () => {
  expect(rateOf([onSaturday, onMonday], [onMonday, onSaturday]).add_ons).toEqual([
    ["signature", 0],
    ["saturday_delivery", 2_100],
  ]);
});
