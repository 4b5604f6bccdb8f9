import { useQuery } from "@tanstack/react-query";
import type { Filter } from "@waybill/sdk";
import { lazy, Suspense, useState } from "react";
import { useEnvironment } from "../../environment.ts";
import { Button } from "../../kit/button.tsx";
import { buttonStyle } from "../../kit/button-style.ts";
import { Card } from "../../kit/card.tsx";
import { DataTable, type Column } from "../../kit/data-table.tsx";
import { Empty } from "../../kit/empty.tsx";
import { Icon } from "../../kit/icon.tsx";
import { Loaded } from "../../kit/loaded.tsx";
import { MenuButton } from "../../kit/menu-button.tsx";
import { Moment } from "../../kit/moment.tsx";
import { Page } from "../../kit/page.tsx";
import { useMay } from "../../session.ts";
import { useWaybill } from "../../waybill.ts";
import { useWords } from "../../words/locale.tsx";
import { filterWords } from "./words.ts";

const loadItems = () => import("./filter-items.tsx");
const FilterItems = lazy(loadItems);
const DeleteFilter = lazy(() => import("./delete-filter.tsx"));
const FilterEditor = lazy(() => import("./filter-editor.tsx"));

type Open = { what: "new" } | { what: "edit" | "delete"; filter: Filter };

/** The saved filters. */
export default function Filters() {
  const words = useWords(filterWords);
  const environment = useEnvironment();
  const waybill = useWaybill();
  const may = useMay();
  const [open, setOpen] = useState<Open | null>(null);
  const list = useQuery({
    queryKey: [environment, "filters", "all"],
    queryFn: async ({ signal }) =>
      (await waybill.filters.list({ per_page: 100 }, { signal }).page()).data,
  });
  const mayWrite = may(["automation:write"]);
  const columns = useColumns(mayWrite, setOpen);
  const create = mayWrite && (
    <Button variant="primary" icon="plus" onPress={() => setOpen({ what: "new" })}>
      {words.create}
    </Button>
  );
  const close = () => setOpen(null);
  return (
    <Page title={words.title} description={words.description} actions={create}>
      <Card isFlush>
        <Loaded query={list}>
          {(rows) =>
            rows.length === 0 ? (
              <Empty icon="filter" title={words.emptyTitle} action={create}>
                {words.emptyText}
              </Empty>
            ) : (
              <DataTable
                label={words.title}
                rows={rows}
                columns={columns}
                idOf={({ id }) => id}
                nameOf={({ name }) => name}
                {...(mayWrite
                  ? { onOpen: (filter: Filter) => setOpen({ what: "edit", filter }) }
                  : {})}
              />
            )
          }
        </Loaded>
      </Card>
      <Suspense fallback={null}>
        {open?.what === "new" && <FilterEditor filter={null} onClose={close} />}
        {open?.what === "edit" && <FilterEditor filter={open.filter} onClose={close} />}
        {open?.what === "delete" && <DeleteFilter filter={open.filter} onClose={close} />}
      </Suspense>
    </Page>
  );
}

function useColumns(mayWrite: boolean, onOpen: (open: Open) => void): Column<Filter>[] {
  const words = useWords(filterWords);
  const { columns, targets } = words;
  return [
    {
      id: "name",
      header: columns.name,
      onCard: "title",
      cell: ({ name }) => <span className="font-medium">{name}</span>,
    },
    { id: "target", header: columns.target, width: "12rem", cell: ({ target }) => targets[target] },
    {
      id: "conditions",
      header: columns.conditions,
      width: "8rem",
      align: "end",
      onCard: "hidden",
      cell: ({ criteria }) => criteria.conditions.length,
    },
    {
      id: "used",
      header: columns.used,
      width: "9rem",
      align: "end",
      onCard: "hidden",
      cell: ({ used_by_rules }) => used_by_rules,
    },
    {
      id: "updated",
      header: columns.updated,
      width: "10rem",
      cell: ({ updated_at }) => <Moment at={updated_at} form="relative" />,
    },
    {
      id: "actions",
      header: columns.actions,
      width: "6rem",
      align: "end",
      onCard: "aside",
      cell: (filter) =>
        mayWrite && (
          <MenuButton
            aria-label={words.more(filter.name)}
            className={buttonStyle({ variant: "quiet", size: "icon" })}
            preload={loadItems}
            renderItems={(menu) => (
              <FilterItems
                {...menu}
                name={filter.name}
                onChoose={(what) => onOpen({ what, filter })}
              />
            )}
          >
            <Icon name="more" />
          </MenuButton>
        ),
    },
  ];
}
