import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Batch } from "@waybill/sdk";
import { useEnvironment } from "../../environment.ts";
import type { Column } from "../../kit/data-table.tsx";
import { Empty } from "../../kit/empty.tsx";
import { LinkButton } from "../../kit/link-button.tsx";
import { ListCard } from "../../kit/list-card.tsx";
import { Moment } from "../../kit/moment.tsx";
import { Money } from "../../kit/money.tsx";
import { Page } from "../../kit/page.tsx";
import { useMay } from "../../session.ts";
import { useWords } from "../../words/locale.tsx";
import { BatchBadge } from "./batch-badge.tsx";
import { batchesQuery } from "./queries.ts";
import { useCurrency } from "./use-currency.ts";
import { batchWords } from "./words.ts";

/** Every batch, and how far each is. */
export default function Batches() {
  const words = useWords(batchWords);
  const environment = useEnvironment();
  const navigate = useNavigate();
  const may = useMay();
  const list = useInfiniteQuery(batchesQuery(environment));
  const columns = useColumns();
  const toImport = may(["shipments:write"]) && (
    <LinkButton to={`/${environment}/batches/import`} variant="primary" icon="upload">
      {words.import}
    </LinkButton>
  );
  return (
    <Page title={words.title} description={words.description} actions={toImport}>
      <ListCard
        list={list}
        label={words.title}
        columns={columns}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        onOpen={({ id }) => void navigate({ to: `/${environment}/batches/${id}` as never })}
        empty={
          <Empty icon="layers" title={words.emptyTitle} action={toImport}>
            {words.emptyText}
          </Empty>
        }
      />
    </Page>
  );
}

function useColumns(): Column<Batch>[] {
  const words = useWords(batchWords);
  const currency = useCurrency();
  const { columns } = words;
  return [
    {
      id: "name",
      header: columns.name,
      onCard: "title",
      cell: ({ name }) => <span className="truncate font-medium">{name}</span>,
    },
    {
      id: "status",
      header: columns.status,
      width: "13rem",
      cell: ({ status }) => <BatchBadge status={status} />,
    },
    {
      id: "shipments",
      header: columns.shipments,
      width: "15rem",
      cell: ({ status, shipment_count, success_count, error_count }) => (
        <span className="tabular">
          {status === "open"
            ? words.shipments(shipment_count)
            : words.bought(success_count, shipment_count)}
          {error_count > 0 && <span className="text-warn"> · {words.failed(error_count)}</span>}
        </span>
      ),
    },
    {
      id: "created",
      header: columns.created,
      width: "12rem",
      cell: ({ created_at }) => <Moment at={created_at} />,
    },
    {
      id: "cost",
      header: columns.cost,
      width: "8rem",
      align: "end",
      onCard: "aside",
      cell: ({ status, total_cost }) => (
        <Money amount={status === "open" ? null : total_cost} currency={currency} />
      ),
    },
  ];
}
