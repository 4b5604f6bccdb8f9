import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Badge } from "../../kit/badge.tsx";
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
import { useFilters } from "../../url.ts";
import { useWords } from "../../words/locale.tsx";
import { accountsQuery, type FoundAccount } from "./queries.ts";
import { operatorWords } from "./words.ts";

/** The accounts of all organizations, found by anything of theirs. */
export default function Accounts() {
  const words = useWords(operatorWords);
  const navigate = useNavigate();
  const { filters, change, clear } = useFilters();
  const list = useInfiniteQuery(accountsQuery(filters));
  const columns = useColumns();
  const search = useTyped(filters["q"] ?? "", (q) => change({ q }));
  return (
    <Page title={words.accounts} description={words.accountsText}>
      <Tabs
        label={words.state}
        tabs={[
          { id: "all", label: words.all },
          { id: "true", label: words.suspended },
        ]}
        selected={filters["suspended"] ?? "all"}
        onSelect={(id) => change({ suspended: id === "all" ? "" : id })}
      >
        <div className="flex flex-col gap-3">
          <SearchField label={words.search} {...search} className="w-full sm:max-w-lg" />
          <ListCard
            list={list}
            label={words.accounts}
            columns={columns}
            idOf={({ id }) => id}
            nameOf={({ organization_name }) => organization_name}
            onOpen={({ id }) => void navigate({ to: `/operator/accounts/${id}` as never })}
            empty={
              <Empty
                icon="search"
                title={words.noAccount}
                action={<Button onPress={clear}>{words.showAll}</Button>}
              >
                {words.noAccountText}
              </Empty>
            }
          />
        </div>
      </Tabs>
    </Page>
  );
}

function useColumns(): Column<FoundAccount>[] {
  const words = useWords(operatorWords);
  const { columns } = words;
  return [
    {
      id: "organization",
      header: columns.organization,
      onCard: "title",
      cell: ({ id, organization_name }) => (
        <span className="flex min-w-0 flex-col leading-snug">
          <span className="truncate font-medium">{organization_name}</span>
          <span className="truncate font-mono text-xs text-faint">{id}</span>
        </span>
      ),
    },
    {
      id: "environment",
      header: columns.environment,
      width: "10rem",
      cell: ({ environment }) => words.environments[environment],
    },
    {
      id: "state",
      header: columns.state,
      width: "10rem",
      cell: ({ suspended_at }) =>
        suspended_at ? (
          <Badge tone="danger">{words.suspended}</Badge>
        ) : (
          <span className="text-soft">{words.active}</span>
        ),
    },
    {
      id: "created",
      header: columns.created,
      width: "10rem",
      onCard: "hidden",
      cell: ({ created_at }) => <Moment at={created_at} form="date" />,
    },
    {
      id: "balance",
      header: columns.balance,
      width: "10rem",
      align: "end",
      onCard: "aside",
      cell: ({ balance, currency }) => <Money amount={balance} currency={currency} />,
    },
  ];
}
