import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { Environment } from "../../environment.ts";
import { waybillOf } from "../../waybill.ts";

/** Parcels in one state of tracking, the newest first. */
export function trackingQuery(environment: Environment, status: string) {
  return infiniteQueryOptions({
    queryKey: [environment, "tracking", status],
    queryFn: ({ pageParam, signal }) =>
      waybillOf(environment)
        .tracking.list(
          { per_page: 50, status, ...(pageParam ? { cursor: pageParam } : {}) },
          { signal },
        )
        .page(),
    initialPageParam: "",
    getNextPageParam: ({ meta }) => meta.next_cursor ?? null,
    refetchInterval: 60_000,
  });
}

/** The carrier's own page for a shipment: of live accounts only, as the sandbox's codes mean nothing there. */
export function carrierPageQuery(environment: Environment, shipmentId: string, mayRead: boolean) {
  return queryOptions({
    queryKey: [environment, "tracking", "carrier-page", shipmentId],
    queryFn: async ({ signal }) =>
      (await waybillOf(environment).shipments.get(shipmentId, { signal })).data.tracking_url,
    enabled: environment === "live" && mayRead,
    retry: false,
  });
}
