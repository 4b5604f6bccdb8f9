import { queryOptions } from "@tanstack/react-query";
import type { Environment } from "../../environment.ts";
import { waybillOf } from "../../waybill.ts";

/** Labels and spend of the last 30 days, by day or carrier, with the sums that equal the ledger's. */
export function reportQuery(environment: Environment, group_by: "day" | "carrier") {
  return queryOptions({
    queryKey: [environment, "report", group_by],
    queryFn: ({ signal }) => waybillOf(environment).reports.shipping({ group_by }, { signal }),
    staleTime: 60_000,
  });
}
