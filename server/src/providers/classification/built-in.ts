import type { GoodsClassified } from "../../domain/hs/classify-goods.ts";
import type { HsEntry } from "../../domain/hs/nomenclature.ts";
import { descriptionChars } from "../../domain/hs/read-goods.ts";
import { newId } from "../../domain/values/ids.ts";
import { ClassifierError, type Classifier } from "./classifier.ts";
import type { Question, Search } from "./search.ts";

/** A nomenclature that the operator may have loaded instead of the shipped one. */
export interface LoadedTable {
  /** 0 when none was ever loaded; another number for each later one. */
  version(): Promise<number>;
  entries(): Promise<HsEntry[]>;
}

/**
 * The classifier without an outside party: a search of the nomenclature by its own wording and by merchants'
 * terms. It does not know which thread searches: it names the table, and passes it on where it is not known
 * yet.
 */
export function builtInClassifier(loaded: LoadedTable, search: Search): Classifier {
  async function find(question: Question): Promise<GoodsClassified | null> {
    try {
      return await search(question);
    } catch (error) {
      throw gaveUp(error);
    }
  }
  return {
    party: "built_in",
    async classify({ title, description }) {
      const texts = { title, description: description.slice(0, descriptionChars) };
      const question = { ...texts, version: await loaded.version() };
      const found =
        (await find({ ...question, entries: null })) ??
        (await find({ ...question, entries: await loaded.entries() }));
      if (!found) throw new Error("a search has its table and does not use it");
      return { ...found, provider: "built_in", classification_id: newId("cls") };
    },
  };
}

/** The same question would fail again: these texts exceed the time or memory limit. */
function gaveUp(error: unknown): unknown {
  if (!(error instanceof Error && error.name === "TaskAborted")) return error;
  const isBusy = "reason" in error && error.reason === "busy";
  return new ClassifierError(
    {
      party: "built_in",
      kind: "unknown",
      code: isBusy ? "busy" : "took_too_long",
      message: isBusy
        ? "Too many goods wait to be classified."
        : "These texts could not be classified in time.",
      is_retryable: isBusy,
    },
    error,
  );
}
