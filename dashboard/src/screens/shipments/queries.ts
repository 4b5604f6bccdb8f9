import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { Query, Shipment } from "@waybill/sdk";
import type { Environment } from "../../environment.ts";
import { waybillOf } from "../../waybill.ts";
import { chosenFields, type Chosen } from "./chosen.ts";

export type ShipmentFilters = Pick<NonNullable<Query<"listShipments">>, "q" | "filter_id"> & {
  status?: string;
  carrier?: string;
  type?: string;
};

/** The list, page after page, the newest first. */
export function shipmentsQuery(environment: Environment, filters: ShipmentFilters) {
  return infiniteQueryOptions({
    queryKey: [environment, "shipments", filters],
    queryFn: ({ pageParam, signal }) => {
      const query = {
        ...filters,
        per_page: 50,
        ...(pageParam ? { cursor: pageParam } : {}),
      } as Query<"listShipments">;
      return waybillOf(environment).shipments.list(query, { signal }).page();
    },
    initialPageParam: "",
    getNextPageParam: ({ meta }) => meta.next_cursor ?? null,
  });
}

/** So many shipments can be chosen at once: what one batch holds. */
export const chosen_max = 10_000;

/** How many shipments match; of more than can be chosen, that there are more. */
export function matchCountQuery(environment: Environment, filters: ShipmentFilters) {
  return queryOptions({
    queryKey: [environment, "shipments", filters, "count"],
    queryFn: async ({ signal }) => {
      const query = { ...filters, page: 1, per_page: 1, fields: "id" } as Query<"listShipments">;
      const { meta } = await waybillOf(environment).shipments.list(query, { signal }).page();
      return { total: meta.total ?? 0, isMore: meta.total_capped ?? false };
    },
  });
}

/** All shipments that match, page after page, the newest first: of each only what can be done to it depends on. */
export function readMatching(
  environment: Environment,
  filters: ShipmentFilters,
  signal: AbortSignal,
): AsyncIterable<{ data: Chosen[] }> {
  const query = { ...filters, per_page: 100, fields: chosenFields } as Query<"listShipments">;
  return waybillOf(environment).shipments.list(query, { signal }).pages();
}

/** The latest batches that nobody has bought yet. */
export function openBatchesQuery(environment: Environment) {
  return queryOptions({
    queryKey: [environment, "batches", "open"],
    queryFn: async () => {
      const query = { per_page: 100, shipment_ids: "false" } as const;
      const { data } = await waybillOf(environment).batches.list(query).page();
      return data.filter(({ status }) => status === "open");
    },
    retry: false,
  });
}

/** States that pass by themselves within seconds. */
const passing = new Set(["purchasing", "purchase_pending", "void_pending"]);

/** One shipment; asked for again every few seconds while its state passes by itself. */
export function shipmentQuery(environment: Environment, id: string) {
  return queryOptions({
    queryKey: [environment, "shipment", id],
    queryFn: async ({ signal }): Promise<Shipment> =>
      (await waybillOf(environment).shipments.get(id, { signal })).data,
    refetchInterval: ({ state }) => (state.data && passing.has(state.data.status) ? 2000 : false),
  });
}

/** The scans of a shipment with a tracking code. */
export function trackingQuery(environment: Environment, id: string, hasCode: boolean) {
  return queryOptions({
    queryKey: [environment, "shipment", id, "tracking"],
    queryFn: async ({ signal }) =>
      (await waybillOf(environment).shipments.tracking(id, { signal })).data,
    enabled: hasCode,
    retry: false,
  });
}

/** What happened to a shipment and why, the oldest first. */
export function timelineQuery(environment: Environment, id: string) {
  return infiniteQueryOptions({
    queryKey: [environment, "shipment", id, "timeline"],
    queryFn: ({ pageParam, signal }) =>
      waybillOf(environment).shipments.timeline(
        id,
        { limit: 50, ...(pageParam ? { after: pageParam } : {}) },
        { signal },
      ),
    initialPageParam: "",
    getNextPageParam: ({ meta }) => meta.next_cursor,
  });
}

/** The saved filters over shipments. */
export function filtersQuery(environment: Environment) {
  return queryOptions({
    queryKey: [environment, "filters", "shipments"],
    queryFn: async () => {
      const { data } = await waybillOf(environment).filters.list({ per_page: 100 }).page();
      return data.filter((filter) => filter.target !== "orders");
    },
    staleTime: 60_000,
    retry: false,
  });
}
