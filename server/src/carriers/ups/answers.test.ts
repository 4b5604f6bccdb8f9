import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CarrierError } from "../carrier.ts";
import { answerOf, isLiteral, outcomeOf } from "../corpus/corpus-world.ts";
import { damaged } from "../corpus/damage-world.ts";
import { classify } from "../protocol/classify.ts";
import { goodAnswers, parsers } from "./answers-world.ts";
import { errorTable } from "./errors.ts";
import { fromShipmentResponse } from "./labels.ts";
import { fromRateResponse } from "./rated-services.ts";
import { fromReference } from "./tracking.ts";

const asAnswer = (body: unknown, status = 200) =>
  answerOf({ bytes: Buffer.from(JSON.stringify(body)) }, status);

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

test("the price is the account's own, in whole cents, with its lines below it", () => {
  expect(fromRateResponse(asAnswer(goodAnswers.RateResponse))).toEqual([
    {
      code: "11",
      cost: { amount_cents: 1_595, currency: "CAD" },
      price_basis: "negotiated",
      on_saturday: false,
      surcharges: [{ code: "375", name: "Fuel surcharge", amount_cents: 125 }],
      days: 3,
      date: "2026-10-12",
      weight: { value: 2, unit: "kg", basis: "actual" },
      zone: null,
    },
  ]);
});

test("one package alone and a list of one are the same shipment", () => {
  const one = goodAnswers.ShipmentResponse as {
    ShipmentResponse: { ShipmentResults: { PackageResults: object } };
  };
  const many = structuredClone(one);
  const { ShipmentResults } = many.ShipmentResponse;
  ShipmentResults.PackageResults = [ShipmentResults.PackageResults];
  const sold = fromShipmentResponse(asAnswer(one));
  expect(sold).toMatchObject({ package_tracking_codes: ["1Z12345E0205271688"] });
  expect(fromShipmentResponse(asAnswer(many))).toEqual(sold);
});

test("a shipment without a readable file, or a price, was sold all the same", () => {
  const body = structuredClone(goodAnswers.ShipmentResponse) as {
    ShipmentResponse: { ShipmentResults: { PackageResults: { ShippingLabel: unknown } } };
  };
  const { ShipmentResults } = body.ShipmentResponse;
  ShipmentResults.PackageResults.ShippingLabel = { GraphicImage: "not base64!" };
  Object.assign(ShipmentResults, { ShipmentCharges: "none" });
  expect(fromShipmentResponse(asAnswer(body))).toMatchObject({ cost: null, files: [] });
});

test.each([408, 409])("a purchase that is answered with status %i may be sold", (status) => {
  const answer = asAnswer(goodAnswers.errors, status);
  expect(outcomeOf(fromShipmentResponse, answer)).toMatchObject({ failure: { kind: "unknown" } });
});

test("another's package under the same reference is not ours", () => {
  const answer = asAnswer(goodAnswers.trackResponse);
  expect(fromReference(answer, "att_other")).toBeNull();
  expect(fromReference(answer, "no reference of ours")).toEqual({
    package_tracking_codes: ["1Z12345E0205271688"],
    state: "live",
  });
});

describe("an answer of status 200 without a body", () => {
  const empty = (headers: Record<string, string>) => ({
    status: 200,
    headers,
    bytes: Buffer.alloc(0),
    retry_after_seconds: null,
  });

  test("is a refusal where its headers say so", () => {
    const failure = classify(errorTable, empty({ errorcode: "1", errordescription: "Not valid." }));
    expect(failure).toMatchObject({ kind: "refused", carrier_code: "1", message: "Not valid." });
  });

  test("may have bought a label otherwise", () => {
    const outcome = outcomeOf(fromShipmentResponse, empty({}));
    expect(outcome).toMatchObject({ failure: { kind: "unknown", carrier_code: "bad_answer" } });
  });
});

test.each([
  ["250003", 401, { kind: "refused", exclusion: "carrier_credentials_invalid" }],
  ["10429", 429, { kind: "refused", exclusion: "carrier_rate_limited" }],
  ["120802", 400, { kind: "refused", carrier_code: "120802", exclusion: "carrier_error" }],
  ["10500", 500, { kind: "unknown", carrier_code: "10500" }],
])("the error %s with status %i is classified", (code, status, failure) => {
  const body = { response: { errors: [{ code, message: "Because." }] } };
  expect(classify(errorTable, asAnswer(body, status))).toMatchObject(failure);
});
