import { useWords } from "../../words/locale.tsx";
import type { Parcels } from "./narrowed.ts";
import { pickupWords } from "./words.ts";

/** How much a carrier would fetch, and which part that is of what waits at the address. */
export function Load({ parcels }: { parcels: Parcels }) {
  const words = useWords(pickupWords);
  const { shipment_ids, shipment_count, package_count, total_weight, isPart } = parcels;
  const named = shipment_ids.length;
  if (isPart) return words.chosenOf(named, shipment_count);
  return (
    <>
      {words.load(package_count, total_weight.value)}
      {named < shipment_count && ` · ${words.partOf(named, shipment_count)}`}
    </>
  );
}
