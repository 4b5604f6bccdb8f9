import { Type, type TSchema } from "typebox";
import { serializerOf } from "./serialize.ts";

/**
 * JSON as answers show it, from JSON as it is stored. Most of what a list shows was shown before: addresses are those
 * of the account and of its customers, and lists are read again and again. What a stored text is shown as follows from
 * it and its schema alone, so it is remembered, and nothing is parsed only to be written again. A new text is parsed
 * and serialized by its schema: no key is shown that the schema does not name.
 */

/** Characters of a column's texts, stored and shown, that are remembered at least, and half of the most. */
const keptCharacters = 300_000;
/** A longer text is not remembered: it would displace hundreds of others. */
const longestKept = 20_000;

/**
 * Makes the function that returns the shown JSON of stored JSON of this schema; of null, null. `prepare` gets the value
 * of a schema that the serializer does not order the keys of.
 */
export function storedJson(
  schema: TSchema,
  prepare: (schema: TSchema, value: unknown) => unknown = (_schema, value) => value,
): (stored: string | null) => string {
  const ofField = Type.Object({ of: schema });
  const show = (stored: string) => {
    const of = prepare(schema, JSON.parse(stored) as unknown);
    return serializerOf(ofField)({ of }).slice('{"of":'.length, -1);
  };
  // Two generations in place of an order of use, which would cost more than it keeps.
  let recent = new Map<string, string>();
  let earlier = new Map<string, string>();
  let characters = 0;

  return (stored) => {
    if (stored === null) return "null";
    if (stored === "[]" || stored === "{}") return stored;
    const known = recent.get(stored);
    if (known !== undefined) return known;
    const shown = earlier.get(stored) ?? show(stored);
    if (stored.length > longestKept) return shown;
    characters += stored.length + shown.length;
    if (characters > keptCharacters) {
      earlier = recent;
      recent = new Map();
      characters = stored.length + shown.length;
    }
    recent.set(stored, shown);
    return shown;
  };
}
