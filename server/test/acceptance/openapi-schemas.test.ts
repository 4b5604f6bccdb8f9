import { beforeAll, describe, expect, test } from "vitest";
import { openApiDocuments } from "../../../scripts/openapi-document.ts";
import { standardValidator, type StandardValidator } from "../standard-validator.ts";
import { allExamples, type ApiDocument } from "./document-examples.ts";

/** The document as third-party tools read it. */

let document: ApiDocument;
let validator: StandardValidator;
beforeAll(async () => {
  document = (await openApiDocuments()).live as ApiDocument;
  validator = standardValidator(document);
});

function problemsOf(schema: object, value: unknown): unknown {
  const validate = validator.compile(schema);
  validate(value);
  return validate.errors ?? null;
}

describe("a standard validator", () => {
  test("accepts every body that the document shows", () => {
    const examples = allExamples(document).filter(({ of }) => of === "request");
    expect(examples.length).toBeGreaterThan(40);
    for (const { name, schema, value } of examples)
      expect(problemsOf(schema, value), name).toBeNull();
  });

  test("accepts every response that the document shows, and each operation shows one", () => {
    const examples = allExamples(document).filter(({ of }) => of === "answer");
    expect(examples.length).toBeGreaterThan(60);
    for (const { name, schema, value } of examples)
      expect(problemsOf(schema, value), name).toBeNull();
  });

  test("accepts every error that the document shows", () => {
    const examples = allExamples(document).filter(({ of }) => of === "error");
    expect(examples.length).toBeGreaterThan(35);
    for (const { name, schema, value } of examples)
      expect(problemsOf(schema, value), name).toBeNull();
  });

  test("understands every schema of the components, used or not", () => {
    for (const name of Object.keys(document.components.schemas)) {
      const reference = { $ref: `#/components/schemas/${name}` };
      expect(() => validator.compile(reference), name).not.toThrow();
    }
  });
});

test("no keyword that divides money is left in the document", () => {
  expect(JSON.stringify(document)).not.toMatch(/multipleOf|maxDecimals/);
  expect(JSON.stringify(document)).toContain("At most 2 decimals.");
});
