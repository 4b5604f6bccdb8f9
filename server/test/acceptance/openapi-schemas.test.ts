import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { beforeAll, describe, expect, test } from "vitest";
import { openApiDocuments } from "../../../scripts/openapi-document.ts";
import { allExamples, type ApiDocument } from "./document-examples.ts";

/**
 * The document as other people's tools read it: a standard validator with its standard settings, which
 * knows no keyword and no format of ours.
 */

let document: ApiDocument;
let ajv: Ajv2020;
beforeAll(async () => {
  document = (await openApiDocuments()).live as ApiDocument;
  ajv = new Ajv2020({
    strict: true,
    allErrors: true,
    allowUnionTypes: true,
    strictRequired: false,
  });
  addFormats.default(ajv);
  // What OpenAPI adds to JSON Schema. A discriminator only says where to look first.
  ajv.addVocabulary(["discriminator", "example", "externalDocs", "xml"]);
  ajv.addSchema(local({ $id: "document", $defs: document.components.schemas }));
});

/** With the references that a schema by itself can follow. */
function local(schema: object): object {
  const text = JSON.stringify(schema);
  return JSON.parse(text.replaceAll('"#/components/schemas/', '"document#/$defs/')) as object;
}

function problemsOf(schema: object, value: unknown): unknown {
  const validate = ajv.compile(local(schema));
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

  test("accepts every answer that the document shows, and each operation shows one", () => {
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
      expect(() => ajv.compile(local(reference)), name).not.toThrow();
    }
  });
});

test("no keyword that divides money is left in the document", () => {
  expect(JSON.stringify(document)).not.toMatch(/multipleOf|maxDecimals/);
  expect(JSON.stringify(document)).toContain("At most 2 decimals.");
});
