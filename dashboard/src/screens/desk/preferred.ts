import type { OwnAccount } from "@waybill/sdk";
import type { Draft } from "./draft.ts";

type Preferences = OwnAccount["preferences"];

/** The draft with what the account prefers where nothing was chosen on the desk. */
export function withPreferences(draft: Draft, preferences: Preferences | undefined): Draft {
  const usual = preferences?.add_ons ?? [];
  return {
    ...draft,
    contents_type: draft.contents_type ?? preferences?.contents_type ?? "merchandise",
    incoterm: draft.incoterm ?? preferences?.incoterm ?? "DDU",
    add_ons: draft.add_ons ?? (usual.length > 0 ? usual : null),
    label_size: draft.label_size ?? preferences?.label_size ?? "4x6",
  };
}
