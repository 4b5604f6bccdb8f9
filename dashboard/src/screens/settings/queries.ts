import { infiniteQueryOptions, keepPreviousData } from "@tanstack/react-query";
import type { Environment } from "../../environment.ts";
import { waybillOf } from "../../waybill.ts";

/** The addresses of the book, the newest first. Under the key by which the desk reads them, too. */
export function addressesQuery(environment: Environment, q: string) {
  return infiniteQueryOptions({
    queryKey: [environment, "addresses", "book", q],
    queryFn: ({ pageParam, signal }) =>
      waybillOf(environment)
        .addresses.list(
          { per_page: 50, ...(q ? { q } : {}), ...(pageParam ? { cursor: pageParam } : {}) },
          { signal },
        )
        .page(),
    initialPageParam: "",
    getNextPageParam: ({ meta }) => meta.next_cursor ?? null,
    placeholderData: keepPreviousData,
  });
}

/** The presets of packages, the newest first. */
export function packagesQuery(environment: Environment) {
  return infiniteQueryOptions({
    queryKey: [environment, "package-presets", "book"],
    queryFn: ({ pageParam, signal }) =>
      waybillOf(environment)
        .packagePresets.list(
          { per_page: 50, ...(pageParam ? { cursor: pageParam } : {}) },
          { signal },
        )
        .page(),
    initialPageParam: "",
    getNextPageParam: ({ meta }) => meta.next_cursor ?? null,
  });
}
