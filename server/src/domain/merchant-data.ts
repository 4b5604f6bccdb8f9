import { Type } from "typebox";

/** What merchants keep with their shipments and orders for themselves, which means nothing to us. */

/** At most twenty keys of the merchant's own, kept as they are. */
export const Metadata = Type.Record(
  Type.String({ minLength: 1, maxLength: 40 }),
  Type.Unsafe<string | number | boolean | null>({
    type: ["string", "number", "boolean", "null"],
    maxLength: 500,
  }),
  { maxProperties: 20 },
);

export const Tags = Type.Array(Type.String({ minLength: 1, maxLength: 50 }), {
  maxItems: 50,
  uniqueItems: true,
});
