import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { Environment } from "../../environment.ts";
import { waybillOf } from "../../waybill.ts";

/** What parcels are looked for by: a state of tracking, or a delay on their way. */
export const trackingTabs = {
  exception: { status: "exception" },
  late: { delay: "late" },
  not_scanned: { delay: "not_scanned" },
  return_to_sender: { status: "return_to_sender" },
  attempted_delivery: { status: "attempted_delivery" },
  available_for_pickup: { status: "available_for_pickup" },
} as const;

export type TrackingTab = keyof typeof trackingTabs;

/** The parcels of one tab, the newest first. */
export function trackingQuery(environment: Environment, tab: TrackingTab) {
  return infiniteQueryOptions({
    queryKey: [environment, "tracking", tab],
    queryFn: ({ pageParam, signal }) =>
      waybillOf(environment)
        .tracking.list(
          { per_page: 50, ...trackingTabs[tab], ...(pageParam ? { cursor: pageParam } : {}) },
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
