import { readdirSync, readFileSync } from "node:fs";
import { readTable, type HsEntry } from "../../domain/hs/nomenclature.ts";
import { readTradeVocabulary, type TradeVocabulary } from "../../domain/hs/trade-vocabulary.ts";

/** The product's own data on goods, as files: read at the first use, not at the start. */

const folder = new URL("../../../data/hs/", import.meta.url);

/** Waybill's own table of the nomenclature, in its own short wording (`scripts/derive-hs-table.ts`). */
export function readShippedTable(): HsEntry[] {
  return readTable(readFileSync(new URL("codes.tsv", folder), "utf8"));
}

/** Merchants' terms for goods, in the order of the files' names. */
export function readShippedTradeVocabulary(): TradeVocabulary {
  const names = readdirSync(folder).filter((name) => name.startsWith("trade-words-"));
  return readTradeVocabulary(
    names
      .sort()
      .map((name) => readFileSync(new URL(name, folder), "utf8"))
      .join("\n"),
  );
}
