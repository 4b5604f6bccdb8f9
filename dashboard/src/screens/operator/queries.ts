import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { authCall, callJson } from "../../auth.ts";
import { problemOf } from "../../kit/problem.ts";

/** What the operator's pages read. `/api/admin` is the operator's own API, which the SDK does not know. */

type AdminCall = NonNullable<Parameters<typeof callJson>[2]>;

/** Calls `/api/admin` with the operator's cookie. */
export function adminCall<T extends object>(method: string, path: string, call?: AdminCall) {
  return callJson<T>(method, `/api/admin${path}`, call);
}

interface Data<T> {
  data: T;
}

interface List<T> {
  data: T[];
  meta: { next_cursor?: string | null };
}

export interface Operator {
  id: string;
  email: string;
  name: string;
}

/** The operator who signed in; null without a session. */
export const operatorQuery = queryOptions({
  queryKey: ["operator"],
  staleTime: 60_000,
  queryFn: async ({ signal }): Promise<Operator | null> => {
    try {
      return (await authCall<{ operator: Operator }>("GET", "/operator/me", { signal })).operator;
    } catch (error) {
      if (problemOf(error).status === 401) return null;
      throw error;
    }
  },
});

export interface FoundAccount {
  id: string;
  organization_id: string;
  organization_name: string;
  environment: "live" | "test";
  currency: string;
  balance: number;
  suspended_at: string | null;
  created_at: string;
}

interface AccountFilters {
  q?: string | undefined;
  suspended?: string | undefined;
}

/** The accounts of all organizations, the newest first. */
export function accountsQuery(filters: AccountFilters) {
  return infiniteQueryOptions({
    queryKey: ["operator", "accounts", filters],
    queryFn: ({ pageParam, signal }) => {
      const set = Object.entries({ ...filters, cursor: pageParam }).filter(([, value]) => value);
      const query = new URLSearchParams({ per_page: "50", ...Object.fromEntries(set) });
      return adminCall<List<FoundAccount>>("GET", `/accounts?${String(query)}`, { signal });
    },
    initialPageParam: "",
    getNextPageParam: ({ meta }) => meta.next_cursor ?? null,
  });
}

export type Tier = "retail" | "standard" | "enterprise";

interface Margin {
  percent: number;
  fixed: number;
}

export interface Settings {
  tier: Tier;
  show_tier_rates_api: boolean;
  margins: Record<Tier, Margin>;
  token_ceiling: string[] | null;
  refund_hold_days: number | null;
}

export interface Account {
  id: string;
  organization_id: string;
  organization_name: string;
  environment: "live" | "test";
  currency: string;
  time_zone: string;
  suspended_at: string | null;
  settings: Settings;
  balance: number;
  available: number;
  created_at: string;
}

/** One account, with its settings and its balance. */
export function accountQuery(id: string) {
  return queryOptions({
    queryKey: ["operator", "account", id],
    queryFn: async ({ signal }) =>
      (await adminCall<Data<Account>>("GET", `/accounts/${id}`, { signal })).data,
  });
}

interface Volume {
  from: string;
  to: string;
  currency: string;
  shipments: number;
  total: number;
}

/** What the account shipped in thirty days. */
export function volumeQuery(id: string) {
  return queryOptions({
    queryKey: ["operator", "account", id, "volume"],
    queryFn: async ({ signal }) =>
      (await adminCall<Data<Volume>>("GET", `/accounts/${id}/volume`, { signal })).data,
  });
}

interface AuditLine {
  id: string;
  actor: string;
  action: string;
  created_at: string;
}

/** The last hundred changes of an account. */
export function auditQuery(id: string) {
  return queryOptions({
    queryKey: ["operator", "account", id, "audit"],
    queryFn: async ({ signal }) =>
      (await adminCall<Data<AuditLine[]>>("GET", `/accounts/${id}/audit-log`, { signal })).data,
  });
}

/** What a decision does to the account's money. */
export interface Effect {
  balance: number;
  held: number;
}

export interface Review {
  id: string;
  kind: string;
  account_id: string;
  shipment_id: string | null;
  carrier: string;
  reference: string;
  held: number | null;
  currency: string;
  sent_at: string;
  status: "open" | "stands" | "void";
  last_failure: { kind: string; code: string; message: string } | null;
  effects: { stands: Effect; void: Effect } | null;
  advice: string | null;
  /** A schema of what `stands` states in addition, by field. */
  evidence: Record<string, unknown> | null;
  decision: { by: string; note: string | null; decided_at: string } | null;
}

/** The effects whose outcome only a person can find out, the oldest first. */
export const reviewsQuery = infiniteQueryOptions({
  queryKey: ["operator", "reviews"],
  queryFn: ({ pageParam, signal }) => {
    const query = pageParam ? `&cursor=${encodeURIComponent(pageParam)}` : "";
    return adminCall<List<Review>>("GET", `/reviews?per_page=50${query}`, { signal });
  },
  initialPageParam: "",
  getNextPageParam: ({ meta }) => meta.next_cursor ?? null,
});

/** One of them, open or decided. */
export function reviewQuery(id: string) {
  return queryOptions({
    queryKey: ["operator", "review", id],
    queryFn: async ({ signal }) =>
      (await adminCall<Data<Review>>("GET", `/reviews/${id}`, { signal })).data,
  });
}

interface Health {
  open_attempts: { kind: string; party: string; status: string; count: number }[];
  reviews: { open: number };
}

/** How many outcomes are open, and how many of them Waybill still finds out by itself. */
export const healthQuery = queryOptions({
  queryKey: ["operator", "health"],
  queryFn: async ({ signal }) => (await adminCall<Data<Health>>("GET", "/health", { signal })).data,
  staleTime: 10_000,
  refetchInterval: 15_000,
});
