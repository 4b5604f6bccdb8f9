import { describe, expect, test } from "vitest";
import { toEntry } from "./entry.ts";
import { guessMapping, guessUnits, missingFields, remapped } from "./mapping.ts";

describe("a file's columns", () => {
  test("are recognised in English with the recipient's prefix, as shops export them", () => {
    const headers = ["Name", "Email", "Shipping Name", "Shipping Address1", "Shipping City"];
    const more = [
      "Shipping Zip",
      "Shipping Province",
      "Shipping Country",
      "Billing City",
      "Total Weight",
    ];
    expect(guessMapping([...headers, ...more])).toEqual([
      null,
      "email",
      "name",
      "address1",
      "city",
      "postal_code",
      "province_code",
      "country_code",
      null,
      "weight",
    ]);
  });

  test("are recognised in French with accents", () => {
    const headers = ["Destinataire", "Adresse", "Ville", "Code postal", "Téléphone", "Poids (lb)"];
    expect(guessMapping(headers)).toEqual([
      "name",
      "address1",
      "city",
      "postal_code",
      "phone",
      "weight",
    ]);
    expect(guessUnits(headers)).toEqual({ weight: "lbs", size: "cm" });
  });

  test("named as the API names them are recognised, and so are their units", () => {
    const headers = ["address1", "province_code", "weight_oz", "length_in", "hs_code"];
    expect(guessMapping(headers)).toEqual([
      "address1",
      "province_code",
      "weight",
      "length",
      "item_hs_code",
    ]);
    expect(guessUnits(headers)).toEqual({ weight: "oz", size: "in" });
  });

  test("that nothing says anything of are left out, and what is needed is missed", () => {
    expect(guessMapping(["foo", ""])).toEqual([null, null]);
    expect(missingFields([null, "city"])).toEqual(["address1", "weight"]);
  });

  test("are each something else: a field given to a second column leaves the first", () => {
    expect(remapped(["city", "name"], 1, "city")).toEqual([null, "city"]);
    expect(remapped(["city", null], 0, null)).toEqual([null, null]);
  });

  test("with a comma in the number and a country's name make the shipment that was meant", () => {
    const row = ["1 Rue Un", "Québec", "1,5", "Canada"];
    const mapping = ["address1", "city", "weight", "country_code"] as const;
    expect(toEntry(row, [...mapping], { weight: "kg", size: "cm" })).toMatchObject({
      to_address: { address1: "1 Rue Un", city: "Québec", country_code: "CA" },
      packages: [{ weight: 1.5, weight_unit: "kg" }],
    });
  });
});
