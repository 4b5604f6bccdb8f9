import { Readable } from "node:stream";
import { Type } from "typebox";
import type { Platform } from "../../context.ts";
import { originOf } from "../../domain/accounts/principal.ts";
import { invalid } from "../../domain/errors/errors.ts";
import { OneOf } from "../../domain/values/schema.ts";
import type { Routes } from "../../http/routes.ts";
import { importLocations, type ImportRequest } from "./import-locations.ts";
import { rowsOf, rowsOfCsv } from "./read-source.ts";

const ImportBody = Type.Object(
  {
    environment: OneOf(["live", "test"]),
    format: OneOf(["csv", "json"]),
    content: Type.Optional(
      Type.String({ minLength: 1, description: "With `csv`: the file as text." }),
    ),
    locations: Type.Optional(
      Type.Array(Type.Unknown(), { minItems: 1, maxItems: 20_000, description: "With `json`." }),
    ),
    retire_missing: Type.Optional(
      Type.Boolean({
        description: "Count places of the same carriers that are not named as gone.",
      }),
    ),
  },
  { additionalProperties: false },
);

/** `/api/admin/locations/imports`: the operator's way to fill the catalogue of drop-off places. */
export const locationImportRoutes =
  (platform: Platform): Routes =>
  async (app) => {
    app.post(
      "/locations/imports",
      { config: { body: "bulk", rows: "locations" }, schema: { body: ImportBody } },
      async ({ body, ctx }) => {
        const { environment, retire_missing = false } = body;
        const request = { environment, rows: rowsIn(body), retire_missing, by: originOf(ctx) };
        return { data: await importLocations(platform, request) };
      },
    );
  };

function rowsIn(body: {
  format: "csv" | "json";
  content?: string;
  locations?: unknown[];
}): ImportRequest["rows"] {
  if (body.format === "csv") {
    if (body.content === undefined) throw invalid({ content: ["is required with csv."] });
    return rowsOfCsv(Readable.from([body.content]));
  }
  if (!body.locations) throw invalid({ locations: ["is required with json."] });
  return rowsOf(body.locations);
}
