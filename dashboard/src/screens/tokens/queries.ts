import { queryOptions } from "@tanstack/react-query";
import type { Environment } from "../../environment.ts";
import { waybillOf } from "../../waybill.ts";

/** The account's tokens, the newest hundred. Their texts are never in here. */
export function tokensQuery(environment: Environment) {
  return queryOptions({
    queryKey: [environment, "tokens"],
    queryFn: async () => (await waybillOf(environment).tokens.list({ per_page: 100 }).page()).data,
  });
}
