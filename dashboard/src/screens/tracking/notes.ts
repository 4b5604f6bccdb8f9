import type { Preferences, TrackingNote } from "../../preferences.ts";

/** Preferences have 64 KiB: so many notes of that length fit. */
const notesMax = 200;
export const noteLengthMax = 200;

/** The preferences with another note on a parcel; an empty one is taken out, and the oldest ones go. */
export function withNote(
  before: Preferences,
  trackerId: string,
  { note, handled_at }: TrackingNote,
): Preferences {
  const others = Object.entries(before.tracking ?? {}).filter(([id]) => id !== trackerId);
  const text = note?.trim().slice(0, noteLengthMax);
  const changed: TrackingNote = {
    ...(text ? { note: text } : {}),
    ...(handled_at ? { handled_at } : {}),
  };
  const isEmpty = Object.keys(changed).length === 0;
  // The order of an object's names is that in which they were written.
  const all = isEmpty ? others : [...others, [trackerId, changed] as const];
  return { ...before, tracking: Object.fromEntries(all.slice(-notesMax)) };
}
