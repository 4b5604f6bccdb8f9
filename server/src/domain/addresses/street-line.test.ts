import fc from "fast-check";
import { expect, test } from "vitest";
import { splitStreetLine } from "./street-line.ts";

test.each([
  ["1234 Main Street", "CA", "1234", "Main Street", null],
  ["12A  Rue Saint-Jean", "CA", "12A", "Rue Saint-Jean", null],
  ["12 1/2 King St W", "CA", "12 1/2", "King St W", null],
  ["5-123 Main St", "CA", "123", "Main St", "5"],
  ["#5-123 Main St", "CA", "123", "Main St", "5"],
  ["B-77 Elm Ave", "US", "77", "Elm Ave", "B"],
  ["123, rue de la Montagne", "CA", "123", "rue de la Montagne", null],
  ["20 W 34th St", "US", "20", "W 34th St", null],
  ["100 5th Ave", "US", "100", "5th Ave", null],
  ["Unter den Linden 77", "DE", "77", "Unter den Linden", null],
  ["Hauptstr. 5a", "DE", "5a", "Hauptstr.", null],
  ["221B Baker Street", "GB", "221B", "Baker Street", null],
])("%s in %s is number %s of %s", (line, country, number, name, suite) => {
  expect(splitStreetLine(line, country)).toEqual({ number, name, suite });
});

test.each([
  ["PO Box 123", "CA"],
  ["123 PO Box", "CA"],
  ["Main Street", "CA"],
  ["Main Street 12", "CA"],
  ["123", "CA"],
  ["12 34", "CA"],
  ["General Delivery", "CA"],
  ["RR 2", "CA"],
  ["Postfach 12", "DE"],
  ["", "DE"],
])("%j in %s is left whole", (line, country) => {
  expect(splitStreetLine(line, country)).toBeNull();
});

test("nothing is invented: the parts are in the line", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary" }),
      fc.constantFrom("CA", "US", "DE"),
      (line, country) => {
        const parts = splitStreetLine(line, country);
        if (!parts) return;
        const text = line.trim().replaceAll(/\s+/g, " ");
        for (const part of [parts.number, parts.name, parts.suite ?? ""])
          expect(text).toContain(part);
      },
    ),
  );
});
