import { useQuery } from "@tanstack/react-query";
import type { Token } from "@waybill/sdk";
import { lazy, Suspense, useState } from "react";
import { useEnvironment } from "../../environment.ts";
import { Badge } from "../../kit/badge.tsx";
import { Button } from "../../kit/button.tsx";
import { buttonStyle } from "../../kit/button-style.ts";
import { Card } from "../../kit/card.tsx";
import { DataTable, type Column } from "../../kit/data-table.tsx";
import { Empty } from "../../kit/empty.tsx";
import { Failure } from "../../kit/failure.tsx";
import { Icon } from "../../kit/icon.tsx";
import { MenuButton } from "../../kit/menu-button.tsx";
import { Moment } from "../../kit/moment.tsx";
import { Page } from "../../kit/page.tsx";
import { Skeleton } from "../../kit/skeleton.tsx";
import { useMay } from "../../session.ts";
import { useWords } from "../../words/locale.tsx";
import { tokensQuery } from "./queries.ts";
import { tokenWords } from "./words.ts";

type Open = { what: "new" } | { what: "rotate" | "revoke"; token: Token };

const loadItems = () => import("./token-items.tsx");
const TokenItems = lazy(loadItems);
const NewToken = lazy(async () => ({ default: (await import("./new-token.tsx")).NewToken }));
const Reveal = lazy(async () => ({ default: (await import("./reveal.tsx")).Reveal }));
const Rotate = lazy(async () => ({ default: (await import("./token-dialogs.tsx")).Rotate }));
const Revoke = lazy(async () => ({ default: (await import("./token-dialogs.tsx")).Revoke }));

/** The account's tokens: made, rotated and revoked here. */
export default function Tokens() {
  const words = useWords(tokenWords);
  const list = useQuery(tokensQuery(useEnvironment()));
  const [open, setOpen] = useState<Open | null>(null);
  // The text is in this state until it is closed, and nowhere else.
  const [text, setText] = useState<string | null>(null);
  const columns = useColumns(setOpen);
  const close = () => setOpen(null);
  const may = useMay();
  const create = may(["tokens:manage"]) && (
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
      <Suspense fallback={null}>
        {open?.what === "new" && <NewToken isOpen onClose={close} onMade={setText} />}
        {open?.what === "rotate" && <Rotate token={open.token} onClose={close} onMade={setText} />}
        {open?.what === "revoke" && <Revoke token={open.token} onClose={close} />}
        {text !== null && <Reveal text={text} onClose={() => setText(null)} />}
      </Suspense>
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
          <MenuButton
            aria-label={words.more(token.name)}
            className={buttonStyle({ variant: "quiet", size: "icon" })}
            preload={loadItems}
            renderItems={(menu) => (
              <TokenItems
                {...menu}
                name={token.name}
                onChoose={(what) => onOpen({ what, token })}
              />
            )}
          >
            <Icon name="more" />
          </MenuButton>
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
