import { queryOptions } from "@tanstack/react-query";
import type { Environment } from "./environment.ts";
import { waybillOf } from "./waybill.ts";

/** What a shipment costs with each service: the one answer for its own screen and for a file's total. */
export function ratesQuery(environment: Environment, id: string) {
  return queryOptions({
    queryKey: [environment, "shipment", id, "rates"],
    queryFn: ({ signal }) =>
      waybillOf(environment).rates.forShipment(id, undefined, { signal, maxRetries: 0 }),
    staleTime: 5 * 60_000,
    retry: 1,
    refetchOnWindowFocus: false,
  });
}
