import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useEnvironment } from "../../environment.ts";
import { leftOf, sumOf, type Strategy } from "../../import/prices.ts";
import { Button } from "../../kit/button.tsx";
import { Failure } from "../../kit/failure.tsx";
import { LimitWait } from "../../kit/limit-wait.tsx";
import { Money } from "../../kit/money.tsx";
import { Notice } from "../../kit/notice.tsx";
import { Progress } from "../../kit/progress.tsx";
import { useMay } from "../../session.ts";
import { useWords } from "../../words/locale.tsx";
import { balanceQuery } from "./queries.ts";
import { useCurrency } from "./use-currency.ts";
import { asked_max, usePrices, type Pricing, type Unpriced } from "./use-prices.ts";
import { batchWords } from "./words.ts";

interface Props {
  shipments: readonly Unpriced[];
  strategy: Strategy;
}

/** How many labels are to be bought and how, what those cost whose prices are known, and what that leaves. */
export function ImportTotal({ shipments, strategy }: Props) {
  const words = useWords(batchWords);
  const may = useMay();
  const currency = useCurrency();
  const balance = useQuery(balanceQuery(useEnvironment(), may(["credits:read"])));
  const maySee = may(["rates:read"]);
  const pricing = usePrices(shipments, maySee);
  const { total, priced, without_service } = sumOf(pricing.prices, strategy);
  const own = shipments.filter(({ service }) => service !== null).length;
  const left = balance.data && priced > 0 ? leftOf(balance.data.available, total) : null;
  const isCovered = left === null || left >= 0;
  const areAll = priced === shipments.length;
  return (
    <div className="flex flex-col gap-3">
      <dl className="flex flex-col gap-2">
        <Line name={words.ready}>{words.count(shipments.length)}</Line>
        <Line name={words.service}>
          {words.strategies[strategy]}
          {own > 0 && (
            <span className="block text-sm font-normal text-soft">{words.ownService(own)}</span>
          )}
        </Line>
        {maySee && (
          <Line name={areAll || priced === 0 ? words.sum : words.sumOf(priced)}>
            <Money amount={priced === 0 ? null : total} currency={currency} />
          </Line>
        )}
        {balance.data && (
          <Line name={words.available}>
            <Money amount={balance.data.available} currency={balance.data.currency} />
          </Line>
        )}
        {maySee && balance.data && (
          <Line name={areAll ? words.left : words.leftSoFar}>
            <Money amount={left} currency={currency} className={isCovered ? "" : "text-danger"} />
          </Line>
        )}
      </dl>
      {balance.error && (
        <Failure isInline error={balance.error} onRetry={() => void balance.refetch()} />
      )}
      {maySee && <NotPriced pricing={pricing} total={shipments.length} />}
      {without_service > 0 && (
        <Notice tone="warn">
          <p>{words.withoutService(without_service)}</p>
        </Notice>
      )}
      {!isCovered && (
        <Notice tone="warn">
          <p>{words.notCovered}</p>
        </Notice>
      )}
    </div>
  );
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex items-baseline justify-between gap-3">
      <dt className="text-soft">{name}</dt>
      <dd className="tabular text-right font-semibold">{children}</dd>
    </div>
  );
}

/** How far the prices are, or how many are missing and the way to ask for them. */
function NotPriced({ pricing, total }: { pricing: Pricing; total: number }) {
  const words = useWords(batchWords);
  const known = pricing.prices.length;
  const missing = total - known;
  if (missing === 0) return null;
  if (pricing.isAsking)
    return (
      <div className="flex flex-col gap-1.5">
        <p className="tabular text-sm text-soft">{words.pricing(known, total)}</p>
        <Progress label={words.prices} done={known} total={total} />
        {pricing.paused_until !== null && <LimitWait until={pricing.paused_until} />}
      </div>
    );
  return (
    <div className="flex flex-wrap items-center justify-between gap-2">
      <p className="text-sm text-soft">{words.notPriced(missing)}</p>
      <Button size="sm" icon="refresh" onPress={pricing.ask}>
        {words.askPrices(Math.min(missing, asked_max))}
      </Button>
    </div>
  );
}
