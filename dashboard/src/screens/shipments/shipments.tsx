import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Shipment } from "@waybill/sdk";
import { useState } from "react";
import { useEnvironment } from "../../environment.ts";
import { placeOf } from "../../kit/address.ts";
import { Button } from "../../kit/button.tsx";
import { Card } from "../../kit/card.tsx";
import { DataTable, type Column } from "../../kit/data-table.tsx";
import { Empty } from "../../kit/empty.tsx";
import { Failure } from "../../kit/failure.tsx";
import { LinkButton } from "../../kit/link-button.tsx";
import { Moment } from "../../kit/moment.tsx";
import { Money } from "../../kit/money.tsx";
import { Page } from "../../kit/page.tsx";
import { Skeleton } from "../../kit/skeleton.tsx";
import { Tabs } from "../../kit/tabs.tsx";
import { countsQuery } from "../../shell/queries.ts";
import { useSearchParts } from "../../url.ts";
import { useWords } from "../../words/locale.tsx";
import { BulkBar } from "./bulk-bar.tsx";
import { Filters } from "./filters.tsx";
import { shipmentsQuery, type ShipmentFilters } from "./queries.ts";
import { StatusBadge } from "./status-badge.tsx";
import { shipmentWords } from "./words.ts";

/** The tabs, in the order of a shipment's life. */
const tabs = [
  "draft",
  "purchase_pending",
  "purchased",
  "in_transit",
  "delivered",
  "exception",
  "returned",
  "voided",
] as const;
const curl = `curl -X POST …/shipments -H "Authorization: Bearer $TOKEN" -d '{"to_address": …, "packages": […]}'`;

/** Every shipment, by state, carrier, saved filter and search, and what is done to several at once. */
export default function Shipments() {
  const words = useWords(shipmentWords);
  const environment = useEnvironment();
  const navigate = useNavigate();
  const filters = useSearchParts() as ShipmentFilters;
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const list = useInfiniteQuery(shipmentsQuery(environment, filters));
  const counts = useQuery(countsQuery(environment)).data?.["shipments"];
  const rows = list.data?.pages.flatMap(({ data }) => data) ?? [];
  const change = (changes: ShipmentFilters) => {
    setSelected(new Set());
    void navigate({
      to: ".",
      search: (before: ShipmentFilters) => cleaned({ ...before, ...changes }),
      replace: true,
    });
  };
  const open = (shipment: Shipment) =>
    void navigate({ to: `/${environment}/shipments/${shipment.id}` as never });
  const isFiltered = Object.keys(filters).length > 0;
  const chosen = rows.filter(({ id }) => selected.has(id));
  const columns = useColumns();
  const countOf = (status: string) =>
    typeof counts === "object" && counts?.[status] ? counts[status] : null;
  return (
    <Page
      title={words.title}
      actions={
        <LinkButton to={`/${environment}/shipments/new`} variant="primary" icon="plus">
          {words.create}
        </LinkButton>
      }
    >
      <Tabs
        label={words.tabs}
        tabs={[
          { id: "all", label: words.all },
          ...tabs.map((id) => ({ id, label: words.statuses[id], count: countOf(id) })),
        ]}
        selected={filters.status ?? "all"}
        onSelect={(status) => change({ status: status === "all" ? undefined : status })}
      >
        <div className="flex flex-col gap-3">
          <Filters filters={filters} onChange={change} />
          <Card isFlush>
            {list.isPending ? (
              <Skeleton lines={10} />
            ) : list.error ? (
              <div className="p-4">
                <Failure error={list.error} onRetry={() => void list.refetch()} />
              </div>
            ) : rows.length === 0 ? (
              <Nothing
                isFiltered={isFiltered}
                onClear={() => void navigate({ to: ".", search: {} })}
              />
            ) : (
              <DataTable
                label={words.title}
                rows={rows}
                columns={columns}
                idOf={({ id }) => id}
                nameOf={nameOf}
                onOpen={open}
                selected={selected}
                onSelect={setSelected}
                onEnd={
                  list.hasNextPage && !list.isFetchingNextPage
                    ? () => void list.fetchNextPage()
                    : undefined
                }
                isLoadingMore={list.isFetchingNextPage}
              />
            )}
          </Card>
          {rows.length > 0 && (
            <p className="text-sm text-faint">{words.loaded(rows.length, list.hasNextPage)}</p>
          )}
        </div>
      </Tabs>
      {chosen.length > 0 && <BulkBar shipments={chosen} onDone={() => setSelected(new Set())} />}
    </Page>
  );
}

/** Leaves out what is not set, so that the URL says only what it has to. */
function cleaned(filters: ShipmentFilters): ShipmentFilters {
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value));
}

const nameOf = ({ to_address, ship_code }: Shipment) =>
  to_address.name ?? to_address.company ?? ship_code;

function useColumns(): Column<Shipment>[] {
  const { columns } = useWords(shipmentWords);
  return [
    {
      id: "recipient",
      header: columns.recipient,
      onCard: "title",
      cell: (shipment) => (
        <span className="flex min-w-0 flex-col leading-snug">
          <span className="truncate font-medium">{nameOf(shipment)}</span>
          <span className="truncate text-sm font-normal text-faint">
            {placeOf(shipment.to_address)}
          </span>
        </span>
      ),
    },
    {
      id: "status",
      header: columns.status,
      width: "12rem",
      cell: ({ status }) => <StatusBadge status={status} />,
    },
    {
      id: "service",
      header: columns.service,
      cell: ({ carrier, service_name }) =>
        carrier ? (
          <span className="flex min-w-0 flex-col leading-snug">
            <span className="truncate">{carrier.name}</span>
            <span className="truncate text-sm text-faint">{service_name}</span>
          </span>
        ) : (
          <span className="text-faint">–</span>
        ),
    },
    {
      id: "reference",
      header: columns.reference,
      width: "9rem",
      onCard: "hidden",
      cell: ({ reference }) => reference ?? <span className="text-faint">–</span>,
    },
    {
      id: "created",
      header: columns.created,
      width: "10rem",
      cell: ({ created_at }) => <Moment at={created_at} form="date" />,
    },
    {
      id: "cost",
      header: columns.cost,
      width: "8rem",
      align: "end",
      onCard: "aside",
      cell: ({ cost }) => <Money amount={cost?.total} currency={cost?.currency ?? "CAD"} />,
    },
  ];
}

function Nothing({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  const words = useWords(shipmentWords);
  const environment = useEnvironment();
  if (isFiltered)
    return (
      <Empty
        icon="search"
        title={words.nothingFound}
        action={<Button onPress={onClear}>{words.clearFilters}</Button>}
      >
        {words.nothingFoundText}
      </Empty>
    );
  return (
    <Empty
      icon="box"
      title={words.emptyTitle}
      action={
        <LinkButton to={`/${environment}/shipments/new`} variant="primary" icon="plus">
          {words.create}
        </LinkButton>
      }
    >
      <p>{words.emptyText}</p>
      <code className="mt-3 block overflow-x-auto rounded-md bg-hover px-3 py-2 text-left font-mono text-xs">
        {curl}
      </code>
    </Empty>
  );
}
