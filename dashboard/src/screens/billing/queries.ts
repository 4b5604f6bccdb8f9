import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { Query } from "@waybill/sdk";
import type { Environment } from "../../environment.ts";
import { problemOf } from "../../kit/problem.ts";
import { endOfDay, startOfDay } from "../../kit/zone-days.ts";
import { waybillOf } from "../../waybill.ts";

const poll_ms = 2000;

/** What the ledger is narrowed to, as the URL has it: days are those of the account's zone. */
export interface LedgerFilters {
  type?: string;
  q?: string;
  from?: string;
  to?: string;
}

/** The filters among the parameters of a URL, which people type, too. */
export function readLedgerFilters(parts: Record<string, string | undefined>): LedgerFilters {
  const isDay = (text: string | undefined) => /^\d{4}-\d{2}-\d{2}$/.test(text ?? "");
  return {
    ...(parts["type"] ? { type: parts["type"] } : {}),
    ...(parts["q"] ? { q: parts["q"] } : {}),
    ...(isDay(parts["from"]) ? { from: parts["from"]! } : {}),
    ...(isDay(parts["to"]) ? { to: parts["to"]! } : {}),
  };
}

/** The account's money now; asked for again while a card is charged by itself. */
export function balanceQuery(environment: Environment) {
  return queryOptions({
    queryKey: [environment, "balance"],
    queryFn: async ({ signal }) => (await waybillOf(environment).credits.balance({ signal })).data,
    refetchInterval: ({ state }) =>
      state.data?.auto_recharge?.status === "charging" ? poll_ms : false,
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

/** The query of the ledger, as the API takes it: its days begin and end in the account's zone. */
export function ledgerQueryOf(
  { from, to, ...filters }: LedgerFilters,
  timeZone: string | undefined,
) {
  return {
    ...filters,
    ...(from ? { created_from: startOfDay(from, timeZone) } : {}),
    ...(to ? { created_to: endOfDay(to, timeZone) } : {}),
  } as Query<"listTransactions">;
}

/** The ledger, page after page, the newest first. */
export function ledgerQuery(
  environment: Environment,
  filters: LedgerFilters,
  timeZone: string | undefined,
) {
  return infiniteQueryOptions({
    queryKey: [environment, "transactions", filters, timeZone],
    queryFn: ({ pageParam, signal }) => {
      const query = {
        ...ledgerQueryOf(filters, timeZone),
        per_page: 50,
        ...(pageParam ? { cursor: pageParam } : {}),
      };
      return waybillOf(environment).credits.transactions(query, { signal }).page();
    },
    initialPageParam: "",
    getNextPageParam: ({ meta }) => meta.next_cursor ?? null,
  });
}

/** The statements, the newest hundred; asked for again while the files of one are being made. */
export function statementsQuery(environment: Environment) {
  return queryOptions({
    queryKey: [environment, "statements"],
    queryFn: async ({ signal }) =>
      (await waybillOf(environment).statements.list({ per_page: 100 }, { signal }).page()).data,
    refetchInterval: ({ state }) =>
      state.data?.some(({ status }) => status === "generating") ? poll_ms : false,
  });
}

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
