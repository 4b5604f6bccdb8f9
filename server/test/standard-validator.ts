import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

/**
 * A document as third-party tools read it: a standard validator with its standard settings, which knows no
 * custom keyword or format.
 */
export interface StandardValidator {
  compile(schema: object): ValidateFunction;
}

export function standardValidator(document: {
  components: { schemas: Record<string, object> };
}): StandardValidator {
  const ajv = new Ajv2020({
    strict: true,
    allErrors: true,
    allowUnionTypes: true,
    strictRequired: false,
  });
  addFormats.default(ajv);
  // OpenAPI's additions to JSON Schema. A discriminator is only a hint which schema to try first.
  ajv.addVocabulary(["discriminator", "example", "externalDocs", "xml"]);
  ajv.addSchema(local({ $id: "document", $defs: document.components.schemas }));
  return { compile: (schema) => ajv.compile(local(schema)) };
}

/** With the references that a schema by itself can resolve. */
function local(schema: object): object {
  const text = JSON.stringify(schema);
  return JSON.parse(text.replaceAll('"#/components/schemas/', '"document#/$defs/')) as object;
}
