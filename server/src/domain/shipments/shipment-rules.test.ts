import { describe, expect, test } from "vitest";
import type { NewAddress } from "../addresses/address.ts";
import type { NewItem, NewPackage } from "../goods/parcel.ts";
import {
  normaliseItem,
  normalisePackage,
  shipmentProblems,
  type CourierShipment,
} from "./shipment-rules.ts";

const toronto: NewAddress = {
  name: "Sender",
  address1: "301 Front St W",
  city: "Toronto",
  province_code: "ON",
  postal_code: "M5V 2T6",
  country_code: "CA",
};
const vancouver: NewAddress = {
  ...toronto,
  city: "Vancouver",
  province_code: "BC",
  postal_code: "V6B 1A1",
};
const boston: NewAddress = {
  name: "Receiver",
  address1: "1 City Hall Sq",
  city: "Boston",
  province_code: "MA",
  postal_code: "02108",
  country_code: "US",
  phone: "555-555-5555",
};
const box: NewPackage = { weight: 2, weight_unit: "lbs" };
const shirt: NewItem = {
  title: "Shirt",
  quantity: 1,
  value: 25,
  country_of_origin: "CA",
  hs_code: "6109.10",
};
const atHome: CourierShipment = {
  from_address: toronto,
  to_address: vancouver,
  packages: [box],
};
const abroad: CourierShipment = { ...atHome, to_address: boston, items: [shirt] };

describe("shipmentProblems", () => {
  test("a parcel at home needs neither items nor a phone", () => {
    expect(shipmentProblems(atHome)).toEqual({});
  });

  test("a parcel abroad with items and a phone has no problem", () => {
    expect(shipmentProblems(abroad)).toEqual({});
  });

  test("across a border, items and the receiver's phone are required", () => {
    const shipment = { ...atHome, to_address: { ...boston, phone: " " } };
    expect(shipmentProblems(shipment)).toEqual({
      items: ["items are required when the shipment crosses a border."],
      "to_address.phone": ["phone is required when the shipment crosses a border."],
    });
  });

  test("across a border, each item needs its origin and its HS code", () => {
    const bare: NewItem = { title: "Shirt", quantity: 1, value: 25, hs_code: " " };
    const problems = shipmentProblems({ ...abroad, items: [shirt, bare] });
    expect(Object.keys(problems)).toEqual(["items.1.country_of_origin", "items.1.hs_code"]);
    expect(problems["items.1.hs_code"]).toEqual([
      "hs_code is required across a border; send it, or the sku of an approved product that has it.",
    ]);
  });

  test("at home an item may be bare, but its stated fields must be valid", () => {
    const bare: NewItem = { title: "Shirt", quantity: 1, value: 25 };
    const wrong: NewItem = { ...bare, hs_code: "61.09", country_of_origin: "UK", weight: 1 };
    expect(shipmentProblems({ ...atHome, items: [bare] })).toEqual({});
    expect(shipmentProblems({ ...atHome, items: [bare, wrong] })).toEqual({
      "items.1.weight_unit": ["weight_unit is required with weight."],
      "items.1.country_of_origin": [
        'country_of_origin "UK" is not an ISO 3166-1 alpha-2 country code.',
      ],
      "items.1.hs_code": ['hs_code "61.09" is not 6 to 10 digits.'],
    });
  });

  test.each(["610910", "6109.10.00", "6109 10 0012"])("%j is an HS code", (hs_code) => {
    expect(shipmentProblems({ ...abroad, items: [{ ...shirt, hs_code }] })).toEqual({});
  });

  test.each(["61091", "61091000123", "6109AB", "6109-10"])("%j is no HS code", (hs_code) => {
    const problems = shipmentProblems({ ...abroad, items: [{ ...shirt, hs_code }] });
    expect(Object.keys(problems)).toEqual(["items.0.hs_code"]);
  });

  test("sides are given all together and with their unit, or not at all", () => {
    const packages: NewPackage[] = [
      { ...box, length: 1, width: 2, height: 3, size_unit: "cm" },
      { ...box, size_unit: "cm" },
      { ...box, length: 1, size_unit: "cm" },
      { ...box, length: 1, width: 2, height: 3 },
    ];
    const together = "The sides length, width and height are given all together or not at all.";
    expect(shipmentProblems({ ...atHome, packages })).toEqual({
      "packages.2.width": [together],
      "packages.2.height": [together],
      "packages.3.size_unit": ["size_unit is required with length, width and height."],
    });
  });

  test.each([
    [0, ["packages"]],
    [1, []],
    [50, []],
    [51, ["packages"]],
  ])("%d packages", (count, paths) => {
    const packages = Array.from({ length: count }, () => box);
    expect(Object.keys(shipmentProblems({ ...atHome, packages }))).toEqual(paths);
  });

  test("each address is validated under its own path, and a shared one once", () => {
    const wrong = { ...toronto, province_code: "BC" };
    const shared = { ...atHome, from_address: wrong, return_address: wrong };
    expect(Object.keys(shipmentProblems(shared))).toEqual(["from_address.postal_code"]);
    const other = { ...atHome, return_address: { ...wrong } };
    expect(Object.keys(shipmentProblems(other))).toEqual(["return_address.postal_code"]);
  });

  test("military mail and territories written as states are at home in the United States", () => {
    const base = { ...boston, province_code: "AE", postal_code: "09007", phone: null };
    expect(shipmentProblems({ ...atHome, from_address: boston, to_address: base })).toEqual({});
  });

  test("texts that cannot be stored are refused, line breaks in free text are not", () => {
    const packages = [{ ...box, package_contents: "a\nb", reference: "a\0" }];
    const items = [{ ...shirt, description: "x\uD800", hs_code: "6109\0" }];
    expect(Object.keys(shipmentProblems({ ...abroad, packages, items }))).toEqual([
      "packages.0.reference",
      "items.0.description",
      "items.0.hs_code",
    ]);
  });

  test("rows and fields of a wrong type are left to the schema", () => {
    const wrong = { to_address: 1, packages: [null, "x"], items: [7, { hs_code: 6 }] };
    expect(shipmentProblems(wrong as unknown as CourierShipment)).toEqual({});
    expect(shipmentProblems({ packages: [box] } as unknown as CourierShipment)).toEqual({});
  });
});

describe("normalisePackage", () => {
  test("fills absent fields with their default or null", () => {
    expect(
      normalisePackage({ ...box, package_contents: "  books ", size_unit: "in" }, "pkg_1"),
    ).toEqual({
      id: "pkg_1",
      weight: 2,
      weight_unit: "lbs",
      length: null,
      width: null,
      height: null,
      size_unit: null,
      package_contents: "books",
      package_type: "parcel",
      reference: null,
      declared_value: null,
      currency: null,
      tracking_code: null,
    });
  });
});

describe("normaliseItem", () => {
  test("normalises codes and takes the account's currency when none is given", () => {
    const kept = normaliseItem(
      { ...shirt, country_of_origin: "ca", hs_code: " 6109.10.00 " },
      "CAD",
    );
    expect(kept).toMatchObject({ country_of_origin: "CA", hs_code: "61091000", currency: "CAD" });
    expect(normaliseItem({ ...kept, currency: "USD" }, "CAD")).toEqual({
      ...kept,
      currency: "USD",
    });
  });
});
