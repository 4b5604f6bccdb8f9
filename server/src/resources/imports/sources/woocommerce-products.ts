import { cell, slug, textOfHtml, toRow } from "./cells.ts";
import type { CsvRow } from "./read-csv.ts";
import type { SourceRow } from "./source-row.ts";

/**
 * WooCommerce's product export. Variations name their parent by its sku or as `id:12`, and inherit from it
 * what they leave out.
 */
export const woocommerceColumns = [["name"], ["sku"], ["type"]] as const;

const weightUnits = ["kg", "g", "lbs", "oz"];

export async function* woocommerceProducts(
  rows: AsyncIterable<CsvRow>,
  columns: readonly string[],
): AsyncGenerator<SourceRow> {
  const weight_unit = weightUnits.find((unit) => columns.includes(`weight (${unit})`)) ?? "kg";
  const parents = new Map<string, CsvRow>();
  for await (const row of rows) {
    if (cell(row, "type")?.split(/,\s*/).includes("variable")) {
      for (const name of [cell(row, "sku"), cell(row, "id") && `id:${cell(row, "id")}`])
        if (name) parents.set(name, row);
    }
    yield productOf(row, parents.get(cell(row, "parent") ?? "") ?? null, weight_unit);
  }
}

function productOf(row: CsvRow, parent: CsvRow | null, weight_unit: string): SourceRow {
  const of = (...columns: string[]) =>
    cell(row, ...columns) ?? (parent ? cell(parent, ...columns) : undefined);
  const weightColumn = `weight (${weight_unit})`;
  return toRow(
    row,
    {
      sku: skuOf(row, parent),
      title: cell(row, "name"),
      description: textOfHtml(of("description", "short description")),
      manufacturer: of("meta: _manufacturer", "meta: manufacturer", "brands"),
      hs_code: of("meta: _hs_code", "meta: hs_code", "meta: _hs_tariff_code", "hs code"),
      country_of_origin: of(
        "meta: _country_of_origin",
        "meta: country_of_origin",
        "meta: _origin_country",
        "country of origin",
      ),
      image_url: of("images")?.split(/,\s*(?=https?:)/)[0],
      store: "woocommerce",
      external_id: cell(row, "id"),
    },
    { value: of("regular price"), weight: of(weightColumn), weight_unit },
  );
}

/** Its sku, or, where the store gave none, one derived from its parent and attributes, or its id. */
function skuOf(row: CsvRow, parent: CsvRow | null): string | undefined {
  const given = cell(row, "sku");
  if (given) return given.replace(/^'(?=\S)/, "");
  const id = cell(row, "id");
  const parentSku = parent && cell(parent, "sku");
  const attributes = [1, 2, 3]
    .map((place) => slug(cell(row, `attribute ${place} value(s)`) ?? ""))
    .filter(Boolean);
  if (parentSku && attributes.length > 0) return [parentSku, ...attributes].join("-").slice(0, 100);
  return id && `woocommerce-${id}`;
}
