import { expect, test } from "vitest";
import { parseAddress } from "./parse-address.ts";

test("a Canadian address of four lines is read with its name, street, city, province and postal code", () => {
  expect(
    parseAddress("Amélie Tremblay\n275 Rue Notre-Dame Est\nMontréal QC h2y1c6\nCanada"),
  ).toMatchObject({
    name: "Amélie Tremblay",
    address1: "275 Rue Notre-Dame Est",
    city: "Montréal",
    province_code: "QC",
    postal_code: "H2Y 1C6",
    country_code: "CA",
  });
});

test("an American address with a company, suite, phone and email is read", () => {
  const text =
    "Chloe Martin\nHudson Goods Inc.\n8 City Hall Square\nSuite 4\nNew York, NY 10007\nUSA\n+1 212 555 0199\nchloe@hudson.example";
  expect(parseAddress(text)).toMatchObject({
    name: "Chloe Martin",
    company: "Hudson Goods Inc.",
    address1: "8 City Hall Square",
    address2: "Suite 4",
    city: "New York",
    province_code: "NY",
    postal_code: "10007",
    country_code: "US",
    phone: "+1 212 555 0199",
    email: "chloe@hudson.example",
    is_residential: false,
  });
});

test("an address on one line with commas is read", () => {
  expect(parseAddress("Jean Roy, 12 Main St, Halifax, NS B3J 1A1")).toMatchObject({
    name: "Jean Roy",
    address1: "12 Main St",
    city: "Halifax",
    province_code: "NS",
    postal_code: "B3J 1A1",
  });
});

test("a text without a postal code is no address", () => {
  expect(parseAddress("Amélie Tremblay")).toBeNull();
  expect(parseAddress("call me\ntomorrow\nplease")).toBeNull();
});
