import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Transaction } from "@waybill/sdk";
import { useContext } from "react";
import { useEnvironment } from "../../environment.ts";
import { Button } from "../../kit/button.tsx";
import { Card } from "../../kit/card.tsx";
import { DataTable, type Column } from "../../kit/data-table.tsx";
import { Empty } from "../../kit/empty.tsx";
import { Loaded } from "../../kit/loaded.tsx";
import { Moment, TimeZone } from "../../kit/moment.tsx";
import { Money } from "../../kit/money.tsx";
import { useSearchParts } from "../../url.ts";
import { useWords } from "../../words/locale.tsx";
import { LedgerFilterBar } from "./ledger-filters.tsx";
import { ledgerQuery, readLedgerFilters, type LedgerFilters } from "./queries.ts";
import { billingWords } from "./words.ts";

/** Every movement of the balance, narrowed by type, text and days. */
export function Ledger() {
  const words = useWords(billingWords);
  const environment = useEnvironment();
  const navigate = useNavigate();
  const filters = readLedgerFilters(useSearchParts());
  const timeZone = useContext(TimeZone);
  const list = useInfiniteQuery({
    ...ledgerQuery(environment, filters, timeZone),
    // Days are those of the account's zone, which is known a moment after the first screen.
    enabled: timeZone !== undefined || !(filters.from || filters.to),
  });
  const columns = useColumns();
  const change = (changes: LedgerFilters) => {
    const next = Object.fromEntries(
      Object.entries({ ...filters, ...changes }).filter(([, value]) => value),
    );
    void navigate({ to: ".", search: next, replace: true });
  };
  const open = ({ shipment_id }: Transaction) => {
    if (shipment_id) void navigate({ to: `/${environment}/shipments/${shipment_id}` as never });
  };
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <div className="flex flex-col gap-3">
      <LedgerFilterBar filters={filters} onChange={change} />
      <Card isFlush>
        <Loaded query={list} lines={10}>
          {({ pages }) => {
            const rows = pages.flatMap(({ data }) => data);
            if (rows.length === 0)
              return isFiltered ? (
                <Empty
                  icon="search"
                  title={words.nothing}
                  action={
                    <Button onPress={() => void navigate({ to: ".", search: {} })}>
                      {words.clear}
                    </Button>
                  }
                >
                  {words.nothingText}
                </Empty>
              ) : (
                <Empty icon="card" title={words.emptyTitle}>
                  {words.emptyText}
                </Empty>
              );
            return (
              <DataTable
                label={words.ledger}
                rows={rows}
                columns={columns}
                idOf={({ id }) => id}
                nameOf={({ description }) => description}
                onOpen={open}
                onEnd={
                  list.hasNextPage && !list.isFetchingNextPage
                    ? () => void list.fetchNextPage()
                    : undefined
                }
                isLoadingMore={list.isFetchingNextPage}
              />
            );
          }}
        </Loaded>
      </Card>
    </div>
  );
}

function useColumns(): Column<Transaction>[] {
  const { columns, types } = useWords(billingWords);
  const money = (name: "subtotal" | "tax" | "amount" | "balance_after") =>
    function cell(row: Transaction) {
      return <Money amount={row[name]} currency={row.currency} isBare />;
    };
  return [
    {
      id: "created",
      header: columns.created,
      width: "14rem",
      cell: ({ created_at }) => <Moment at={created_at} />,
    },
    { id: "type", header: columns.type, width: "9.5rem", cell: ({ type }) => types[type] },
    {
      id: "description",
      header: columns.description,
      onCard: "title",
      cell: ({ description }) => <span title={description}>{description}</span>,
    },
    {
      id: "subtotal",
      header: columns.subtotal,
      width: "6.5rem",
      align: "end",
      onCard: "hidden",
      cell: money("subtotal"),
    },
    {
      id: "tax",
      header: columns.tax,
      width: "5.5rem",
      align: "end",
      onCard: "hidden",
      cell: money("tax"),
    },
    {
      id: "amount",
      header: columns.amount,
      width: "7rem",
      align: "end",
      onCard: "aside",
      cell: money("amount"),
    },
    {
      id: "after",
      header: columns.after,
      width: "8rem",
      align: "end",
      onCard: "hidden",
      cell: money("balance_after"),
    },
  ];
}
