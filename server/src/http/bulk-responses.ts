import { Type, type TSchema } from "typebox";
import { errorBodyOf } from "../domain/error-answers/error-schemas.ts";
import { Variants } from "../domain/values/schema.ts";

/** The response schemas of creating one thing or several (`creation.ts`), for the document. */

const BulkMeta = Type.Object(
  { total: Type.Integer(), created: Type.Integer(), failed: Type.Integer() },
  { $id: "BulkMeta" },
);

interface Bulk {
  one: TSchema;
  /** A created row, and one that was refused: distinguished by `status`. */
  created: TSchema;
  error: TSchema;
}

/** The 201 of one or several things called `name`, and the 422 of several of which none is valid. */
export function bulkResponses(name: string, { one, created, error }: Bulk) {
  const rows = Type.Array(Variants("status", { created, error }));
  const answered = {
    oneOf: [
      Type.Object({ data: one }, { $id: `${name}Created`, title: "One" }),
      Type.Object({ data: rows, meta: BulkMeta }, { $id: `${name}sCreated`, title: "Several" }),
    ],
  };
  const refused = Type.Object(
    { error: errorBodyOf("validation_failed"), data: Type.Array(error), meta: BulkMeta },
    {
      $id: `${name}sRefused`,
      title: "Several, of which none is good",
      description: "`data` has each entry in its place, with what is wrong with it.",
    },
  );
  return { 201: Type.Unsafe<unknown>(answered), 422: Type.Unsafe<unknown>(refused) };
}
