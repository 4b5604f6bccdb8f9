import { problemOf } from "../../kit/problem.ts";
import type { Chosen } from "./chosen.ts";

/**
 * Calls with the ids of the shipments, and once more without those that another unfinished batch has. Throws what
 * the call throws for another reason, and when none of them is left.
 */
export async function withoutUsed<Answer>(
  shipments: readonly Chosen[],
  call: (ids: string[]) => Promise<Answer>,
): Promise<{ answer: Answer; used: readonly Chosen[] }> {
  const ids = shipments.map(({ id }) => id);
  try {
    return { answer: await call(ids), used: [] };
  } catch (error) {
    const { code, details } = problemOf(error);
    if (code !== "shipment_in_use") throw error;
    const isUsed = new Set(details["shipment_ids"] as string[]);
    const free = ids.filter((id) => !isUsed.has(id));
    if (free.length === 0) throw error;
    return { answer: await call(free), used: shipments.filter(({ id }) => isUsed.has(id)) };
  }
}
