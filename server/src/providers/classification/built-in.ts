import { setImmediate } from "node:timers/promises";
import { classifyGoods, type Knowledge } from "../../domain/hs/classify-goods.ts";
import { buildNomenclature, type HsEntry } from "../../domain/hs/nomenclature.ts";
import { newId } from "../../domain/ids.ts";
import type { Classifier } from "./classifier.ts";
import { readShippedTable, readShippedTradeWords } from "./shipped.ts";

/** A nomenclature that the operator may have loaded instead of the shipped one. */
export interface LoadedTable {
  /** 0 when none was ever loaded; another number for each that was. */
  version(): Promise<number>;
  entries(): Promise<HsEntry[]>;
}

/**
 * The classifier that needs nobody outside: a search of the nomenclature by its own wording and by what merchants
 * call their goods. Its index is made at the first question, in a fraction of a second, and anew when the operator
 * has loaded another table.
 */
export function builtInClassifier(loaded: LoadedTable): Classifier {
  let current: { version: number; knowledge: Promise<Knowledge> } | null = null;

  async function knowledge(): Promise<Knowledge> {
    const version = await loaded.version();
    if (current?.version === version) return current.knowledge;
    const making = learn(version === 0 ? null : loaded);
    current = { version, knowledge: making };
    // A database that was away must not be remembered as what we know.
    making.catch(() => {
      if (current?.knowledge === making) current = null;
    });
    return making;
  }

  return {
    party: "built_in",
    async classify({ title, description }) {
      const found = classifyGoods({ title, description }, await knowledge());
      return { ...found, provider: "built_in", classification_id: newId("cls") };
    },
  };
}

async function learn(loaded: LoadedTable | null): Promise<Knowledge> {
  const entries = loaded ? await loaded.entries() : readShippedTable();
  const nomenclature = buildNomenclature(entries);
  // Whoever waits for the process is let in between the two.
  await setImmediate();
  return { nomenclature, trade: readShippedTradeWords() };
}
