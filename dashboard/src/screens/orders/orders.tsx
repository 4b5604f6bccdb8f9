import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Order } from "@waybill/sdk";
import { useEnvironment } from "../../environment.ts";
import { placeOf } from "../../kit/address.ts";
import { Button } from "../../kit/button.tsx";
import type { Column } from "../../kit/data-table.tsx";
import { Empty } from "../../kit/empty.tsx";
import { ListCard } from "../../kit/list-card.tsx";
import { Moment } from "../../kit/moment.tsx";
import { Money } from "../../kit/money.tsx";
import { Page } from "../../kit/page.tsx";
import { SearchField } from "../../kit/search-field.tsx";
import { Tabs } from "../../kit/tabs.tsx";
import { useTyped } from "../../kit/use-typed.ts";
import { useCounts } from "../../shell/queries.ts";
import { useFilters } from "../../url.ts";
import { useWords } from "../../words/locale.tsx";
import { OrderBadge } from "./order-badge.tsx";
import { leftOf, ordersQuery } from "./queries.ts";
import { orderWords } from "./words.ts";

const tabs = ["unfulfilled", "partially_fulfilled", "on_hold", "fulfilled", "cancelled"] as const;
const curl = `curl -X POST …/orders -H "Authorization: Bearer $TOKEN" -d '{"order_number": …, "to_address": …, "items": […]}'`;

/** Every order, by state and search. */
export default function Orders() {
  const words = useWords(orderWords);
  const environment = useEnvironment();
  const navigate = useNavigate();
  const { filters, change, clear, isFiltered } = useFilters();
  const list = useInfiniteQuery(ordersQuery(environment, filters));
  const countOf = useCounts("orders");
  const columns = useColumns();
  const search = useTyped(filters["q"] ?? "", (q) => change({ q }));
  return (
    <Page title={words.title}>
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
          <SearchField label={words.search} {...search} className="w-full sm:max-w-sm" />
          <ListCard
            list={list}
            label={words.title}
            columns={columns}
            idOf={({ id }) => id}
            nameOf={({ order_number }) => order_number}
            onOpen={({ id }) => void navigate({ to: `/${environment}/orders/${id}` as never })}
            empty={<Nothing isFiltered={isFiltered} onClear={clear} />}
            loaded={words.loaded}
          />
        </div>
      </Tabs>
    </Page>
  );
}

function Nothing({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  const words = useWords(orderWords);
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
    <Empty icon="list" title={words.emptyTitle}>
      <p>{words.emptyText}</p>
      <code className="mt-3 block overflow-x-auto rounded-md bg-hover px-3 py-2 text-left font-mono text-xs">
        {curl}
      </code>
    </Empty>
  );
}

function useColumns(): Column<Order>[] {
  const words = useWords(orderWords);
  const { columns } = words;
  const left = (order: Order) => order.items.reduce((sum, item) => sum + leftOf(item), 0);
  return [
    {
      id: "order",
      header: columns.order,
      width: "11rem",
      onCard: "title",
      cell: ({ order_number }) => <span className="truncate font-medium">{order_number}</span>,
    },
    {
      id: "customer",
      header: columns.customer,
      cell: ({ to_address }) => (
        <span className="flex min-w-0 flex-col leading-snug">
          <span className="truncate">{to_address.name ?? to_address.company}</span>
          <span className="truncate text-sm text-faint">{placeOf(to_address)}</span>
        </span>
      ),
    },
    {
      id: "status",
      header: columns.status,
      width: "12rem",
      cell: ({ status }) => <OrderBadge status={status} />,
    },
    {
      id: "left",
      header: columns.left,
      width: "9rem",
      cell: (order) =>
        left(order) > 0 ? words.pieces(left(order)) : <span className="text-faint">–</span>,
    },
    {
      id: "placed",
      header: columns.placed,
      width: "10rem",
      onCard: "hidden",
      cell: ({ placed_at }) => <Moment at={placed_at} form="date" />,
    },
    {
      id: "total",
      header: columns.total,
      width: "8rem",
      align: "end",
      onCard: "aside",
      cell: ({ totals }) => <Money amount={totals.total} currency={totals.currency} />,
    },
  ];
}
