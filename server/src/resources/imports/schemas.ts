import { Type } from "typebox";
import { Maybe, Moment, Nullable, OneOf } from "../../domain/schema.ts";
import { formats } from "./sources/source-row.ts";

export const importStatuses = ["processing", "completed", "completed_with_errors"] as const;

export const NewImport = Type.Object(
  {
    format: OneOf(formats),
    content: Maybe(Type.String({ description: "The file as text; not with `json`." })),
    products: Maybe(
      Type.Array(Type.Object({}, { additionalProperties: true }), {
        description: "With `json`: products with the fields of `NewProduct`.",
      }),
    ),
    file: Maybe(
      Type.String({
        description: "With `multipart/form-data`: the file itself, in place of both.",
        contentMediaType: "application/octet-stream",
      }),
    ),
  },
  { $id: "NewImport" },
);

export const Import = Type.Object(
  {
    id: Type.String(),
    status: OneOf(importStatuses),
    row_count: Type.Integer(),
    processed_count: Type.Integer(),
    created_count: Type.Integer(),
    updated_count: Type.Integer(),
    error_count: Type.Integer(),
    created_at: Moment(),
    completed_at: Nullable(Moment()),
  },
  { $id: "Import" },
);

export const ImportRowResult = Type.Object(
  {
    row: Type.Integer({ description: "Of the products in the file, from 1." }),
    line: Nullable(
      Type.Integer({ description: "Where the row begins in the file; null in JSON." }),
    ),
    sku: Nullable(Type.String()),
    status: OneOf(["created", "updated", "error"]),
    error: Nullable(
      Type.Object({
        code: Type.String(),
        message: Type.String(),
        details: Type.Object({}, { additionalProperties: true }),
      }),
    ),
  },
  { $id: "ImportRow" },
);
