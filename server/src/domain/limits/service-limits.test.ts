import { describe, expect, test } from "vitest";
import type { Item, Package } from "../goods/parcel.ts";
import { noRates } from "../values/exchange-table.ts";
import { exclusionFor, type LimitedShipment, type ServiceLimits } from "./service-limits.ts";

const service: ServiceLimits = {
  name: "Swift Ground",
  origins: ["CA"],
  destinations: ["CA", "US"],
  reach: "any",
  package_types: ["parcel", "envelope"],
  max_packages: 2,
  max_weight_grams: 30_000,
  max_length_cm: 200,
  max_length_plus_girth_cm: 300,
  requires_dimensions: false,
  delivers_to_po_box: false,
  max_declared_value_cents: 100_000,
  add_ons: ["protection", "signature"],
};

function parcel(given: Partial<Package> = {}): Package {
  return {
    id: "pkg_01k6w0000000000000000000aa",
    weight: 2,
    weight_unit: "kg",
    length: 30,
    width: 20,
    height: 10,
    size_unit: "cm",
    package_contents: null,
    package_type: "parcel",
    reference: null,
    declared_value: null,
    currency: null,
    tracking_code: null,
    ...given,
  };
}

function item(given: Partial<Item> = {}): Item {
  return {
    sku: null,
    title: "Mug",
    description: null,
    customs_description: null,
    quantity: 1,
    value: 12,
    currency: "CAD",
    weight: null,
    weight_unit: null,
    country_of_origin: "CA",
    hs_code: "691110",
    manufacturer: null,
    ...given,
  };
}

function shipment(given: Partial<LimitedShipment> = {}): LimitedShipment {
  return {
    from_address: { country_code: "CA" },
    to_address: { country_code: "CA" },
    to_po_box: false,
    packages: [parcel()],
    items: [],
    add_ons: [],
    estimated: false,
    currency: "USD",
    exchange: noRates,
    ...given,
  };
}
const abroad = { to_address: { country_code: "US" } };
const packed = (...packages: Partial<Package>[]) => shipment({ packages: packages.map(parcel) });

test("no limit is compared with a value in another currency than the account's", () => {
  expect(exclusionFor(service, packed({ declared_value: 100_000, currency: "JPY" }))).toBeNull();
  const second = { declared_value: 1000.01, currency: "USD" };
  const both = packed({ declared_value: 100_000, currency: "JPY" }, second);
  expect(exclusionFor(service, both)?.reason).toBe("declared_value_exceeded");
});

test("a shipment within every limit is not excluded", () => {
  expect(exclusionFor(service, shipment())).toBeNull();
  expect(exclusionFor(service, shipment({ ...abroad, items: [item()] }))).toBeNull();
  expect(exclusionFor(service, packed({ weight: 30, declared_value: 1000 }))).toBeNull();
  expect(exclusionFor(service, packed({ length: 200, width: 25, height: 25 }))).toBeNull();
});

describe("the reason and the message of each exclusion", () => {
  test.each<[string, string, Partial<ServiceLimits>, LimitedShipment]>([
    [
      "origin_not_supported",
      "Swift Ground collects in US only, not in CA.",
      { origins: ["US"] },
      shipment(),
    ],
    [
      "destination_not_supported",
      "Swift Ground delivers to CA, US only, not to FR.",
      {},
      shipment({ to_address: { country_code: "FR" } }),
    ],
    [
      "destination_not_supported",
      "Swift Ground delivers within CA only, not to US.",
      { reach: "domestic" },
      shipment(abroad),
    ],
    [
      "destination_not_supported",
      "Swift Ground delivers abroad only, not within CA.",
      { reach: "international" },
      shipment(),
    ],
    [
      "destination_not_supported",
      "Swift Ground delivers abroad only, not within CA.",
      { destinations: "world" },
      shipment(),
    ],
    [
      "po_box_not_supported",
      "Swift Ground does not deliver to a post office box.",
      {},
      shipment({ to_po_box: true }),
    ],
    [
      "package_count_not_supported",
      "The shipment has 3 packages; Swift Ground takes at most 2 packages.",
      {},
      packed({}, {}, {}),
    ],
    [
      "package_count_not_supported",
      "The shipment has 2 packages; Swift Ground takes at most one package.",
      { max_packages: 1 },
      packed({}, {}),
    ],
    [
      "package_type_not_supported",
      "Package 2 is of the type tube; Swift Ground takes parcel, envelope.",
      {},
      packed({}, { package_type: "tube" }),
    ],
    [
      "missing_dimensions",
      "The package has no dimensions; Swift Ground needs length, width and height.",
      { requires_dimensions: true },
      packed({ length: null, width: null, height: null, size_unit: null }),
    ],
    [
      "weight_limit_exceeded",
      "The package weighs 30.5 kg; Swift Ground takes at most 30 kg.",
      {},
      packed({ weight: 30.5 }),
    ],
    [
      "weight_limit_exceeded",
      "Package 2 weighs 70 lbs; Swift Ground takes at most 66.14 lbs.",
      {},
      packed({}, { weight: 70, weight_unit: "lbs" }),
    ],
    [
      "size_limit_exceeded",
      "The package is 80 in long; Swift Ground takes at most 78.74 in.",
      {},
      packed({ length: 10, width: 80, height: 5, size_unit: "in" }),
    ],
    [
      "size_limit_exceeded",
      "The package has a length plus girth of 310 cm; Swift Ground takes at most 300 cm.",
      {},
      packed({ length: 150, width: 40, height: 40 }),
    ],
    [
      "declared_value_exceeded",
      "The package is declared at 1000.01 USD; Swift Ground takes at most 1000.00 USD.",
      {},
      packed({ declared_value: 1000.01 }),
    ],
    [
      "option_not_supported",
      "Swift Ground does not offer the add-on adult_signature.",
      {},
      shipment({ add_ons: ["signature", "adult_signature"] }),
    ],
    [
      "customs_incomplete",
      "A shipment across a border needs items for its customs declaration.",
      {},
      shipment(abroad),
    ],
    [
      "customs_incomplete",
      "Item 2 has no hs_code for the customs declaration.",
      {},
      shipment({ ...abroad, items: [item(), item({ hs_code: null })] }),
    ],
    [
      "customs_incomplete",
      "Item 1 has no country_of_origin for the customs declaration.",
      {},
      shipment({ ...abroad, items: [item({ country_of_origin: null })] }),
    ],
  ])("%s: %s", (reason, message, limits, given) => {
    expect(exclusionFor({ ...service, ...limits }, given)).toEqual({ reason, message });
  });
});

test("the world is every country but the origin's own", () => {
  const abroadOnly = { ...service, destinations: "world", reach: "international" } as const;
  const toFrance = shipment({ to_address: { country_code: "FR" }, items: [item()] });
  expect(exclusionFor(abroadOnly, toFrance)).toBeNull();
});

test("a package without dimensions is accepted where the service does not need them", () => {
  const flat = { length: null, width: null, height: null, size_unit: null };
  expect(exclusionFor(service, packed(flat))).toBeNull();
});

test("a limit in whole centimetres admits the inches that it stands for", () => {
  const long = { ...service, max_length_cm: 274, max_length_plus_girth_cm: 419 };
  const allowed = { length: 108, width: 14, height: 14, size_unit: "in" } as const;
  expect(exclusionFor(long, packed(allowed))).toBeNull();
  expect(exclusionFor(long, packed({ ...allowed, length: 109 }))?.reason).toBe(
    "size_limit_exceeded",
  );
});

test("an estimate across a border requires no customs lines", () => {
  expect(exclusionFor(service, shipment({ ...abroad, estimated: true }))).toBeNull();
});

test("where several limits are broken, the one that the client can least change is named", () => {
  const everything = shipment({
    from_address: { country_code: "US" },
    to_po_box: true,
    packages: [parcel({ weight: 99, declared_value: 99_999 })],
  });
  expect(exclusionFor(service, everything)?.reason).toBe("origin_not_supported");
});
