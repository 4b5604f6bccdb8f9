import fc from "fast-check";
import { expect, test } from "vitest";
import {
  approved,
  neverSeen,
  rejected,
  withClassification,
  withFields,
  withVerification,
} from "./change-product.ts";
import { screenOf } from "./denied-parties.ts";
import type { Product } from "./product.ts";
import { verifyOrigin } from "./verification.ts";

const now = new Date("2026-10-05T12:00:00Z");
const screening = { screen: screenOf([]), is_test_list: false, now };

/** One event of a product, whatever its source. */
type Step = (product: Product) => Product;

const code = fc.constantFrom(null, "610910", "040900");
const country = fc.constantFrom(null, "CA", "CN");
const steps: fc.Arbitrary<Step>[] = [
  fc
    .tuple(
      fc.record(
        { hs_code: code, country_of_origin: country, title: fc.constantFrom("A", "B") },
        { requiredKeys: [] },
      ),
      fc.constantFrom("import" as const, "manual" as const),
    )
    .map(
      ([fields, source]) =>
        (product) =>
          withFields(product, fields, source),
    ),
  code.map((hs_code) => (product) => {
    const found = { hs_code, description: null, confidence: 0.4, alternatives: [] };
    return withClassification(product, { ...found, provider: "test", classification_id: "1" });
  }),
  fc.constant((product) => withVerification(product, verifyOrigin(product, screening))),
  // An approval without a code is refused earlier.
  fc.constant(
    (product) => (product.hs_code === null ? product : approved(product, now)) ?? product,
  ),
  fc.constant((product) => rejected(product, "No.")),
];

const fresh: Product = { ...neverSeen, sku: "a", title: "A", manufacturer: "Somebody" };

test("whatever happens to a product, its stored fields do not contradict each other", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(...steps), { maxLength: 12 }), (happened) => {
      let product = fresh;
      for (const step of happened) {
        const before = product;
        product = step(before);
        expect(product.hs_code === null).toBe(product.hs_code_source === null);
        expect(product.hs_confidence === null).toBe(product.hs_code_source !== "classified");
        expect(product.approved_at === null).toBe(product.status !== "Approved");
        if (product.status === "Approved") expect(product.hs_code).not.toBeNull();
        if (product.status === "Manufacturer Verified")
          expect(product.cusma).toMatchObject({ status: "verified" });
        if (before.status === "Approved" && product.status === "Approved")
          expect([product.hs_code, product.country_of_origin]).toEqual([
            before.hs_code,
            before.country_of_origin,
          ]);
      }
    }),
    { numRuns: 2000 },
  );
});

test("a code that a store or a person gave is not overwritten by a finding", () => {
  const given = withFields(fresh, { hs_code: "610910" }, "import");
  const found = { hs_code: "960810", description: "Pens", confidence: 0.9, alternatives: [] };
  const classification = { ...found, provider: "test", classification_id: "1" };
  expect(withClassification(given, classification)).toEqual({ ...given, classification });
});
