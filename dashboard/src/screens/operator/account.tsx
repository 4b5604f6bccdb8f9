import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { Badge } from "../../kit/badge.tsx";
import { Button } from "../../kit/button.tsx";
import { Card } from "../../kit/card.tsx";
import { Empty } from "../../kit/empty.tsx";
import { Failure } from "../../kit/failure.tsx";
import { Day, Moment, TimeZone } from "../../kit/moment.tsx";
import { Money } from "../../kit/money.tsx";
import { Notice } from "../../kit/notice.tsx";
import { Page } from "../../kit/page.tsx";
import { problemOf } from "../../kit/problem.ts";
import { Skeleton } from "../../kit/skeleton.tsx";
import { usePathPart } from "../../url.ts";
import { useWords } from "../../words/locale.tsx";
import { Adjust, Suspend } from "./account-dialogs.tsx";
import { AccountSettings } from "./account-settings.tsx";
import { accountQuery, auditQuery, volumeQuery, type Account } from "./queries.ts";
import { operatorWords } from "./words.ts";

/** One account as its operator sees it: money, volume, settings, changes, and the switch that stops it. */
export default function AccountScreen() {
  const words = useWords(operatorWords);
  const { data: account, error, refetch } = useQuery(accountQuery(usePathPart("account_id")));
  const [dialog, setDialog] = useState<"adjust" | "suspend" | null>(null);
  if (error && problemOf(error).status === 404)
    return <Empty icon="search" title={words.noSuchAccount} />;
  if (error)
    return (
      <Page title={words.account}>
        <Failure error={error} onRetry={() => void refetch()} />
      </Page>
    );
  if (!account) return <Skeleton lines={12} />;
  const close = () => setDialog(null);
  return (
    <TimeZone value={account.time_zone}>
      <Page
        title={account.organization_name}
        badge={
          <>
            <Badge tone={account.environment === "live" ? "good" : "neutral"}>
              {words.environments[account.environment]}
            </Badge>
            {account.suspended_at && <Badge tone="danger">{words.suspended}</Badge>}
          </>
        }
        description={<span className="font-mono text-sm break-all">{account.id}</span>}
        actions={
          <>
            <Button icon="ban" onPress={() => setDialog("suspend")}>
              {account.suspended_at ? words.lift : words.suspend}
            </Button>
            <Button variant="primary" icon="card" onPress={() => setDialog("adjust")}>
              {words.adjust}
            </Button>
          </>
        }
      >
        {account.suspended_at && (
          <Notice tone="danger" title={words.suspended}>
            {words.suspendedSince} <Moment at={account.suspended_at} />
          </Notice>
        )}
        <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_22rem]">
          <div className="flex min-w-0 flex-col gap-5">
            <AccountSettings key={account.id} account={account} />
            <Changes id={account.id} />
          </div>
          <div className="flex min-w-0 flex-col gap-5 max-lg:order-first">
            <Balances account={account} />
            <Volume id={account.id} />
            <Details account={account} />
          </div>
        </div>
        {dialog === "adjust" && <Adjust account={account} onClose={close} />}
        {dialog === "suspend" && <Suspend account={account} onClose={close} />}
      </Page>
    </TimeZone>
  );
}

function Facts({ facts }: { facts: [string, ReactNode][] }) {
  return (
    <dl className="flex flex-col gap-3">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt className="text-sm text-faint">{name}</dt>
          <dd className="break-words">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Balances({ account: { balance, available, currency } }: { account: Account }) {
  const words = useWords(operatorWords);
  return (
    <Card title={words.balance}>
      <p className="text-2xl font-semibold">
        <Money amount={balance} currency={currency} />
      </p>
      <p className="mt-1 text-soft">
        {words.available} <Money amount={available} currency={currency} />
      </p>
    </Card>
  );
}

function Volume({ id }: { id: string }) {
  const words = useWords(operatorWords);
  const { data, error, refetch } = useQuery(volumeQuery(id));
  return (
    <Card title={words.volume}>
      {error ? (
        <Failure isInline error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton lines={2} />
      ) : (
        <>
          <p className="text-2xl font-semibold">
            <Money amount={data.total} currency={data.currency} />
          </p>
          <p className="mt-1 text-soft">
            {words.labels(data.shipments)} · <Day on={data.from} /> – <Day on={data.to} />
          </p>
        </>
      )}
    </Card>
  );
}

function Details({ account }: { account: Account }) {
  const words = useWords(operatorWords);
  return (
    <Card title={words.details}>
      <Facts
        facts={[
          [
            words.organizationId,
            <span key="id" className="font-mono text-sm break-all">
              {account.organization_id}
            </span>,
          ],
          [words.currency, account.currency],
          [words.timeZone, account.time_zone],
          [words.created, <Moment key="created" at={account.created_at} />],
        ]}
      />
    </Card>
  );
}

/** The audit log of the account; its actions have no translation. */
function Changes({ id }: { id: string }) {
  const words = useWords(operatorWords);
  const { data, error, refetch } = useQuery(auditQuery(id));
  return (
    <Card title={words.changes}>
      {error ? (
        <Failure isInline error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton lines={4} />
      ) : data.length === 0 ? (
        <p className="text-soft">{words.noChanges}</p>
      ) : (
        <ul className="flex flex-col">
          {data.slice(0, 25).map(({ id: line, action, actor, created_at }) => (
            <li
              key={line}
              className="flex flex-wrap items-baseline justify-between gap-x-4 border-b border-line py-2 last:border-b-0"
            >
              <span lang="en" className="font-mono text-sm break-all">
                {action}
              </span>
              <span className="text-sm text-soft">
                <span className="break-all">{actor}</span>{" "}
                <span className="whitespace-nowrap">
                  · <Moment at={created_at} />
                </span>
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
