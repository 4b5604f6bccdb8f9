import fc from "fast-check";
import { expect, test } from "vitest";
import { CarrierError } from "../carrier.ts";
import { answerOf, isLiteral, outcomeOf } from "../corpus/corpus-world.ts";
import { damaged } from "../corpus/damage-world.ts";
import { readJson } from "../protocol/json.ts";
import { goodAnswers, parsers } from "./answers-world.ts";
import { fromCancelResponse, fromLabelResponse, fromReprint, keyOf } from "./labels.ts";
import { pieceOf } from "./parties.ts";
import { fromOptionsResponse } from "./rates.ts";

const asAnswer = (body: unknown, status = 200) =>
  answerOf({ bytes: Buffer.from(typeof body === "string" ? body : JSON.stringify(body)) }, status);

const refusal = (detail: string) =>
  asAnswer({ error: { code: "400", message: "Bad Request", errors: [{ detail }] } }, 400);

test.each(Object.entries(parsers))(
  "any %s is literals or a CarrierError, however it is damaged",
  (_name, parse) => {
    fc.assert(
      fc.property(damaged(Object.values(goodAnswers)), (answer) => {
        const outcome = outcomeOf(parse, answer);
        if ("literals" in outcome) expect(isLiteral(outcome.literals)).toBe(true);
        else expect(outcome.failure).toBeInstanceOf(CarrierError);
      }),
      { numRuns: 300 },
    );
  },
);

test("a price is whole cents, with its fees beside it and its extras by their codes", () => {
  expect(fromOptionsResponse(asAnswer(goodAnswers.options))).toEqual([
    {
      mail_class: "PRIORITY_MAIL",
      rate_indicator: "SP",
      processing: "MACHINABLE",
      base_cents: 950,
      surcharges: [{ code: "D811", name: "Nonstandard length", amount_cents: 200 }],
      extras: new Map([["921", 395]]),
      days: 2,
      date: "2026-10-08",
      zone: "05",
    },
  ]);
});

test("a price says whether it is the contract's or a published one, if USPS says so", () => {
  const basisOf = (priceType: string | undefined) => {
    const rates = [{ price: 9.5, priceType }];
    const shippingOptions = [{ mailClass: "PRIORITY_MAIL", rateOptions: [{ rates }] }];
    const answer = asAnswer({ pricingOptions: [{ priceType: "CONTRACT", shippingOptions }] });
    return fromOptionsResponse(answer)[0]!.price_basis;
  };
  expect(basisOf("CONTRACT")).toBe("negotiated");
  for (const type of ["COMMERCIAL", "COMMERCIAL_BASE", "RETAIL"])
    expect(basisOf(type)).toBe("published");
  expect(basisOf(undefined)).toBeUndefined();
});

test("a label costs its postage, its extras and its fees", () => {
  expect(fromLabelResponse(asAnswer(goodAnswers.label)).cost).toEqual({
    amount_cents: 1_545,
    currency: "USD",
  });
});

test.each([408, 409])("a purchase that is answered with status %i may be sold", (status) => {
  const answer = asAnswer(goodAnswers.errors, status);
  expect(outcomeOf(fromLabelResponse, answer)).toMatchObject({ failure: { kind: "unknown" } });
});

test("22 digits stay as they are, even where they came as a number", () => {
  const text = '{"trackingNumber": 9205590164917312345671, "postage": 9.5}';
  expect(fromLabelResponse(asAnswer(text)).tracking_code).toBe("9205590164917312345671");
  expect(readJson(asAnswer('{"a": 0.1, "b": 12345678901234567890}'))).toEqual({
    a: 0.1,
    b: "12345678901234567890",
  });
});

test.each([
  ["A refund request for this order has already been submitted today", "pending"],
  ["The label was already canceled", "approved"],
])("%s makes a second cancellation %s", (detail, refund) => {
  expect(fromCancelResponse(refusal(detail))).toBe(refund);
});

test("an order that is not found cannot be cancelled, and was not sold under its key", () => {
  const unknown = refusal("Order not found");
  expect(outcomeOf(fromCancelResponse, unknown)).toMatchObject({ failure: { kind: "refused" } });
  expect(fromReprint(unknown)).toBeNull();
});

test("a label that may not be printed again is not taken for one that was not sold", () => {
  const late = refusal("Labels can only be reprinted up to the mailing date");
  expect(outcomeOf(fromReprint, late)).toMatchObject({ failure: { kind: "unknown" } });
});

test("a purchase's key is the UUID in its reference, the same each time", () => {
  const reference = "att_01h455vb4pex5vsknk084sn02q";
  expect(keyOf(reference)).toBe("01890a5d-ac96-774b-bcce-b302099a8057");
  const other = keyOf("ref of another form");
  expect(other).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(keyOf("ref of another form")).toBe(other);
});

test.each([
  [{ length: 10, width: 8, height: 6, weight: 2 }, "MACHINABLE", "SP"],
  [{ length: 20, width: 14, height: 12, weight: 2 }, "MACHINABLE", "DR"],
  [{ length: 40, width: 30, height: 20, weight: 30 }, "NONSTANDARD", "OS"],
  [{ length: 3, width: 2, height: 1, weight: 1 }, "NONSTANDARD", "SP"],
])("a parcel of %o is %s and %s", (size, processing, rate_indicator) => {
  const parcel = {
    id: "pkg_1",
    weight_unit: "lbs",
    size_unit: "in",
    package_contents: null,
    package_type: "parcel",
    reference: null,
    declared_value: null,
    currency: null,
    tracking_code: null,
    ...size,
  } as const;
  expect(pieceOf(parcel, "PRIORITY_MAIL")).toMatchObject({ processing, rate_indicator });
});
