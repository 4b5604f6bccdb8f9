import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { PickupStatus } from "@waybill/sdk";
import type { Environment } from "../../environment.ts";
import { waybillOf } from "../../waybill.ts";

/** What waits for a pickup, by carrier and address, with the fee and the earliest day of each. */
export function waitingQuery(environment: Environment) {
  return queryOptions({
    queryKey: [environment, "pickups", "waiting"],
    queryFn: ({ signal }) => waybillOf(environment).pickups.waiting({ signal }),
    refetchInterval: 60_000,
  });
}

/** The pickups, the newest first; while a carrier's answer is being looked up they are read again. */
export function pickupsQuery(environment: Environment, status: string) {
  return infiniteQueryOptions({
    queryKey: [environment, "pickups", "list", status],
    queryFn: ({ pageParam, signal }) =>
      waybillOf(environment)
        .pickups.list(
          {
            per_page: 50,
            ...(status === "all" ? {} : { status }),
            ...(pageParam ? { cursor: pageParam } : {}),
          },
          { signal },
        )
        .page(),
    initialPageParam: "",
    getNextPageParam: ({ meta }) => meta.next_cursor ?? null,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ data }) => data.some(isOpen)) ? 3000 : false,
  });
}

function isOpen({ status }: { status: PickupStatus }): boolean {
  return status === "scheduled";
}
