import { fromCents, type Cents } from "../values/money.ts";
import { ranks, type Entry } from "./entry.ts";
import { amountOf, counted } from "./description.ts";

/** What the processing of a batch came to, summarised: a batch has up to 10,000 shipments. */

interface DescribedBatch {
  id: string;
  request_id: string | null;
  process_started_at: Date | null;
  processed_at: Date | null;
}

/** Its items of one state, and of those that failed of one error code. */
export interface ItemGroup {
  status: "waiting" | "claimed" | "pending" | "succeeded" | "failed";
  code: string | null;
  count: number;
  total_cents: Cents;
}

/** While it is processed at the moment at which that began, and then at which it ended. */
export function describeBatch(
  { id, request_id, process_started_at, processed_at }: DescribedBatch,
  groups: readonly ItemGroup[],
  currency: string,
): Entry[] {
  const at = processed_at ?? process_started_at;
  if (!at) return [];
  const common = {
    at,
    rank: ranks.ended,
    kind: "attempt" as const,
    request_id,
    cause: { type: "batch" as const, id },
  };
  const all = groups.reduce((sum, { count }) => sum + count, 0);
  const bought = groups.find(({ status }) => status === "succeeded");
  const count = bought?.count ?? 0;
  const total_cents = bought?.total_cents ?? 0;
  const so_far = processed_at ? "" : " so far";
  const labels = `Bought ${count} of ${counted(all, "label")}${so_far}`;
  return [
    {
      ...common,
      id: `${id}.labels`,
      title: `${labels}, for ${amountOf(total_cents, currency)}`,
      details: {
        shipment_count: all,
        success_count: count,
        total: fromCents(total_cents),
        currency,
      },
      links: { shipments: `/shipments?batch_id=${id}` },
    },
    ...groups
      .filter(({ status }) => status === "failed")
      .map(({ code, count: failed }) => ({
        ...common,
        id: `${id}.failed.${code ?? "unknown"}`,
        title: `${counted(failed, "shipment")} got no label: ${code ?? "unknown"}`,
        details: { error_code: code, error_count: failed },
        links: { errors: `/batches/${id}/errors` },
      })),
  ];
}
