import { parseJson, TooManyValues, valuesMax } from "../../../domain/text/parse-json.ts";
import { badFile } from "./bad-file.ts";
import { decodeText } from "./decode-text.ts";
import { readCsv, type CsvTable } from "./read-csv.ts";
import { shopifyInventory, shopifyInventoryColumns } from "./shopify-inventory.ts";
import { shopifyProductColumns, shopifyProducts } from "./shopify-products.ts";
import type { Format, SourceRow } from "./source-row.ts";
import { woocommerceColumns, woocommerceProducts } from "./woocommerce-products.ts";

/** Any of the names of each column that a format requires. */
const needed: Record<Exclude<Format, "json">, readonly (readonly string[])[]> = {
  shopify_products: shopifyProductColumns,
  shopify_inventory: shopifyInventoryColumns,
  woocommerce_products: woocommerceColumns,
};

/**
 * The rows of a file, on demand. Throws 422 for a file that is unusable as a whole: no text in UTF-8, no CSV
 * or JSON, columns missing, no rows. Without a format it is detected from the header.
 */
export async function* readSource(
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  format: Format | null,
): AsyncGenerator<SourceRow> {
  const text = decodeText(bytes);
  if (format === "json") return yield* await rowsOfJson(await whole(text));
  const table = await readCsv(text);
  const told = format ?? formatOf(table.columns);
  refuseMissingColumns(table.columns, told);
  let isEmpty = true;
  for await (const row of rowsOf(table, told)) {
    isEmpty = false;
    yield row;
  }
  if (isEmpty) throw badFile("has no rows below its header.");
}

function rowsOf({ columns, rows }: CsvTable, format: Exclude<Format, "json">) {
  if (format === "shopify_products") return shopifyProducts(rows);
  if (format === "shopify_inventory") return shopifyInventory(rows);
  return woocommerceProducts(rows, columns);
}

function formatOf(columns: readonly string[]): Exclude<Format, "json"> {
  const fits = (Object.keys(needed) as (keyof typeof needed)[])
    .filter((format) => missingOf(columns, format).length === 0)
    // Both of Shopify's exports have handles and titles; only one has the codes.
    .sort((a, b) => Number(b === "shopify_inventory") - Number(a === "shopify_inventory"));
  if (!fits[0]) throw badFile("has the columns of no export that we know; say its format.");
  return fits[0];
}

function missingOf(columns: readonly string[], format: keyof typeof needed): string[] {
  return needed[format]
    .filter((names) => !names.some((name) => columns.includes(name)))
    .map((names) => `"${names.join('" or "')}"`);
}

function refuseMissingColumns(columns: readonly string[], format: keyof typeof needed): void {
  const missing = missingOf(columns, format);
  if (missing.length === 0) return;
  const found = columns.slice(0, 10).join(", ").slice(0, 200);
  throw badFile(`is no ${format} export: it has no column ${missing.join(", ")}, but ${found}.`);
}

/** JSON is read as a whole, and so has to fit into memory several times. */
const jsonLengthMax = 100_000_000;

async function whole(pieces: AsyncIterable<string>): Promise<string> {
  let text = "";
  for await (const piece of pieces) {
    text += piece;
    if (text.length > jsonLengthMax) throw badFile("is too large for JSON: divide it, or use CSV.");
  }
  return text;
}

/** An array of products, or an object that has one as `products`. */
async function rowsOfJson(text: string): Promise<SourceRow[]> {
  const read = await parseJson(text, { rows: "products" }).catch((error: unknown) => {
    if (error instanceof TooManyValues)
      throw badFile(`has an entry with more than ${valuesMax} values.`);
    throw badFile("is no JSON.");
  });
  const products = Array.isArray(read) ? read : (read as { products?: unknown } | null)?.products;
  if (!Array.isArray(products)) throw badFile("must be an array of products.");
  if (products.length === 0) throw badFile("has no products.");
  return rowsOfProducts(products);
}

/** Entries as they are: an entry that is no object is a problem of its row. */
export function rowsOfProducts(products: readonly unknown[]): SourceRow[] {
  return products.map((entry) => ({ line: null, entry: entry as Record<string, unknown> }));
}
