import { QueryCache, QueryClient } from "@tanstack/react-query";
import type { Environment } from "./environment.ts";
import { problemOf } from "./kit/problem.ts";
import { onChange } from "./waybill.ts";

/** Answers that a later try of a read may change. */
const passing = new Set([0, 408, 429, 502, 503, 504]);

/**
 * One cache and one policy for retries: reads are tried again while the server is away, as long as the screen
 * is open; refusals never are. What changes something is sent again only by the person, with its form's key.
 */
export function newQueryClient(): QueryClient {
  const client = new QueryClient({
    queryCache: new QueryCache({
      onError: (error) => {
        const { status, code } = problemOf(error);
        if (status === 401) leave();
        // The person's role was changed: what it opens is shown anew.
        if (code === "scope_missing") void client.invalidateQueries({ queryKey: ["session"] });
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        gcTime: 5 * 60_000,
        retry: (failures, error) => {
          const { status } = problemOf(error);
          return status === 503 ? failures < 60 : passing.has(status) && failures < 3;
        },
        retryDelay: (failures) => Math.min(500 * 2 ** failures, 8000) * (0.5 + Math.random() / 2),
        networkMode: "always",
        refetchOnWindowFocus: true,
      },
      mutations: { retry: false, networkMode: "always" },
    },
  });
  renewCounts(client);
  return client;
}

/** Of several changes one after the other, the counts are read after the last. */
const pause_ms = 400;

/** The counts of the menu follow each change, whichever screen made it. */
function renewCounts(client: QueryClient): void {
  const timers: Partial<Record<Environment, ReturnType<typeof setTimeout>>> = {};
  onChange((environment) => {
    clearTimeout(timers[environment]);
    timers[environment] = setTimeout(
      () => void client.invalidateQueries({ queryKey: [environment, "counts"] }),
      pause_ms,
    );
  });
}

/** The session has ended: after a new sign-in the same screen is shown. */
function leave(): void {
  const { pathname, search } = window.location;
  const page = pathname.startsWith("/app/operator") ? "operator/sign-in" : "sign-in";
  window.location.assign(`/app/${page}?next=${encodeURIComponent(pathname + search)}`);
}
