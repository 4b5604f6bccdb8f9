import { queryOptions } from "@tanstack/react-query";
import type { Environment } from "../environment.ts";
import { waybillOf } from "../waybill.ts";

/** The account: its zone, currency, default sender and preferences. */
export function accountQuery(environment: Environment) {
  return queryOptions({
    queryKey: [environment, "account"],
    queryFn: async ({ signal }) => (await waybillOf(environment).account.get({ signal })).data,
    staleTime: 60_000,
  });
}

/** How many things are in each status, of those that the person may see. */
export function countsQuery(environment: Environment) {
  return queryOptions({
    queryKey: [environment, "counts"],
    queryFn: async ({ signal }) =>
      (await waybillOf(environment).counts.get({ signal })).data as Counts,
    staleTime: 20_000,
  });
}

type Counts = Record<string, Record<string, number> | number | null>;
