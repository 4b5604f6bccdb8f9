import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Balance } from "@waybill/sdk";
import { lazy, Suspense, useState } from "react";
import { useEnvironment } from "../../environment.ts";
import { Button } from "../../kit/button.tsx";
import { Card } from "../../kit/card.tsx";
import { LinkButton } from "../../kit/link-button.tsx";
import { Loaded } from "../../kit/loaded.tsx";
import { Money } from "../../kit/money.tsx";
import { Notice } from "../../kit/notice.tsx";
import { Page } from "../../kit/page.tsx";
import { Skeleton } from "../../kit/skeleton.tsx";
import { Tabs } from "../../kit/tabs.tsx";
import { useMay } from "../../session.ts";
import { useSearchParts } from "../../url.ts";
import { useWords } from "../../words/locale.tsx";
import { balanceQuery } from "./queries.ts";
import { billingWords } from "./words.ts";

const Cards = lazy(async () => ({ default: (await import("./cards.tsx")).Cards }));
const Ledger = lazy(async () => ({ default: (await import("./ledger.tsx")).Ledger }));
const Statements = lazy(async () => ({ default: (await import("./statements.tsx")).Statements }));
const TopUp = lazy(() => import("./top-up.tsx"));

/** The account's money: what there is, how it came and went, and the statements. */
export default function Billing() {
  const words = useWords(billingWords);
  const may = useMay();
  const navigate = useNavigate();
  const { part } = useSearchParts();
  const [isToppingUp, setToppingUp] = useState(false);
  const [isAddingCard, setAddingCard] = useState(false);
  const tabs = [
    ...(may(["credits:read"]) ? [{ id: "ledger", label: words.ledger }] : []),
    ...(may(["billing:read"]) ? [{ id: "statements", label: words.statements }] : []),
    ...(may(["credits:read"]) ? [{ id: "cards", label: words.cards }] : []),
  ];
  const selected = tabs.find(({ id }) => id === part)?.id ?? tabs[0]?.id ?? "ledger";
  const show = (id: string) =>
    void navigate({ to: ".", search: id === tabs[0]?.id ? {} : { part: id }, replace: true });
  const topUp = may(["credits:write"]) && (
    <Button variant="primary" icon="plus" onPress={() => setToppingUp(true)}>
      {words.topUp}
    </Button>
  );
  return (
    <Page title={words.title} description={words.description} actions={topUp}>
      {may(["credits:read"]) && <BalanceCard />}
      <Tabs label={words.parts} tabs={tabs} selected={selected} onSelect={show}>
        <Suspense fallback={<Skeleton />}>
          {selected === "ledger" && <Ledger />}
          {selected === "statements" && <Statements />}
          {selected === "cards" && <Cards isAdding={isAddingCard} onAdding={setAddingCard} />}
        </Suspense>
      </Tabs>
      {isToppingUp && (
        <Suspense fallback={null}>
          <TopUp
            onClose={() => setToppingUp(false)}
            onAddCard={() => {
              setToppingUp(false);
              show("cards");
              setAddingCard(true);
            }}
          />
        </Suspense>
      )}
    </Page>
  );
}

function BalanceCard() {
  const words = useWords(billingWords);
  const query = useQuery(balanceQuery(useEnvironment()));
  return (
    <>
      {query.data && isLow(query.data) && (
        <Notice tone="warn" title={words.low}>
          {words.lowText}
        </Notice>
      )}
      <Card isFlush>
        <Loaded query={query} lines={2}>
          {(balance) => <Amounts balance={balance} />}
        </Loaded>
      </Card>
    </>
  );
}

function isLow({ available, low_balance_threshold }: Balance): boolean {
  return low_balance_threshold !== null && available <= low_balance_threshold;
}

function Amounts({
  balance: { available, balance, held, pending_refunds, currency },
}: {
  balance: Balance;
}) {
  const words = useWords(billingWords);
  const environment = useEnvironment();
  const facts = [
    { id: "available", name: words.available, hint: words.availableHint, amount: available },
    { id: "balance", name: words.balance, hint: words.balanceHint, amount: balance },
    { id: "held", name: words.held, hint: words.heldHint, amount: held },
    { id: "refunds", name: words.refunds, hint: words.refundsHint, amount: pending_refunds },
  ];
  return (
    <dl className="grid grid-cols-1 divide-line max-sm:divide-y sm:grid-cols-2 lg:grid-cols-4 lg:divide-x">
      {facts.map(({ id, name, hint, amount }) => (
        <div key={id} className="flex flex-col gap-1 px-5 py-4">
          <dt className="text-sm text-soft">{name}</dt>
          <dd
            data-amount={id}
            className={`tabular text-xl ${id === "available" ? "font-semibold" : ""}`}
          >
            <Money amount={amount} currency={currency} />
          </dd>
          <dd className="text-sm text-faint">{hint}</dd>
          {id === "held" && amount !== 0 && (
            <dd className="-ml-2.5">
              <LinkButton
                size="sm"
                variant="quiet"
                to={`/${environment}/shipments`}
                search={{ status: "purchase_pending" }}
              >
                {words.showHeld}
              </LinkButton>
            </dd>
          )}
        </div>
      ))}
    </dl>
  );
}
