import { useQuery } from "@tanstack/react-query";
import { useEnvironment } from "../../environment.ts";
import { accountQuery } from "../../shell/queries.ts";

/** The account's currency, in which its batches are paid. */
export function useCurrency(): string {
  return useQuery(accountQuery(useEnvironment())).data?.currency ?? "CAD";
}
