import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Shipment } from "@waybill/sdk";
import { lazy, Suspense } from "react";
import { useEnvironment } from "../../environment.ts";
import { placeOf } from "../../kit/address.ts";
import { Button } from "../../kit/button.tsx";
import type { Column } from "../../kit/data-table.tsx";
import { Empty } from "../../kit/empty.tsx";
import { LinkButton } from "../../kit/link-button.tsx";
import { ListCard, rowsOf } from "../../kit/list-card.tsx";
import { Moment } from "../../kit/moment.tsx";
import { Money } from "../../kit/money.tsx";
import { Page } from "../../kit/page.tsx";
import { Tabs } from "../../kit/tabs.tsx";
import { useCounts } from "../../shell/queries.ts";
import { useFilters } from "../../url.ts";
import { useWords } from "../../words/locale.tsx";
import { nameOf } from "./chosen.ts";
import { Filters } from "./filters.tsx";
import { shipmentsQuery } from "./queries.ts";
import { StatusBadge } from "./status-badge.tsx";
import { useChosen } from "./use-chosen.ts";
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

const BulkBar = lazy(() => import("./bulk-bar.tsx"));

/** Every shipment, by state, carrier, saved filter and search, and what is done to several at once. */
export default function Shipments() {
  const words = useWords(shipmentWords);
  const environment = useEnvironment();
  const navigate = useNavigate();
  const { filters, change, clear, isFiltered } = useFilters();
  const list = useInfiniteQuery(shipmentsQuery(environment, filters));
  const countOf = useCounts("shipments");
  const columns = useColumns();
  const chosen = useChosen(filters, rowsOf(list));
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
        selected={filters["status"] ?? "all"}
        onSelect={(status) => change({ status: status === "all" ? "" : status })}
      >
        <div className="flex flex-col gap-3">
          <Filters filters={filters} onChange={change} />
          <ListCard
            list={list}
            label={words.title}
            columns={columns}
            idOf={({ id }) => id}
            nameOf={nameOf}
            onOpen={({ id }) => void navigate({ to: `/${environment}/shipments/${id}` as never })}
            selected={chosen.ids}
            onSelect={chosen.choose}
            empty={<Nothing isFiltered={isFiltered} onClear={clear} />}
            loaded={words.loaded}
          />
        </div>
      </Tabs>
      <Suspense fallback={null}>
        {chosen.shipments.length > 0 && (
          <BulkBar
            shipments={chosen.shipments}
            filters={filters}
            hasMore={list.hasNextPage}
            onChooseAll={chosen.chooseAll}
            onDone={chosen.unchoose}
          />
        )}
      </Suspense>
    </Page>
  );
}

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
          <span className="text-faint max-md:hidden">–</span>
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
      width: "9rem",
      cell: ({ created_at }) => <Moment at={created_at} form="date" />,
    },
    {
      id: "cost",
      header: columns.cost,
      // A thousand dollars and more, with the currency's code.
      width: "10rem",
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
