import { infiniteQueryOptions, queryOptions, useQueryClient } from "@tanstack/react-query";
import type { Batch, BatchItemState } from "@waybill/sdk";
import { useEffect, useRef } from "react";
import type { Environment } from "../../environment.ts";
import { waybillOf } from "../../waybill.ts";

/** The batches, the newest first; those that are being bought are looked at again every few seconds. */
export function batchesQuery(environment: Environment) {
  return infiniteQueryOptions({
    queryKey: [environment, "batches"],
    queryFn: ({ pageParam, signal }) =>
      waybillOf(environment)
        .batches.list(
          { per_page: 50, shipment_ids: "false", ...(pageParam ? { cursor: pageParam } : {}) },
          { signal },
        )
        .page(),
    initialPageParam: "",
    getNextPageParam: ({ meta }) => meta.next_cursor ?? null,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ data }) => data.some(isProcessing)) ? 4000 : false,
  });
}

/** One batch, looked at every second while it is being bought, and until its one file is there. */
export function batchQuery(environment: Environment, id: string) {
  return queryOptions({
    queryKey: [environment, "batch", id],
    queryFn: async ({ signal }) =>
      (await waybillOf(environment).batches.get(id, { shipment_ids: "false" }, { signal })).data,
    refetchInterval: ({ state: { data } }) => (data && !isSettled(data) ? 1000 : false),
  });
}

/** What became of each shipment of a batch, read every two seconds while it is being bought. */
export function batchItemsQuery(environment: Environment, batch: Batch, state: string) {
  return infiniteQueryOptions({
    queryKey: [environment, "batch", batch.id, "items", state],
    queryFn: ({ pageParam, signal }) =>
      waybillOf(environment)
        .batches.items(
          batch.id,
          {
            per_page: 100,
            ...(state === "all" ? {} : { state: state as BatchItemState }),
            ...(pageParam ? { cursor: pageParam } : {}),
          },
          { signal },
        )
        .page(),
    initialPageParam: "",
    getNextPageParam: ({ meta }) => meta.next_cursor ?? null,
    refetchInterval: isProcessing(batch) ? 2000 : false,
  });
}

/** Reads the items once more when the batch has ended: what the last of them came to is newer than their list. */
export function useLastItems(environment: Environment, { id, status }: Batch): void {
  const client = useQueryClient();
  const before = useRef(status);
  useEffect(() => {
    if (before.current !== status)
      void client.invalidateQueries({ queryKey: [environment, "batch", id, "items"] });
    before.current = status;
  }, [client, environment, id, status]);
}

/** What is on the account, for those who may see it. */
export function balanceQuery(environment: Environment, isAllowed: boolean) {
  return queryOptions({
    queryKey: [environment, "credits", "balance"],
    queryFn: async ({ signal }) => (await waybillOf(environment).credits.balance({ signal })).data,
    enabled: isAllowed,
    retry: false,
  });
}

function isProcessing({ status }: Batch): boolean {
  return status === "processing";
}

/** Nothing about it will change by itself. */
function isSettled(batch: Batch): boolean {
  if (isProcessing(batch)) return false;
  return batch.success_count === 0 || batch.combined_label_url !== null;
}
