import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Transaction } from "@waybill/sdk";
import { useEffect, useState } from "react";
import { useEnvironment } from "../../environment.ts";
import { Button } from "../../kit/button.tsx";
import { Card } from "../../kit/card.tsx";
import { DataTable, type Column } from "../../kit/data-table.tsx";
import { Empty } from "../../kit/empty.tsx";
import { Loaded } from "../../kit/loaded.tsx";
import { Moment } from "../../kit/moment.tsx";
import { Money } from "../../kit/money.tsx";
import { SearchField } from "../../kit/search-field.tsx";
import { Select } from "../../kit/select.tsx";
import { TextField } from "../../kit/text-field.tsx";
import { toast } from "../../shell/toasts.tsx";
import { useWaybill } from "../../waybill.ts";
import { useSearchParts } from "../../url.ts";
import { useWords } from "../../words/locale.tsx";
import { csvOf, saveFile } from "./csv.ts";
import { ledgerQuery, ledgerQueryOf, type LedgerFilters } from "./queries.ts";
import { billingWords } from "./words.ts";

/** Every movement of the balance, narrowed by type, text and days. */
export function Ledger() {
  const words = useWords(billingWords);
  const environment = useEnvironment();
  const navigate = useNavigate();
  const filters = useSearchParts() as LedgerFilters;
  const list = useInfiniteQuery(ledgerQuery(environment, filters));
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
      <Filters filters={filters} onChange={change} />
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

function Filters({
  filters,
  onChange,
}: {
  filters: LedgerFilters;
  onChange: (changes: LedgerFilters) => void;
}) {
  const words = useWords(billingWords);
  const [text, setText] = useState(filters.q ?? "");
  useEffect(() => {
    if (text.trim() === (filters.q ?? "")) return;
    const timer = setTimeout(() => onChange({ q: text.trim() }), 300);
    return () => clearTimeout(timer);
  });
  const day = (name: "created_from" | "created_to", label: string) => (
    <TextField
      label={label}
      isLabelHidden
      type="date"
      className="w-40"
      value={filters[name]?.slice(0, 10) ?? ""}
      onChange={(value) =>
        onChange({
          [name]: value && `${value}T${name === "created_from" ? "00:00:00" : "23:59:59.999"}Z`,
        })
      }
    />
  );
  return (
    <div className="flex flex-wrap items-center gap-2">
      <SearchField
        label={words.search}
        value={text}
        onChange={setText}
        className="min-w-56 grow sm:max-w-sm"
      />
      <Select
        label={words.type}
        isLabelHidden
        className="w-40"
        choices={[
          { id: "any", label: words.anyType },
          ...Object.entries(words.types).map(([id, label]) => ({ id, label })),
        ]}
        value={filters.type ?? "any"}
        onChange={(id) => onChange({ type: id === "any" ? "" : id })}
      />
      {day("created_from", words.from)}
      {day("created_to", words.to)}
      <Download filters={filters} />
    </div>
  );
}

const rowsMax = 10_000;

function Download({ filters }: { filters: LedgerFilters }) {
  const words = useWords(billingWords);
  const waybill = useWaybill();
  const [isPending, setPending] = useState(false);
  const download = async () => {
    setPending(true);
    try {
      const query = { ...ledgerQueryOf(filters), per_page: 100 };
      const rows = await waybill.credits.transactions(query).toArray({ max: rowsMax });
      saveFile("ledger.csv", csvOf(rows));
      if (rows.length === rowsMax) toast(words.cut(rowsMax), "danger");
    } catch (error) {
      toast(error instanceof Error ? error.message : String(error), "danger");
    } finally {
      setPending(false);
    }
  };
  return (
    <Button
      icon="download"
      isPending={isPending}
      onPress={() => void download()}
      className="ml-auto"
    >
      {isPending ? words.downloading : words.download}
    </Button>
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
      width: "12rem",
      cell: ({ created_at }) => <Moment at={created_at} />,
    },
    { id: "type", header: columns.type, width: "8rem", cell: ({ type }) => types[type] },
    {
      id: "description",
      header: columns.description,
      onCard: "title",
      cell: ({ description }) => <span title={description}>{description}</span>,
    },
    {
      id: "subtotal",
      header: columns.subtotal,
      width: "7rem",
      align: "end",
      onCard: "hidden",
      cell: money("subtotal"),
    },
    {
      id: "tax",
      header: columns.tax,
      width: "6rem",
      align: "end",
      onCard: "hidden",
      cell: money("tax"),
    },
    {
      id: "amount",
      header: columns.amount,
      width: "8rem",
      align: "end",
      onCard: "aside",
      cell: money("amount"),
    },
    {
      id: "after",
      header: columns.after,
      width: "9rem",
      align: "end",
      onCard: "hidden",
      cell: money("balance_after"),
    },
  ];
}
