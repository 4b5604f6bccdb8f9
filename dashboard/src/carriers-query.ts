import { queryOptions } from "@tanstack/react-query";
import type { Environment } from "./environment.ts";
import { waybillOf } from "./waybill.ts";

/** The carriers with their services, as the account is offered them. */
export function carriersQuery(environment: Environment) {
  return queryOptions({
    queryKey: [environment, "carriers"],
    queryFn: async ({ signal }) => (await waybillOf(environment).carriers.list({ signal })).data,
    staleTime: 5 * 60_000,
  });
}
