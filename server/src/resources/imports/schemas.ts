import { Type } from "typebox";
import { Maybe, Moment, Nullable, OneOf, Opaque } from "../../domain/values/schema.ts";
import { Format } from "./sources/source-row.ts";
import { AnyError } from "../../domain/error-answers/error-schemas.ts";
import { ImportedProduct } from "../../domain/products/product.ts";

export const importStatuses = ["processing", "completed", "completed_with_errors"] as const;
export type ImportStatus = (typeof importStatuses)[number];
export const ImportStatus = OneOf(importStatuses, { $id: "ImportStatus" });

export const NewImport = Type.Object(
  {
    format: Format,
    content: Maybe(Type.String({ description: "The file as text; not with `json`." })),
    products: Maybe(
      Type.Array(Opaque(ImportedProduct), {
        description: "With `json`: the products. A new one needs a title.",
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
    status: ImportStatus,
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
    status: OneOf(["created", "updated", "error"], { $id: "ImportRowStatus" }),
    error: Nullable(AnyError),
  },
  { $id: "ImportRow" },
);
