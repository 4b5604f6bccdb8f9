import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Rule } from "@waybill/sdk";
import type { Environment } from "../../environment.ts";
import { placeOf, type ShownAddress } from "../../kit/address.ts";
import { waybillOf } from "../../waybill.ts";
import { bodyOf, subjectOf, type RuleDraft, type Trigger } from "./draft.ts";

/** Every rule in the order in which the API lets them act: by priority, of equals the older first. */
export function rulesQuery(environment: Environment) {
  return queryOptions({
    queryKey: [environment, "rules"],
    queryFn: async (): Promise<Rule[]> => {
      const rules = await waybillOf(environment).rules.list({ per_page: 100 }).toArray();
      return rules.sort(
        (one, other) =>
          one.priority - other.priority ||
          one.created_at.localeCompare(other.created_at) ||
          one.id.localeCompare(other.id),
      );
    },
  });
}

/** One rule. It is not read again while it is edited: what others save is compared when this is saved. */
export function ruleQuery(environment: Environment, id: string) {
  return queryOptions({
    queryKey: [environment, "rule", id],
    queryFn: async ({ signal }) => (await waybillOf(environment).rules.get(id, { signal })).data,
    staleTime: Infinity,
    gcTime: 0,
  });
}

/** What a rule did, the newest first. */
export function runsQuery(environment: Environment, id: string) {
  return infiniteQueryOptions({
    queryKey: [environment, "rule", id, "runs"],
    queryFn: ({ pageParam, signal }) =>
      waybillOf(environment)
        .rules.runs(id, { per_page: 10, ...(pageParam ? { cursor: pageParam } : {}) }, { signal })
        .page(),
    initialPageParam: "",
    getNextPageParam: ({ meta }) => meta.next_cursor ?? null,
  });
}

/** The saved filters that a rule of the trigger can take. */
export function ruleFiltersQuery(environment: Environment, trigger: Trigger) {
  return queryOptions({
    queryKey: [environment, "filters", "of-rules"],
    queryFn: () => waybillOf(environment).filters.list({ per_page: 100 }).toArray({ max: 500 }),
    select: (filters) =>
      filters.filter(({ target }) => target === "both" || target === subjectOf(trigger)),
  });
}

/** An order or a shipment that a rule is tried on. */
export interface Subject {
  id: string;
  kind: "orders" | "shipments";
  name: string;
  place: string;
  created_at: string;
}

const subjectsMax = 8;

/** The latest orders or shipments. */
export function subjectsQuery(environment: Environment, kind: Subject["kind"]) {
  return queryOptions({
    queryKey: [environment, "rule-subjects", kind],
    queryFn: async ({ signal }): Promise<Subject[]> => {
      const { orders, shipments } = waybillOf(environment);
      const nameOf = (address: ShownAddress) => String(address.name ?? address.company ?? "");
      if (kind === "orders") {
        const { data } = await orders.list({ per_page: subjectsMax }, { signal }).page();
        return data.map(({ id, order_number, to_address, created_at }) => ({
          id,
          kind,
          created_at,
          place: placeOf(to_address),
          name: [order_number, nameOf(to_address)].filter(Boolean).join(" · "),
        }));
      }
      const { data } = await shipments.list({ per_page: subjectsMax }, { signal }).page();
      return data.map(({ id, reference, to_address, created_at }) => ({
        id,
        kind,
        created_at,
        place: placeOf(to_address),
        name: [reference, nameOf(to_address)].filter(Boolean).join(" · ") || id,
      }));
    },
  });
}

/** What a rule as it is edited would do to one order or shipment. A refusal is an answer: it is not complete. */
export function dryRunQuery(environment: Environment, draft: RuleDraft, { id, kind }: Subject) {
  // Its name and place change nothing, and a rule has none at first.
  const rule = { ...bodyOf(draft), name: "-", priority: 100 };
  const of = kind === "orders" ? { order_id: id } : { shipment_id: id };
  return queryOptions({
    queryKey: [environment, "dry-run", rule, id],
    queryFn: async ({ signal }) =>
      (await waybillOf(environment).rules.testNew({ rule, ...of }, { signal })).data,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    gcTime: 30_000,
    retry: false,
  });
}
