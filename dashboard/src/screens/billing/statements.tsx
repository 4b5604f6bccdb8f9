import { useQuery } from "@tanstack/react-query";
import type { Statement } from "@waybill/sdk";
import { useState } from "react";
import { useEnvironment } from "../../environment.ts";
import { Badge } from "../../kit/badge.tsx";
import { buttonStyle } from "../../kit/button-style.ts";
import { Button } from "../../kit/button.tsx";
import { Card } from "../../kit/card.tsx";
import { DataTable, type Column } from "../../kit/data-table.tsx";
import { Empty } from "../../kit/empty.tsx";
import { Failure } from "../../kit/failure.tsx";
import { Loaded } from "../../kit/loaded.tsx";
import { Day } from "../../kit/moment.tsx";
import { Money } from "../../kit/money.tsx";
import { ownAddress } from "../../print/frame.ts";
import { useWords } from "../../words/locale.tsx";
import { statementFileQuery, statementsQuery } from "./queries.ts";
import { StatementDialog } from "./statement-dialog.tsx";
import { billingWords } from "./words.ts";

/** The statement of each month, as its totals, as a PDF and as its entries. */
export function Statements() {
  const words = useWords(billingWords);
  const list = useQuery(statementsQuery(useEnvironment()));
  const columns = useColumns();
  const [shown, setShown] = useState<string | null>(null);
  const statement = list.data?.find(({ id }) => id === shown);
  return (
    <Card isFlush>
      <Loaded query={list}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty icon="calendar" title={words.noStatements}>
              {words.noStatementsText}
            </Empty>
          ) : (
            <DataTable
              label={words.statements}
              rows={rows}
              columns={columns}
              idOf={({ id }) => id}
              nameOf={({ number }) => number}
              onOpen={({ id }) => setShown(id)}
            />
          )
        }
      </Loaded>
      {statement && <StatementDialog statement={statement} onClose={() => setShown(null)} />}
    </Card>
  );
}

const tones = { open: "neutral", generating: "warn", ready: "good" } as const;

function useColumns(): Column<Statement>[] {
  const words = useWords(billingWords);
  const { statementColumns: columns, statementStatuses } = words;
  return [
    {
      id: "number",
      header: columns.number,
      width: "7rem",
      onCard: "title",
      cell: ({ number }) => <span className="font-medium">{number}</span>,
    },
    {
      id: "period",
      header: columns.period,
      cell: ({ period_start, period_end }) => (
        <>
          <Day on={period_start} /> – <Day on={period_end} />
        </>
      ),
    },
    {
      id: "opening",
      header: columns.opening,
      width: "10rem",
      align: "end",
      onCard: "hidden",
      cell: ({ opening_balance, currency }) => (
        <Money amount={opening_balance} currency={currency} />
      ),
    },
    {
      id: "closing",
      header: columns.closing,
      width: "10rem",
      align: "end",
      cell: ({ closing_balance, currency }) => (
        <Money amount={closing_balance} currency={currency} />
      ),
    },
    {
      id: "status",
      header: columns.status,
      width: "8rem",
      cell: ({ status }) => <Badge tone={tones[status]}>{statementStatuses[status]}</Badge>,
    },
    {
      id: "files",
      header: columns.files,
      width: "12.5rem",
      cell: (statement) =>
        statement.status !== "open" && (
          <span className="flex flex-wrap gap-1.5">
            <File statement={statement} file="pdf" />
            <File statement={statement} file="csv" />
          </span>
        ),
    },
  ];
}

function File({ statement: { id, number }, file }: { statement: Statement; file: "pdf" | "csv" }) {
  const words = useWords(billingWords);
  const [isAsked, setAsked] = useState(false);
  const query = useQuery({ ...statementFileQuery(useEnvironment(), id, file), enabled: isAsked });
  if (query.data)
    return (
      <a
        href={ownAddress(query.data.url)}
        target="_blank"
        rel="noopener"
        aria-label={words.fileOf(file === "pdf" ? words.openPdf : words.openCsv, number)}
        className={buttonStyle({ size: "sm", variant: "primary" })}
      >
        {file === "pdf" ? words.openPdf : words.openCsv}
      </a>
    );
  if (query.error)
    return <Failure isInline error={query.error} onRetry={() => void query.refetch()} />;
  return (
    <Button
      size="sm"
      icon="download"
      isPending={isAsked}
      aria-label={words.fileOf(isAsked ? words.making : words[file], number)}
      onPress={() => setAsked(true)}
    >
      {isAsked ? words.making : words[file]}
    </Button>
  );
}
