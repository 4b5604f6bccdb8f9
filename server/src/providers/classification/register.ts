import { builtInClassifier, type LoadedTable } from "./built-in.ts";
import type { Classifier } from "./classifier.ts";
import { zonosClassifier, type ZonosOptions } from "./zonos.ts";

/** Who classifies whose goods. */
export interface ClassifierRegister {
  /** The sandbox's goods are classified by ourselves: a third party is paid by the question (decision 1). */
  forAccount(environment: "live" | "test"): Classifier;
}

export interface ClassifierOptions {
  live: "built_in" | "zonos";
  /** Null without a credential: then Zonos cannot be chosen. */
  zonos: ZonosOptions | null;
  table: LoadedTable;
}

export function createClassifiers({ live, zonos, table }: ClassifierOptions): ClassifierRegister {
  const ours = builtInClassifier(table);
  if (live === "zonos" && !zonos) throw new Error("Zonos is chosen without a credential token");
  const forLive = live === "zonos" && zonos ? zonosClassifier(zonos) : ours;
  return { forAccount: (environment) => (environment === "live" ? forLive : ours) };
}
