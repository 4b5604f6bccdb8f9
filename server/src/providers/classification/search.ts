import {
  classifyGoods,
  type GoodsClassified,
  type Knowledge,
} from "../../domain/hs/classify-goods.ts";
import { buildNomenclature, type HsEntry } from "../../domain/hs/nomenclature.ts";
import { readShippedTable, readShippedTradeVocabulary } from "./shipped.ts";

/** A query of the search, and its table: 0 is the shipped one. */
export interface Question {
  title: string;
  description: string;
  version: number;
  /** The table, for a search that does not have it. */
  entries: readonly HsEntry[] | null;
}

/** Null for a table that it was not given yet. */
export type Search = (
  question: Question,
) => GoodsClassified | null | Promise<GoodsClassified | null>;

/**
 * A search that builds its index at the first question, in a fraction of a second, and anew for another
 * table. It keeps one index: for use in a thread.
 */
export function startSearch(): (question: Question) => GoodsClassified | null {
  let current: { version: number; knowledge: Knowledge } | null = null;
  return ({ title, description, version, entries }) => {
    if (current?.version !== version) {
      const table = version === 0 ? readShippedTable() : entries;
      if (!table) return null;
      const knowledge = {
        nomenclature: buildNomenclature([...table]),
        trade: readShippedTradeVocabulary(),
      };
      current = { version, knowledge };
    }
    return classifyGoods({ title, description }, current.knowledge);
  };
}
