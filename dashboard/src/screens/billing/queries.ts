import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { Query } from "@waybill/sdk";
import type { Environment } from "../../environment.ts";
import { problemOf } from "../../kit/problem.ts";
import { waybillOf } from "../../waybill.ts";

/** What the ledger is narrowed to; all of it is in the URL. */
export interface LedgerFilters {
  type?: string;
  q?: string;
  created_from?: string;
  created_to?: string;
}

/** The account's money now. */
export function balanceQuery(environment: Environment) {
  return queryOptions({
    queryKey: [environment, "balance"],
    queryFn: async ({ signal }) => (await waybillOf(environment).credits.balance({ signal })).data,
  });
}

/** The cards that may be charged. */
export function cardsQuery(environment: Environment) {
  return queryOptions({
    queryKey: [environment, "payment-methods"],
    queryFn: async ({ signal }) =>
      (await waybillOf(environment).credits.paymentMethods({ per_page: 100 }, { signal }).page())
        .data,
  });
}

/** The query of the ledger, as the API takes it. */
export function ledgerQueryOf(filters: LedgerFilters) {
  return { ...filters } as Query<"listTransactions">;
}

/** The ledger, page after page, the newest first. */
export function ledgerQuery(environment: Environment, filters: LedgerFilters) {
  return infiniteQueryOptions({
    queryKey: [environment, "transactions", filters],
    queryFn: ({ pageParam, signal }) => {
      const query = {
        ...ledgerQueryOf(filters),
        per_page: 50,
        ...(pageParam ? { cursor: pageParam } : {}),
      };
      return waybillOf(environment).credits.transactions(query, { signal }).page();
    },
    initialPageParam: "",
    getNextPageParam: ({ meta }) => meta.next_cursor ?? null,
  });
}

/** The statements, the newest hundred. */
export function statementsQuery(environment: Environment) {
  return queryOptions({
    queryKey: [environment, "statements"],
    queryFn: async ({ signal }) =>
      (await waybillOf(environment).statements.list({ per_page: 100 }, { signal }).page()).data,
  });
}

const poll_ms = 2000;

/** The link to a statement's file. While the file is being made it is asked for again every two seconds. */
export function statementFileQuery(environment: Environment, id: string, file: "pdf" | "csv") {
  return queryOptions({
    queryKey: [environment, "statement", id, file],
    queryFn: async ({ signal }) => {
      const { statements } = waybillOf(environment);
      const call =
        file === "pdf"
          ? statements.pdf(id, { signal })
          : statements.transactionsCsv(id, { signal });
      return (await call).data;
    },
    retry: (failures, error) => problemOf(error).code === "statement_not_ready" && failures < 150,
    retryDelay: poll_ms,
    // Links to files live for half an hour.
    refetchInterval: 20 * 60_000,
    gcTime: 0,
  });
}
