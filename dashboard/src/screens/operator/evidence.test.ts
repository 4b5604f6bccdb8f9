import { expect, test } from "vitest";
import { bodyOf, evidenceFields } from "./evidence.ts";

const schema = {
  label: {
    type: "object",
    properties: {
      carrier_label_id: { type: "string" },
      package_tracking_codes: { type: ["array", "null"] },
      amount: { type: ["number", "null"] },
      label_base64: { type: ["string", "null"] },
    },
  },
  refund: { type: ["string", "null"], enum: ["pending", "approved", null] },
};

test("the fields of a schema are those of its objects and its own, with their choices", () => {
  expect(evidenceFields(schema)).toMatchObject([
    { path: "label.carrier_label_id", kind: "text", isOptional: false, choices: null },
    { path: "label.package_tracking_codes", kind: "list", isOptional: true },
    { path: "label.amount", kind: "number", isOptional: true },
    { path: "refund", name: "refund", choices: ["pending", "approved"], isOptional: true },
  ]);
});

test("what was typed is sent as the API takes it, and what was left empty is not", () => {
  const body = bodyOf(evidenceFields(schema), {
    "label.carrier_label_id": " L1 ",
    "label.package_tracking_codes": "A1, B2",
    "label.amount": "12,50",
    refund: "",
  });
  expect(body).toEqual({
    label: { carrier_label_id: "L1", package_tracking_codes: ["A1", "B2"], amount: 12.5 },
  });
  expect(bodyOf(evidenceFields(schema), {})).toEqual({ label: {} });
  expect(bodyOf(evidenceFields({ fee: { type: "number" } }), { fee: "a lot" })).toEqual({
    fee: "a lot",
  });
});
