import fastJsonStringify from "fast-json-stringify";
import { withoutDocumentKeys } from "../domain/validation/validation.ts";

type Serializer = (value: unknown) => string;

const serializers = new WeakMap<object, Serializer>();

/**
 * Serializes values of a schema as JSON: the keys that the schema names, in its order, and no others, so that
 * nothing internal is published. Compiled once: both base addresses, and all answers of a kind, share it.
 */
export function serializerOf(schema: object): Serializer {
  let serialize = serializers.get(schema);
  if (!serialize)
    serializers.set(schema, (serialize = fastJsonStringify(withoutDocumentKeys(schema) as object)));
  return serialize;
}
