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

const refusal = (detail: string, code = "040001", status = 400) =>
  asAnswer(
    { error: { code: `${status}`, message: "Refused", errors: [{ detail, code }] } },
    status,
  );

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

test.each([
  { trackingNumber: "9205590164917312345671", postage: 9.5 },
  { labelMetadata: { trackingNumber: "9205590164917312345671", postage: 9.5 } },
])("a number that was handed out was sold, whatever error is beside it", (sold) => {
  const error = { code: "206", message: "Part of it failed" };
  expect(fromLabelResponse(asAnswer({ ...sold, error })).tracking_code).toBe(
    "9205590164917312345671",
  );
  expect(fromLabelResponse(asAnswer({ ...sold, error: "warning" })).cost?.amount_cents).toBe(950);
  expect(outcomeOf(fromLabelResponse, asAnswer({ error }))).toMatchObject({
    failure: { kind: "refused" },
  });
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
  ["A refund request for this order has already been submitted today", "160188", "pending"],
  ["The label was already canceled", "040001", "approved"],
  ["No longer there", "160186", "approved"],
])("%s (%s) makes a second cancellation %s", (detail, code, refund) => {
  expect(fromCancelResponse(refusal(detail, code))).toBe(refund);
});

test.each([
  ["Order not found", "160185"],
  ["Already accepted at a counter, so it cannot be canceled", "160184"],
])("%s (%s) refuses a cancellation", (detail, code) => {
  const refused = outcomeOf(fromCancelResponse, refusal(detail, code));
  expect(refused).toMatchObject({ failure: { kind: "refused" } });
});

test.each(["160185", "160378", "160379", "160186"])(
  "USPS's code %s says that nothing is sold under a key, or nothing any more",
  (code) => expect(fromReprint(refusal("In whatever words", code))).toBeNull(),
);

test.each([
  ["Labels can only be reprinted up to the mailing date", "160381", 400],
  ["The label has reached the limit of reprints", "160382", 400],
  ["Disputed labels are not printed again", "160380", 400],
  ["The MID does not exist", "160021", 400],
  ["The request was cancelled by its client", "040001", 400],
  ["Resource not found", "404001", 404],
  ["No label is available yet", "409001", 409],
  ["EPS account not found", "403001", 403],
  ["Client id not found", "401001", 401],
])("%s (%s, status %i) does not prove that no label was sold", (detail, code, status) => {
  const outcome = outcomeOf(fromReprint, refusal(detail, code, status));
  expect(outcome).toHaveProperty("failure");
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
