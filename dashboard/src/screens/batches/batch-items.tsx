import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Batch, BatchItem } from "@waybill/sdk";
import { lazy, Suspense, useState } from "react";
import { useEnvironment } from "../../environment.ts";
import { Badge, type Tone } from "../../kit/badge.tsx";
import { Button } from "../../kit/button.tsx";
import { Card } from "../../kit/card.tsx";
import { DataTable, type Column } from "../../kit/data-table.tsx";
import { Empty } from "../../kit/empty.tsx";
import { Failure } from "../../kit/failure.tsx";
import { Money } from "../../kit/money.tsx";
import { Skeleton } from "../../kit/skeleton.tsx";
import { Tabs } from "../../kit/tabs.tsx";
import { useMay } from "../../session.ts";
import { useSearchParts } from "../../url.ts";
import { useLocale, useWords } from "../../words/locale.tsx";
import { batchItemsQuery, useLastItems } from "./queries.ts";
import { useCurrency } from "./use-currency.ts";
import { whyFailed } from "./why-failed.ts";
import { batchWords } from "./words.ts";

const tones: Record<BatchItem["state"], Tone> = {
  waiting: "neutral",
  claimed: "info",
  pending: "warn",
  succeeded: "good",
  failed: "danger",
};

const FixShipment = lazy(() => import("./fix-shipment.tsx"));

/** The shipments of a batch with what became of them; what failed can be mended here. */
export function BatchItems({ batch }: { batch: Batch }) {
  const words = useWords(batchWords);
  const environment = useEnvironment();
  const navigate = useNavigate();
  const state = useSearchParts()["state"] ?? "all";
  const [fixing, setFixing] = useState<BatchItem | null>(null);
  const list = useInfiniteQuery(batchItemsQuery(environment, batch, state));
  useLastItems(environment, batch);
  const rows = list.data?.pages.flatMap(({ data }) => data) ?? [];
  const columns = useColumns(batch, setFixing);
  const show = (id: string) =>
    void navigate({
      to: ".",
      search: id === "all" ? {} : { state: id },
      replace: true,
    });
  return (
    <Tabs
      label={words.items}
      tabs={[
        { id: "all", label: words.allItems },
        { id: "failed", label: words.states.failed, count: batch.error_count || null },
        { id: "succeeded", label: words.states.succeeded, count: batch.success_count || null },
      ]}
      selected={state}
      onSelect={show}
    >
      <Card isFlush>
        {list.isPending ? (
          <Skeleton lines={8} />
        ) : list.error ? (
          <div className="p-4">
            <Failure error={list.error} onRetry={() => void list.refetch()} />
          </div>
        ) : rows.length === 0 ? (
          <Empty icon="layers" title={words.noItems}>
            {batch.status === "open" && words.notStarted}
          </Empty>
        ) : (
          <DataTable
            label={words.items}
            rows={rows}
            columns={columns}
            idOf={({ shipment_id }) => shipment_id}
            nameOf={nameOf}
            onOpen={({ shipment_id }) =>
              void navigate({ to: `/${environment}/shipments/${shipment_id}` as never })
            }
            onEnd={
              list.hasNextPage && !list.isFetchingNextPage
                ? () => void list.fetchNextPage()
                : undefined
            }
            isLoadingMore={list.isFetchingNextPage}
          />
        )}
      </Card>
      <Suspense fallback={null}>
        {fixing && (
          <FixShipment batch_id={batch.id} item={fixing} onClose={() => setFixing(null)} />
        )}
      </Suspense>
    </Tabs>
  );
}

const nameOf = ({ reference, shipment_id }: BatchItem) => reference ?? shipment_id;

function useColumns(batch: Batch, onFix: (item: BatchItem) => void): Column<BatchItem>[] {
  const words = useWords(batchWords);
  const { locale } = useLocale();
  const currency = useCurrency();
  const may = useMay();
  const canFix = batch.status === "completed_with_errors" && may(["shipments:write"]);
  return [
    {
      id: "reference",
      header: words.itemColumns.reference,
      width: "16rem",
      onCard: "title",
      cell: (item) => <span className="truncate font-medium">{nameOf(item)}</span>,
    },
    {
      id: "state",
      header: words.itemColumns.state,
      width: "12rem",
      cell: ({ state }) => <Badge tone={tones[state]}>{words.states[state]}</Badge>,
    },
    {
      id: "reason",
      header: words.itemColumns.reason,
      cell: (item) =>
        item.error ? (
          <span className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2 md:flex-nowrap">
            <span
              className="min-w-0 max-md:whitespace-normal md:truncate"
              title={whyFailed(item.error)}
              {...(locale === "en" ? {} : { lang: "en" })}
            >
              {whyFailed(item.error)}
            </span>
            {canFix && item.state === "failed" && (
              <Button size="sm" icon="pencil" onPress={() => onFix(item)}>
                {words.fix}
              </Button>
            )}
          </span>
        ) : (
          <span className="text-faint max-md:hidden">–</span>
        ),
    },
    {
      id: "cost",
      header: words.itemColumns.cost,
      width: "8rem",
      align: "end",
      onCard: "aside",
      cell: ({ cost }) => <Money amount={cost} currency={currency} />,
    },
  ];
}
