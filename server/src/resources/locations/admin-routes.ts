import { Type } from "typebox";
import type { Platform } from "../../context.ts";
import { originOf } from "../../domain/accounts/principal.ts";
import { ApiError, invalid } from "../../domain/errors/errors.ts";
import { OneOf } from "../../domain/values/schema.ts";
import type { Routes } from "../../http/routes.ts";
import { importLocations, type ImportRequest, type SourceRow } from "./import-locations.ts";
import { rowsOf, rowsOfCsv } from "./read-source.ts";

/** One call's. `waybill import locations` takes files of any length. */
const rowsMax = 20_000;

const ImportBody = Type.Object(
  {
    environment: OneOf(["live", "test"]),
    format: OneOf(["csv", "json"]),
    content: Type.Optional(
      Type.String({ minLength: 1, description: "With `csv`: the file as text." }),
    ),
    locations: Type.Optional(
      Type.Array(Type.Unknown(), { minItems: 1, maxItems: rowsMax, description: "With `json`." }),
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
      {
        config: { body: "bulk", rows: "locations", errors: ["too_many_rows"] },
        schema: { body: ImportBody },
      },
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
    return atMost(rowsOfCsv([body.content]));
  }
  if (!body.locations) throw invalid({ locations: ["is required with json."] });
  return rowsOf(body.locations);
}

async function* atMost(rows: AsyncIterable<SourceRow>): AsyncGenerator<SourceRow> {
  let count = 0;
  for await (const row of rows) {
    if (++count > rowsMax)
      throw new ApiError("too_many_rows", {
        message: `One call imports at most ${rowsMax} locations; for more use \`waybill import locations\`.`,
        details: { max: rowsMax },
      });
    yield row;
  }
}
