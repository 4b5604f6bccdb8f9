import { Type } from "typebox";

/** Data that merchants keep with their shipments and orders, which Waybill does not interpret. */

/** At most twenty keys of the merchant's own, stored unchanged (decision 6.7). */
export const Metadata = Type.Unsafe<Record<string, string | number | boolean | null>>({
  type: "object",
  maxProperties: 20,
  propertyNames: { type: "string", minLength: 1, maxLength: 40 },
  additionalProperties: { type: ["string", "number", "boolean", "null"], maxLength: 500 },
});

export const Tags = Type.Array(Type.String({ minLength: 1, maxLength: 50 }), {
  maxItems: 50,
  uniqueItems: true,
});
