import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useEnvironment } from "../../environment.ts";
import { Bars } from "../../kit/bars.tsx";
import { Card } from "../../kit/card.tsx";
import { carrierName } from "../../kit/carrier-name.ts";
import { Failure } from "../../kit/failure.tsx";
import { Icon } from "../../kit/icon.tsx";
import { Money } from "../../kit/money.tsx";
import { Skeleton } from "../../kit/skeleton.tsx";
import { accountQuery } from "../../shell/queries.ts";
import { regionOf, useLocale, useWords } from "../../words/locale.tsx";
import { reportQuery } from "./queries.ts";
import { overviewWords } from "./words.ts";

/** Labels and spend of 30 days, by day and carrier; before the first label, the way to it. */
export function Report() {
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
