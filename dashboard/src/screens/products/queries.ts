import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { Product } from "@waybill/sdk";
import type { Environment } from "../../environment.ts";
import { waybillOf } from "../../waybill.ts";

/** Products in any of the states, or all of them for none, page after page. */
export function productsQuery(environment: Environment, statuses: readonly Product["status"][]) {
  return infiniteQueryOptions({
    queryKey: [environment, "products", statuses],
    queryFn: ({ pageParam, signal }) => {
      const query = {
        per_page: 50,
        ...(statuses.length > 0 ? { status: statuses } : {}),
        ...(pageParam ? { cursor: pageParam } : {}),
      };
      return waybillOf(environment).products.list(query, { signal }).page();
    },
    initialPageParam: "",
    getNextPageParam: ({ meta }) => meta.next_cursor ?? null,
  });
}

/** An import; asked for every second while it runs. */
export function importQuery(environment: Environment, id: string) {
  return queryOptions({
    queryKey: [environment, "import", id],
    queryFn: async ({ signal }) => (await waybillOf(environment).imports.get(id, { signal })).data,
    refetchInterval: ({ state }) =>
      state.data && state.data.status !== "processing" ? false : 1000,
  });
}

/** The rows of an import that failed, of its first thousand. */
export function failedRowsQuery(environment: Environment, id: string) {
  return queryOptions({
    queryKey: [environment, "import", id, "rows"],
    queryFn: async () => {
      const rows = await waybillOf(environment)
        .imports.rows(id, { per_page: 100 })
        .toArray({ max: 1000 });
      return rows.filter(({ status }) => status === "error");
    },
  });
}
