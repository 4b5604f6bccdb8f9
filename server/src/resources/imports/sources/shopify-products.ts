import { cell, slug, textOfHtml, toRow } from "./cells.ts";
import type { CsvRow } from "./read-csv.ts";
import type { SourceRow } from "./source-row.ts";

/**
 * Shopify's product export, with the header of before 2024 and the current one. A product is a handle with a
 * row for each variant; only the first row has the fields that all of them share, and rows with only a
 * picture are skipped.
 */
export const shopifyProductColumns = [
  ["title"],
  ["handle", "url handle"],
  ["variant sku", "sku"],
] as const;

export async function* shopifyProducts(rows: AsyncIterable<CsvRow>): AsyncGenerator<SourceRow> {
  let shared: CsvRow | null = null;
  // Read once: thousands of variants may share a long one.
  let description: string | undefined;
  for await (const row of rows) {
    const handle = handleOf(row);
    const isNext = shared !== null && handle !== undefined && handle === handleOf(shared);
    if (isNext && !isVariant(row)) continue;
    if (!isNext) {
      shared = row;
      description = textOfHtml(cell(row, "body (html)", "body html", "description"));
    }
    yield variantOf(row, shared ?? row, description);
  }
}

function handleOf(row: CsvRow): string | undefined {
  return cell(row, "handle", "url handle");
}

function isVariant(row: CsvRow): boolean {
  return cell(row, "variant sku", "sku", "variant price", "price", "option1 value") !== undefined;
}

function variantOf(row: CsvRow, shared: CsvRow, description: string | undefined): SourceRow {
  const of = (...columns: string[]) => cell(row, ...columns) ?? cell(shared, ...columns);
  return toRow(
    row,
    {
      sku: shopifySku(row),
      title: shopifyTitle(row, cell(shared, "title")),
      description,
      manufacturer: of("vendor"),
      hs_code: of("variant hs code", "hs code"),
      country_of_origin: of("variant country of origin", "country of origin", "coo"),
      image_url:
        cell(row, "variant image", "variant image url") ??
        cell(shared, "image src", "product image url"),
      store: "shopify",
      external_id: handleOf(shared),
    },
    {
      value: cell(row, "variant price", "price"),
      weight: cell(row, "variant grams", "weight value (grams)"),
      weight_unit: "g",
    },
  );
}

/** Its sku, or, where the store gave none, one derived from its handle and options. */
export function shopifySku(row: CsvRow): string | undefined {
  const handle = handleOf(row);
  const given = cell(row, "variant sku", "sku");
  // Spreadsheets put an apostrophe before numbers to keep them as text.
  if (given || !handle) return given?.replace(/^'(?=\S)/, "");
  return [handle, ...optionsOf(row).map(slug)].filter(Boolean).join("-").slice(0, 100);
}

export function shopifyTitle(row: CsvRow, title: string | undefined): string | undefined {
  const options = optionsOf(row).join(" / ");
  return title && options ? `${title} - ${options}`.slice(0, 300) : title;
}

function optionsOf(row: CsvRow): string[] {
  return [1, 2, 3]
    .map((place) => cell(row, `option${place} value`))
    .filter((value) => value !== undefined)
    .filter((value) => value !== "Default Title");
}
