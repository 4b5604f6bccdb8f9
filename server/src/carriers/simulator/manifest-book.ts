import { randomUUID } from "node:crypto";
import type { Entry, Journal } from "./journal.ts";

/**
 * One carrier's manifests: the labels that were handed over together. Memory has what decides, the journal what
 * was committed.
 */
export interface ManifestBook {
  /** The id of the manifest that a label is on; null for one that is on none. */
  of(labelId: string): string | null;
  get(manifestId: string): Readonly<KnownManifest> | null;
  /** In the order in which they were made. */
  all(): Iterable<Readonly<KnownManifest>>;
  /** By the reference that it was asked for with. */
  find(reference: string): Readonly<KnownManifest> | null;
  /**
   * Puts these labels on a manifest; the caller has checked that they are on none. A carrier that takes no
   * reference has its own.
   */
  make(
    labelIds: readonly string[],
    asked: { account: ManifestFacts["account"]; reference?: string },
  ): Promise<KnownManifest>;
  replay(entry: Entry): void;
}

interface ManifestFacts {
  manifest_id: string;
  label_ids: readonly string[];
  account: { account_id: string; environment: string };
}

export interface KnownManifest {
  manifest_id: string;
  reference: string;
  label_ids: readonly string[];
  made_at: string;
}

export function manifestBook(carrier: string, journal: Journal): ManifestBook {
  const byId = new Map<string, KnownManifest>();
  const byReference = new Map<string, KnownManifest>();
  const byLabel = new Map<string, string>();

  function replay(entry: Entry): void {
    if (entry.operation !== "manifest") return;
    const { manifest_id, label_ids, at: made_at } = entry as Entry & ManifestFacts;
    const known = { manifest_id, reference: entry.reference, label_ids, made_at };
    byId.set(manifest_id, known);
    byReference.set(known.reference, known);
    for (const label_id of label_ids) byLabel.set(label_id, manifest_id);
  }

  return {
    of: (labelId) => byLabel.get(labelId) ?? null,
    get: (manifestId) => byId.get(manifestId) ?? null,
    all: () => byId.values(),
    find: (reference) => byReference.get(reference) ?? null,
    async make(label_ids, { account, reference }) {
      const manifest_id = randomUUID();
      const entry = await journal.append<ManifestFacts>({
        carrier,
        operation: "manifest",
        reference: reference ?? manifest_id,
        tracking_code: null,
        manifest_id,
        label_ids,
        account,
      });
      replay(entry);
      return byId.get(manifest_id)!;
    },
    replay,
  };
}
