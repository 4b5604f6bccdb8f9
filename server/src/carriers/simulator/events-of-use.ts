import type { LabelState } from "./label-facts.ts";
import type { WireTracking, WireTrackingEvent } from "./wire.ts";

/** A carrier's own code and text of an event. */
type EventText = Pick<WireTrackingEvent, "code" | "text">;

/**
 * The tracking of a label, with what shows its use where its void was accepted and then rejected (`sim:used_label`): a
 * carrier's own events from the void on, a second apart. None of them is a scan on the way. A parcel that is scanned
 * after its void shows its use by that.
 */
export function withUse(
  tracking: WireTracking,
  { voided, scans_after_void }: Pick<LabelState, "voided" | "scans_after_void">,
  texts: readonly EventText[],
): WireTracking {
  const announced = tracking.events.at(-1);
  if (!announced || !voided || voided.effective || scans_after_void) return tracking;
  const shown = texts.map((text, index) => ({
    ...announced,
    ...text,
    local_time: localTimeAt(Date.parse(voided.at) + index * 1_000, announced),
  }));
  const events = [...tracking.events, ...shown].sort(newestFirst);
  return { ...tracking, events };
}

function localTimeAt(moment: number, { utc_offset }: WireTrackingEvent): string {
  const [hours = 0, minutes = 0] = utc_offset.slice(1).split(":").map(Number);
  const ahead = (hours * 60 + minutes) * (utc_offset.startsWith("-") ? -60_000 : 60_000);
  return new Date(moment + ahead).toISOString().slice(0, 19);
}

/** What happened in one second stays in the order in which it is listed. */
function newestFirst(one: WireTrackingEvent, other: WireTrackingEvent): number {
  const at = ({ local_time, utc_offset }: WireTrackingEvent) => Date.parse(local_time + utc_offset);
  return at(other) - at(one);
}
