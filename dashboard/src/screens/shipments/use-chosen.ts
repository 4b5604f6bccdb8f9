import type { Shipment } from "@waybill/sdk";
import { useEffect, useState } from "react";
import { useEnvironment } from "../../environment.ts";
import type { Chosen } from "./chosen.ts";
import type { ShipmentFilters } from "./queries.ts";

interface Choice {
  /** The list of which they were chosen: with other filters nothing is. */
  of: string;
  ids: ReadonlySet<string>;
  /** What was read of shipments beyond the page, when all that match were chosen. */
  read: readonly Chosen[];
}

/**
 * The latest choice in this tab. It outlives the screen, so that the others are still chosen when one of them was
 * opened and left again. It is not stored: a choice that a person has forgotten is no base for voids.
 */
let latest: Choice | null = null;

/** The chosen shipments of a list with these filters, whether they are among its loaded rows or not. */
export function useChosen(filters: ShipmentFilters, rows: readonly Shipment[]) {
  const of = JSON.stringify([useEnvironment(), filters]);
  const none: Choice = { of, ids: new Set(), read: [] };
  const [choice, setChoice] = useState<Choice>(latest ?? none);
  const isOther = choice.of !== of;
  const { ids, read } = isOther ? none : choice;
  const keep = (next: Choice | null) => {
    latest = next;
    setChoice(next ?? none);
  };
  useEffect(() => {
    if (isOther) keep(null);
  });
  // A loaded row is read again after each change, and takes the place of what was read once.
  const known = new Map<string, Chosen>([...read, ...rows].map((each) => [each.id, each]));
  return {
    ids,
    shipments: [...known.values()].filter(({ id }) => ids.has(id)),
    choose: (next: ReadonlySet<string>) => keep({ of, ids: next, read }),
    chooseAll: (all: readonly Chosen[]) =>
      keep({ of, ids: new Set(all.map(({ id }) => id)), read: all }),
    unchoose: () => keep(null),
  };
}
