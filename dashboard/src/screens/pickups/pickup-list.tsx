import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Pickup } from "@waybill/sdk";
import { useState } from "react";
import { useEnvironment } from "../../environment.ts";
import { addressLine, placeOf } from "../../kit/address.ts";
import { Badge, type Tone } from "../../kit/badge.tsx";
import { Button } from "../../kit/button.tsx";
import { Card } from "../../kit/card.tsx";
import { carrierName } from "../../kit/carrier-name.ts";
import { DataTable, type Column } from "../../kit/data-table.tsx";
import { Empty } from "../../kit/empty.tsx";
import { Failure } from "../../kit/failure.tsx";
import { Day } from "../../kit/moment.tsx";
import { Money } from "../../kit/money.tsx";
import { Skeleton } from "../../kit/skeleton.tsx";
import { Tabs } from "../../kit/tabs.tsx";
import { useSearchParts } from "../../url.ts";
import { useWords } from "../../words/locale.tsx";
import { CancelPickup } from "./cancel-pickup.tsx";
import { pickupsQuery } from "./queries.ts";
import { pickupWords } from "./words.ts";

/** The pickups that were asked for, and what became of each. */
export function PickupList({ mayCancel }: { mayCancel: boolean }) {
  const words = useWords(pickupWords);
  const environment = useEnvironment();
  const navigate = useNavigate();
  const { status = "all" } = useSearchParts();
  const shown = status in words.tabs ? status : "all";
  const list = useInfiniteQuery(pickupsQuery(environment, shown));
  const rows = list.data?.pages.flatMap(({ data }) => data) ?? [];
  const [cancelling, setCancelling] = useState<Pickup | null>(null);
  const columns = useColumns(mayCancel ? setCancelling : undefined);
  const select = (id: string) =>
    // The chosen shipments stay those of this entry of the history.
    void navigate({ search: (id === "all" ? {} : { status: id }) as never, state: true });
  return (
    <Card title={words.list} isFlush>
      <div className="px-4">
        <Tabs
          label={words.list}
          tabs={Object.entries(words.tabs).map(([id, label]) => ({ id, label }))}
          selected={shown}
          onSelect={select}
        >
          {null}
        </Tabs>
      </div>
      {list.isPending ? (
        <Skeleton />
      ) : list.error ? (
        <div className="p-4">
          <Failure error={list.error} onRetry={() => void list.refetch()} />
        </div>
      ) : rows.length === 0 ? (
        <Empty icon="truck" title={words.emptyTitle}>
          {shown === "all" ? words.emptyText : words.emptyTab}
        </Empty>
      ) : (
        <DataTable
          label={words.list}
          rows={rows}
          columns={columns}
          idOf={({ id }) => id}
          nameOf={({ date }) => date}
          onEnd={
            list.hasNextPage && !list.isFetchingNextPage
              ? () => void list.fetchNextPage()
              : undefined
          }
          isLoadingMore={list.isFetchingNextPage}
        />
      )}
      {cancelling && <CancelPickup pickup={cancelling} onClose={() => setCancelling(null)} />}
    </Card>
  );
}

const tones: Record<Pickup["status"], Tone> = {
  scheduled: "info",
  confirmed: "accent",
  picked_up: "good",
  failed: "danger",
  cancelled: "neutral",
};

function useColumns(onCancel: ((pickup: Pickup) => void) | undefined): Column<Pickup>[] {
  const words = useWords(pickupWords);
  const { columns } = words;
  return [
    {
      id: "day",
      header: columns.day,
      width: "9rem",
      onCard: "title",
      cell: ({ date, ready_time, close_time }) => (
        <span className="flex flex-col leading-snug">
          <Day on={date} />
          <span className="tabular text-sm text-faint">
            {words.between(ready_time, close_time)}
          </span>
        </span>
      ),
    },
    {
      id: "status",
      header: columns.status,
      width: "11rem",
      cell: ({ status }) => <Badge tone={tones[status]}>{words.statuses[status]}</Badge>,
    },
    { id: "carriers", header: columns.carriers, cell: (pickup) => <Carriers pickup={pickup} /> },
    {
      id: "address",
      header: columns.address,
      onCard: "hidden",
      cell: ({ address }) => (
        <span className="flex flex-col leading-snug" title={addressLine(address)}>
          <span className="truncate">{address.address1}</span>
          <span className="truncate text-sm text-faint">{placeOf(address)}</span>
        </span>
      ),
    },
    {
      id: "parcels",
      header: columns.parcels,
      width: "11rem",
      cell: ({ package_count, total_weight }) => words.load(package_count, total_weight.value),
    },
    {
      id: "cost",
      header: columns.cost,
      width: "7rem",
      align: "end",
      cell: ({ cost }) => <Money amount={cost.total} currency={cost.currency} />,
    },
    ...(onCancel
      ? [
          {
            id: "actions",
            header: columns.actions,
            width: "6rem",
            align: "end" as const,
            onCard: "aside" as const,
            cell: (pickup: Pickup) =>
              pickup.status === "confirmed" && (
                <Button
                  variant="quiet"
                  size="icon"
                  icon="ban"
                  aria-label={words.cancelOf(pickup.date)}
                  onPress={() => onCancel(pickup)}
                />
              ),
          },
        ]
      : []),
  ];
}

/** Each carrier, by its number for the driver, or why it does not come. */
function Carriers({ pickup }: { pickup: Pickup }) {
  const words = useWords(pickupWords);
  return (
    <span className="flex flex-col leading-snug">
      {pickup.carriers.map(({ carrier, confirmation_number, error }) => (
        <span key={carrier} className="truncate">
          {carrierName(carrier)}
          {confirmation_number && (
            <span className="block text-sm text-faint">
              {words.number} {confirmation_number}
            </span>
          )}
          {error && (
            <span lang="en" className="block truncate text-sm text-danger" title={error.message}>
              {error.message}
            </span>
          )}
        </span>
      ))}
    </span>
  );
}
