import { queryOptions, useQuery } from "@tanstack/react-query";
import { useEnvironment, type Environment } from "../environment.ts";
import { waybillOf } from "../waybill.ts";

/** The account: its zone, currency, default sender and preferences. */
export function accountQuery(environment: Environment) {
  return queryOptions({
    queryKey: [environment, "account"],
    queryFn: async ({ signal }) => (await waybillOf(environment).account.get({ signal })).data,
    staleTime: 60_000,
  });
}

/** What passes by itself, such as a batch that is being bought, is counted again so often. */
const passing_ms = 4000;

/** How many things are in each status, of those that the person may see. */
export function countsQuery(environment: Environment) {
  return queryOptions({
    queryKey: [environment, "counts"],
    queryFn: async ({ signal }) =>
      (await waybillOf(environment).counts.get({ signal })).data as Counts,
    staleTime: 20_000,
    refetchInterval: ({ state }) => (countOf(state.data, isPassing) > 0 ? passing_ms : false),
  });
}

type Counts = Record<string, Record<string, number> | number | null>;

/** Things of a kind, in any of the statuses. */
export interface Counted {
  of: "shipments" | "orders" | "products" | "batches";
  statuses: readonly string[];
}

const isPassing: Counted = { of: "batches", statuses: ["processing"] };

/** The products that wait for a decision: one number in the menu, on the overview and in the queue. */
export const productsToApprove: Counted = {
  of: "products",
  statuses: ["pending_approval", "classified", "manufacturer_verified"],
};

/** How many there are, as far as it is known and the person may see it. */
export function countOf(counts: Counts | undefined, { of, statuses }: Counted): number {
  const known = counts?.[of];
  if (typeof known !== "object" || !known) return 0;
  return statuses.reduce((sum, status) => sum + (known[status] ?? 0), 0);
}

/** The number of things of a kind in a status, as it is known; null for none. */
export function useCounts(kind: string): (status: string) => number | null {
  const counts = useQuery(countsQuery(useEnvironment())).data?.[kind];
  return (status) => (typeof counts === "object" && counts?.[status] ? counts[status] : null);
}
