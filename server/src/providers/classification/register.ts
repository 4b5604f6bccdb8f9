import { builtInClassifier, type LoadedTable } from "./built-in.ts";
import type { Classifier } from "./classifier.ts";
import type { Search } from "./search.ts";
import { zonosClassifier, type ZonosOptions } from "./zonos.ts";

/** Which classifier an account's goods go to. */
export interface ClassifierRegister {
  /** The sandbox uses the built-in one: a third party is paid by the question (decision 1). */
  forAccount(account: { account_id: string; environment: "live" | "test" }): Classifier;
}

interface ClassifierOptions {
  live: "built_in" | "zonos";
  /** Null without a credential: then Zonos cannot be chosen. */
  zonos: ZonosOptions | null;
  table: LoadedTable;
  /** The thread pool's search for the built-in one; accounts take turns. */
  searchFor(account_id: string): Search;
}

export function createClassifiers({
  live,
  zonos,
  table,
  searchFor,
}: ClassifierOptions): ClassifierRegister {
  if (live === "zonos" && !zonos) throw new Error("Zonos is chosen without a credential token");
  const chosen = live === "zonos" && zonos ? zonosClassifier(zonos) : null;
  return {
    forAccount: ({ account_id, environment }) =>
      (environment === "live" && chosen) || builtInClassifier(table, searchFor(account_id)),
  };
}
