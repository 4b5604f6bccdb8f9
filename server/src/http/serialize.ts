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

const written = Symbol("JSON that is written already");

/** Stands for an answer whose JSON is made: a route's serializer sends it as it is. */
export function writtenJson<Answer>(json: string): Answer {
  return { [written]: json } as Answer;
}

/** The serializer of a route's answers. */
export function answerSerializer(schema: object): Serializer {
  return (answer) => {
    const { [written]: json } = (answer ?? {}) as { [written]?: string };
    return json ?? serializerOf(schema)(answer);
  };
}
