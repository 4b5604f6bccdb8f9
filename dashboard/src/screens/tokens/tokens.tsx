import { useQuery } from "@tanstack/react-query";
import type { Token } from "@waybill/sdk";
import { useState } from "react";
import { useEnvironment } from "../../environment.ts";
import { Badge } from "../../kit/badge.tsx";
import { Button } from "../../kit/button.tsx";
import { Card } from "../../kit/card.tsx";
import { DataTable, type Column } from "../../kit/data-table.tsx";
import { Empty } from "../../kit/empty.tsx";
import { Failure } from "../../kit/failure.tsx";
import { Menu, MenuItem } from "../../kit/menu.tsx";
import { Moment } from "../../kit/moment.tsx";
import { Page } from "../../kit/page.tsx";
import { Skeleton } from "../../kit/skeleton.tsx";
import { useWords } from "../../words/locale.tsx";
import { NewToken } from "./new-token.tsx";
import { tokensQuery } from "./queries.ts";
import { Reveal } from "./reveal.tsx";
import { Revoke, Rotate } from "./token-dialogs.tsx";
import { tokenWords } from "./words.ts";

type Open = { what: "new" } | { what: "rotate" | "revoke"; token: Token };

/** The account's tokens: made, rotated and revoked here. */
export default function Tokens() {
  const words = useWords(tokenWords);
  const list = useQuery(tokensQuery(useEnvironment()));
  const [open, setOpen] = useState<Open | null>(null);
  // The text is in this state until it is closed, and nowhere else.
  const [text, setText] = useState<string | null>(null);
  const columns = useColumns(setOpen);
  const close = () => setOpen(null);
  const create = (
    <Button variant="primary" icon="plus" onPress={() => setOpen({ what: "new" })}>
      {words.create}
    </Button>
  );
  return (
    <Page title={words.title} description={words.description} actions={create}>
      <Card isFlush>
        {list.isPending ? (
          <Skeleton />
        ) : list.error ? (
          <div className="p-4">
            <Failure error={list.error} onRetry={() => void list.refetch()} />
          </div>
        ) : list.data.length === 0 ? (
          <Empty icon="key" title={words.emptyTitle} action={create}>
            {words.emptyText}
          </Empty>
        ) : (
          <DataTable
            label={words.title}
            rows={list.data}
            columns={columns}
            idOf={({ id }) => id}
            nameOf={({ name }) => name}
          />
        )}
      </Card>
      <NewToken isOpen={open?.what === "new"} onClose={close} onMade={setText} />
      {open?.what === "rotate" && <Rotate token={open.token} onClose={close} onMade={setText} />}
      {open?.what === "revoke" && <Revoke token={open.token} onClose={close} />}
      {text !== null && <Reveal text={text} onClose={() => setText(null)} />}
    </Page>
  );
}

function useColumns(onOpen: (open: Open) => void): Column<Token>[] {
  const words = useWords(tokenWords);
  const { columns } = words;
  return [
    {
      id: "name",
      header: columns.name,
      onCard: "title",
      cell: ({ name, last_four }) => (
        <span className="flex flex-col leading-snug">
          <span className="truncate font-medium">{name}</span>
          <span className="text-sm font-normal text-faint">
            {words.ends} <code className="font-mono">{last_four}</code>
          </span>
        </span>
      ),
    },
    {
      id: "scopes",
      header: columns.scopes,
      onCard: "hidden",
      cell: ({ scopes }) => (
        <span title={scopes.join(", ")}>
          {scopes.length <= 2 ? scopes.join(", ") : words.nScopes(scopes.length)}
        </span>
      ),
    },
    {
      id: "used",
      header: columns.used,
      width: "11rem",
      cell: ({ last_used_at }) =>
        last_used_at ? (
          <Moment at={last_used_at} form="relative" />
        ) : (
          <span className="text-faint">{words.never}</span>
        ),
    },
    {
      id: "expires",
      header: columns.expires,
      width: "10rem",
      onCard: "hidden",
      cell: ({ expires_at }) =>
        expires_at ? (
          <Moment at={expires_at} form="date" />
        ) : (
          <span className="text-faint">{words.never}</span>
        ),
    },
    { id: "state", header: columns.state, width: "8rem", cell: (token) => <State token={token} /> },
    {
      id: "actions",
      header: columns.actions,
      width: "6rem",
      align: "end",
      onCard: "aside",
      cell: (token) =>
        isActive(token) && (
          <Menu
            label={words.more(token.name)}
            trigger={
              <Button variant="quiet" size="icon" icon="more" aria-label={words.more(token.name)} />
            }
          >
            <MenuItem icon="refresh" onAction={() => onOpen({ what: "rotate", token })}>
              {words.rotate}
            </MenuItem>
            <MenuItem icon="trash" isDanger onAction={() => onOpen({ what: "revoke", token })}>
              {words.revoke}
            </MenuItem>
          </Menu>
        ),
    },
  ];
}

const isExpired = ({ expires_at }: Token) =>
  expires_at !== null && new Date(expires_at) <= new Date();
const isActive = (token: Token) => token.revoked_at === null && !isExpired(token);

function State({ token }: { token: Token }) {
  const words = useWords(tokenWords);
  if (token.revoked_at) return <Badge>{words.revoked}</Badge>;
  if (isExpired(token)) return <Badge tone="warn">{words.expired}</Badge>;
  return <Badge tone="good">{words.active}</Badge>;
}
