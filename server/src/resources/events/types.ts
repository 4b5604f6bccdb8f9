import { invalid } from "../../domain/errors/errors.ts";
import {
  eventTypes,
  selects,
  typePatterns,
  type EventType,
} from "../../domain/events/catalogue.ts";

/**
 * The types that a list such as `shipment.*,order.created` selects; null for all of them. Throws 422 at `types` for what
 * selects nothing.
 */
export function readTypes(text: string | undefined): EventType[] | null {
  if (text === undefined) return null;
  const patterns = text.split(",").map((each) => each.trim());
  const unknown = patterns.filter((pattern) => !typePatterns.includes(pattern));
  if (unknown.length > 0)
    throw invalid({
      types: unknown.map(
        (pattern) =>
          `must be *, a family such as shipment.*, or types of GET /event-types; ${JSON.stringify(pattern)} is none.`,
      ),
    });
  if (patterns.includes("*")) return null;
  return (Object.keys(eventTypes) as EventType[]).filter((type) => selects(patterns, type));
}
