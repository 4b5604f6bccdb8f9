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
  /** Puts these labels on a manifest; the caller has checked that they are on none. */
  make(labelIds: readonly string[], account: ManifestFacts["account"]): Promise<KnownManifest>;
  replay(entry: Entry): void;
}

interface ManifestFacts {
  manifest_id: string;
  label_ids: readonly string[];
  account: { account_id: string; environment: string };
}

export interface KnownManifest {
  manifest_id: string;
  label_ids: readonly string[];
  made_at: string;
}

export function manifestBook(carrier: string, journal: Journal): ManifestBook {
  const byId = new Map<string, KnownManifest>();
  const byLabel = new Map<string, string>();

  function replay(entry: Entry): void {
    if (entry.operation !== "manifest") return;
    const { manifest_id, label_ids, at: made_at } = entry as Entry & ManifestFacts;
    byId.set(manifest_id, { manifest_id, label_ids, made_at });
    for (const label_id of label_ids) byLabel.set(label_id, manifest_id);
  }

  return {
    of: (labelId) => byLabel.get(labelId) ?? null,
    get: (manifestId) => byId.get(manifestId) ?? null,
    all: () => byId.values(),
    async make(label_ids, account) {
      const manifest_id = randomUUID();
      const entry = await journal.append<ManifestFacts>({
        carrier,
        operation: "manifest",
        reference: manifest_id,
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
