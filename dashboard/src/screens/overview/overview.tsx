import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useEnvironment } from "../../environment.ts";
import { carrierName } from "../../kit/carrier-name.ts";
import { Bars } from "../../kit/bars.tsx";
import { Card } from "../../kit/card.tsx";
import { Failure } from "../../kit/failure.tsx";
import { Icon } from "../../kit/icon.tsx";
import type { IconName } from "../../kit/icon-paths.ts";
import { LinkButton } from "../../kit/link-button.tsx";
import { Money } from "../../kit/money.tsx";
import { Page } from "../../kit/page.tsx";
import { Skeleton } from "../../kit/skeleton.tsx";
import { useMay } from "../../session.ts";
import { accountQuery, countsQuery } from "../../shell/queries.ts";
import { regionOf, useLocale, useWords } from "../../words/locale.tsx";
import { reportQuery } from "./queries.ts";
import { overviewWords } from "./words.ts";

/** What there is to do, and what was shipped and spent. */
export default function Overview() {
  const words = useWords(overviewWords);
  const environment = useEnvironment();
  const may = useMay();
  const action = may(["labels:create"]) && (
    <LinkButton to={`/${environment}/shipments/new`} variant="primary" icon="plus">
      {words.ship}
    </LinkButton>
  );
  return (
    <Page title={words.title} actions={action}>
      <ToDo />
      {may(["reports:read"]) && <Report />}
    </Page>
  );
}

interface Task {
  word: "drafts" | "exceptions" | "pending" | "orders" | "products";
  icon: IconName;
  group: "shipments" | "orders" | "products";
  status: string;
  /** The screen that shows them, where there is one. */
  search?: string;
}

const tasks: Task[] = [
  { word: "drafts", icon: "box", group: "shipments", status: "draft", search: "draft" },
  {
    word: "exceptions",
    icon: "alert",
    group: "shipments",
    status: "exception",
    search: "exception",
  },
  {
    word: "pending",
    icon: "clock",
    group: "shipments",
    status: "purchase_pending",
    search: "purchase_pending",
  },
  { word: "orders", icon: "list", group: "orders", status: "unfulfilled" },
  { word: "products", icon: "flag", group: "products", status: "pending_approval" },
];

function ToDo() {
  const words = useWords(overviewWords);
  const environment = useEnvironment();
  const { data, error, refetch } = useQuery(countsQuery(environment));
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton lines={2} />;
  const waiting = tasks
    .map((task) => {
      const counts = data[task.group];
      return {
        ...task,
        count: typeof counts === "object" && counts ? (counts[task.status] ?? 0) : 0,
      };
    })
    .filter(({ count }) => count > 0);
  return (
    <section aria-label={words.toDo}>
      {waiting.length === 0 ? (
        <p className="flex items-center gap-2 text-soft">
          <Icon name="check" className="size-4 text-good" /> {words.nothingToDo}
        </p>
      ) : (
        <ul className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-5">
          {waiting.map(({ word, icon, count, search }) => {
            const tile = (
              <>
                <span className="flex items-center gap-2 text-soft">
                  <Icon name={icon} /> {words[word]}
                </span>
                <span className="tabular mt-1 block text-2xl font-semibold">{count}</span>
              </>
            );
            const style =
              "block h-full rounded-xl border border-line bg-surface px-4 py-3 shadow-card";
            return (
              <li key={word}>
                {search ? (
                  <Link
                    to={`/${environment}/shipments` as never}
                    search={{ status: search } as never}
                    className={`${style} hover:bg-hover`}
                  >
                    {tile}
                  </Link>
                ) : (
                  <div className={style}>{tile}</div>
                )}
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}

function Report() {
  const words = useWords(overviewWords);
  const environment = useEnvironment();
  const { locale } = useLocale();
  const days = useQuery(reportQuery(environment, "day"));
  const { data: account } = useQuery(accountQuery(environment));
  if (days.error) return <Failure error={days.error} onRetry={() => void days.refetch()} />;
  if (!days.data) return <Skeleton lines={8} />;
  const { totals, currency, from, to } = days.data.meta;
  if (totals.shipments === 0)
    return (
      <FirstSteps hasSender={account?.default_from_address !== null && account !== undefined} />
    );
  const percent = new Intl.NumberFormat(regionOf(locale), { style: "percent" });
  const date = new Intl.DateTimeFormat(regionOf(locale), {
    day: "numeric",
    month: "short",
    timeZone: "UTC",
  });
  const known = new Map(days.data.data.map((row) => [row.key, row.shipments]));
  const bars = daysBetween(from, to).map((key) => {
    const value = known.get(key) ?? 0;
    return { key, label: date.format(new Date(`${key}T00:00:00Z`)), value, text: String(value) };
  });
  return (
    <div className="grid gap-5 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <Card>
        <dl className="mb-5 flex flex-wrap gap-x-10 gap-y-4">
          <Figure name={words.labels}>{totals.shipments}</Figure>
          <Figure name={words.spend}>
            <Money amount={totals.total} currency={currency} />
          </Figure>
          <Figure name={words.average}>
            <Money amount={totals.average_total} currency={currency} />
          </Figure>
          <Figure name={words.onTime}>
            {totals.on_time_rate === null ? "–" : percent.format(totals.on_time_rate)}
          </Figure>
        </dl>
        <Bars label={words.perDay} bars={bars} heads={{ label: words.day, value: words.count }} />
      </Card>
      <Carriers />
    </div>
  );
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-faint">{name}</dt>
      <dd className="tabular text-xl font-semibold">{children}</dd>
    </div>
  );
}

function Carriers() {
  const words = useWords(overviewWords);
  const { data } = useQuery(reportQuery(useEnvironment(), "carrier"));
  if (!data)
    return (
      <Card title={words.byCarrier}>
        <Skeleton lines={4} />
      </Card>
    );
  return (
    <Card title={words.byCarrier}>
      <table className="w-full">
        <thead className="sr-only">
          <tr>
            <th scope="col">{words.carrier}</th>
            <th scope="col">{words.count}</th>
            <th scope="col">{words.total}</th>
          </tr>
        </thead>
        <tbody>
          {data.data.map((row) => (
            <tr key={row.key} className="border-b border-line last:border-b-0">
              <th scope="row" className="py-2 text-left font-normal">
                {carrierName(row.key)}
              </th>
              <td className="tabular py-2 text-right text-soft">{row.shipments}</td>
              <td className="py-2 text-right">
                <Money amount={row.total} currency={data.meta.currency} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}

function FirstSteps({ hasSender }: { hasSender: boolean }) {
  const words = useWords(overviewWords);
  const steps: [string, boolean][] = [
    [words.stepAddress, hasSender],
    [words.stepLabel, false],
    [words.stepToken, false],
  ];
  return (
    <Card title={words.firstTitle}>
      <ol className="flex flex-col gap-2.5">
        {steps.map(([step, isDone], index) => (
          <li key={step} className="flex items-center gap-3">
            <span
              className={`flex size-6 shrink-0 items-center justify-center rounded-full text-sm font-semibold ${isDone ? "bg-good-wash text-good" : "bg-hover text-soft"}`}
            >
              {isDone ? <Icon name="check" /> : index + 1}
            </span>
            <span className={isDone ? "text-soft" : ""}>{step}</span>
            {isDone && <span className="sr-only">{words.done}</span>}
          </li>
        ))}
      </ol>
    </Card>
  );
}

/** Every day of the report: those without a label have no row. */
function daysBetween(from: string, to: string): string[] {
  const days: string[] = [];
  for (
    let at = Date.parse(`${from}T00:00:00Z`);
    at <= Date.parse(`${to}T00:00:00Z`);
    at += 86_400_000
  )
    days.push(new Date(at).toISOString().slice(0, 10));
  return days;
}
