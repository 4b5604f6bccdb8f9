import { expect, test } from "vitest";
import type { WeightUnit } from "../../domain/goods/parcel.ts";
import type { CarrierRate } from "../carrier.ts";
import { aShipment, toronto, vancouver } from "../contract-samples-world.ts";
import { readXml, within } from "../protocol/xml.ts";
import { fromPriceQuotes, toQuote } from "./rates.ts";
import { services } from "./services.ts";

/** What Canada Post bills by: the weight, or the volume that counts as one. */

const [service] = services;

function billed(weight: number, weight_unit: WeightUnit, details: string) {
  const text = `<price-quotes><price-quote>
    <service-code>${service!.carrier_service_code}</service-code>
    <price-details><base>10.00</base></price-details>
    <weight-details>${details}</weight-details>
  </price-quote></price-quotes>`;
  const plain = fromPriceQuotes(within(readXml(Buffer.from(text)), "price-quotes")!);
  const shipment = aShipment(toronto, vancouver);
  // 50 by 40 by 30 centimetres are 12 kg.
  const packages = shipment.packages.map((parcel) => ({
    ...parcel,
    ...{ weight, weight_unit, length: 50, width: 40, height: 30, size_unit: "cm" as const },
  }));
  const quote = toQuote({ ...shipment, packages }, [service!], { plain, add_ons: [] });
  return quote.rates[0]!.billable_weight;
}

type Billed = CarrierRate["billable_weight"];
const volumetric = (value: number, unit: Billed["unit"]) => ({ value, unit, basis: "volumetric" });
const actual = (value: number, unit: Billed["unit"]) => ({ value, unit, basis: "actual" });
const cubed = (kg: string) => `<cubed-weight>${kg}</cubed-weight>`;

test("a stated cubed weight that is larger counts, in the packages' unit", () => {
  expect(billed(2, "kg", cubed("12.5"))).toEqual(volumetric(12.5, "kg"));
  expect(billed(1, "lbs", cubed("12.5"))).toEqual(volumetric(27.56, "lbs"));
});

test("a stated cubed weight that is smaller leaves the weight", () => {
  expect(billed(14, "kg", cubed("12"))).toEqual(actual(14, "kg"));
  expect(billed(30, "lbs", cubed("12"))).toEqual(actual(30, "lbs"));
});

test.each(["", cubed(""), cubed("0"), cubed("much"), cubed("12000")])(
  "where none that can be is stated (%s), the volume counts as everywhere",
  (details) => {
    expect(billed(2, "kg", details)).toEqual(volumetric(12, "kg"));
    expect(billed(1, "lbs", details)).toEqual(volumetric(26.46, "lbs"));
    expect(billed(14, "kg", details)).toEqual(actual(14, "kg"));
  },
);
