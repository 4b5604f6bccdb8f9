import type { Shipment } from "@waybill/sdk";
import { useState } from "react";
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

/** The chosen shipments of a list with these filters, whether they are among its loaded rows or not. */
export function useChosen(filters: ShipmentFilters, rows: readonly Shipment[]) {
  const of = JSON.stringify([useEnvironment(), filters]);
  const none: Choice = { of, ids: new Set(), read: [] };
  const [choice, setChoice] = useState(none);
  const { ids, read } = choice.of === of ? choice : none;
  // A loaded row is read again after each change, and takes the place of what was read once.
  const known = new Map<string, Chosen>([...read, ...rows].map((each) => [each.id, each]));
  return {
    ids,
    shipments: [...known.values()].filter(({ id }) => ids.has(id)),
    choose: (next: ReadonlySet<string>) => setChoice({ of, ids: next, read }),
    chooseAll: (all: readonly Chosen[]) =>
      setChoice({ of, ids: new Set(all.map(({ id }) => id)), read: all }),
    unchoose: () => setChoice(none),
  };
}
