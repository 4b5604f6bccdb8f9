import type { Rate } from "@waybill/sdk";
import { lazy, Suspense } from "react";
import { Button } from "../../kit/button.tsx";
import { Checkbox } from "../../kit/checkbox.tsx";
import { Failure } from "../../kit/failure.tsx";
import { formatMoney, Money } from "../../kit/money.tsx";
import { Notice } from "../../kit/notice.tsx";
import { problemOf } from "../../kit/problem.ts";
import { Spinner } from "../../kit/spinner.tsx";
import { useMay } from "../../session.ts";
import { regionOf, useLocale, useWords } from "../../words/locale.tsx";
import type { DearerPrice } from "./left-draft.ts";
import type { Purchase } from "./purchase.ts";
import { deskWords } from "./words.ts";

const Forbidden = lazy(() => import("../../kit/forbidden.tsx"));

/** A purchase needs one of these. */
export const purchaseScopes = ["labels:create"];

interface Props {
  rate: Rate | null;
  /** What the carrier asks now for a service that was quoted for less. */
  dearer: DearerPrice | null;
  addOns: readonly string[];
  onAddOns: (codes: string[]) => void;
  purchase: Purchase;
}

/** The chosen service: its extras, what its price consists of, and the button that buys. */
export function Checkout({ rate, dearer, addOns, onAddOns, purchase }: Props) {
  const words = useWords(deskWords);
  const { locale } = useLocale();
  const may = useMay();
  const isBusy = purchase.state === "sending" || purchase.state === "waiting";
  const toggle = (code: string) =>
    onAddOns(addOns.includes(code) ? addOns.filter((each) => each !== code) : [...addOns, code]);
  return (
    <div className="flex flex-col gap-4">
      {rate && rate.add_ons.length > 0 && (
        <fieldset className="flex flex-col gap-2">
          <legend className="mb-1.5 text-sm font-medium">{words.addOns}</legend>
          {rate.add_ons.map(({ code, name, price, required }) => (
            <div key={code} className="flex items-center justify-between gap-3">
              <Checkbox
                isSelected={required || addOns.includes(code)}
                isDisabled={required || isBusy}
                onChange={() => toggle(code)}
              >
                {words.addOnNames[code] ?? name}
              </Checkbox>
              <Money amount={price.total} currency={price.currency} className="text-sm text-soft" />
            </div>
          ))}
        </fieldset>
      )}
      {rate && <Parts rate={rate} isTotalAlone={rate.service === dearer?.service} />}
      {dearer && !isBusy && <Dearer price={dearer} />}
      <Outcome purchase={purchase} rate={rate} isDearer={dearer !== null} />
      {!may(purchaseScopes) && (
        <Notice>
          <Suspense fallback={null}>
            <Forbidden scopes={purchaseScopes} />
          </Suspense>
        </Notice>
      )}
      <Button
        type="submit"
        variant="primary"
        isDisabled={!rate || !may(purchaseScopes)}
        isPending={isBusy}
        className="h-11 w-full text-lg"
      >
        {rate ? words.buy(formatMoney(rate.total, rate.currency, regionOf(locale))) : words.buyNone}
      </Button>
      <p className="-mt-2 text-center text-sm text-faint">
        <kbd className="font-sans">{words.buyHint}</kbd>
      </p>
    </div>
  );
}

/** A carrier that became more expensive names its new total, and not what it consists of. */
function Parts({ rate, isTotalAlone }: { rate: Rate; isTotalAlone: boolean }) {
  const words = useWords(deskWords);
  const parts: [string, number][] = [
    [words.baseRate, rate.base_rate],
    ...rate.surcharges.map(({ name, amount }): [string, number] => [name, amount]),
    ...rate.add_ons
      .filter(({ selected }) => selected)
      .map(({ code, name, price }): [string, number] => [
        words.addOnNames[code] ?? name,
        price.subtotal,
      ]),
    ...rate.taxes.map(({ name, amount }): [string, number] => [name, amount]),
  ];
  return (
    <dl className="flex flex-col gap-1 border-t border-line pt-3 text-sm" aria-label={words.parts}>
      {(isTotalAlone ? [] : parts).map(([name, amount]) => (
        <div key={name} className="flex justify-between gap-3 text-soft">
          <dt>{name}</dt>
          <dd>
            <Money amount={amount} currency={rate.currency} />
          </dd>
        </div>
      ))}
      <div className="flex justify-between gap-3 pt-1 text-base font-semibold">
        <dt>{words.total}</dt>
        <dd>
          <Money amount={rate.total} currency={rate.currency} />
        </dd>
      </div>
    </dl>
  );
}

/** Asks again at the carrier's price: the button below buys at it. */
function Dearer({ price: { expected_total, total, currency } }: { price: DearerPrice }) {
  const words = useWords(deskWords);
  const region = regionOf(useLocale().locale);
  const money = (amount: number) => formatMoney(amount, currency, region);
  return (
    <Notice tone="warn" title={words.changedTitle}>
      {words.changedText(money(expected_total), money(total))}
    </Notice>
  );
}

interface OutcomeProps {
  purchase: Purchase;
  rate: Rate | null;
  isDearer: boolean;
}

/** What came of pressing the button so far. */
function Outcome({ purchase, rate, isDearer }: OutcomeProps) {
  const words = useWords(deskWords);
  const { locale } = useLocale();
  if (purchase.state === "waiting") {
    const isPending = purchase.why === "pending";
    return (
      <Notice
        tone="info"
        title={isPending ? words.pendingTitle : words.lostTitle}
        action={<Spinner className="mt-0.5 size-4" />}
      >
        <p className="text-soft">{isPending ? words.pendingText : words.lostText}</p>
      </Notice>
    );
  }
  if (purchase.state !== "refused") return null;
  const problem = problemOf(purchase.error);
  const known = problem.details["currency"];
  const currency = typeof known === "string" ? known : (rate?.currency ?? "CAD");
  const money = (amount: unknown) => formatMoney(Number(amount), currency, regionOf(locale));
  if (problem.code === "rate_changed" && isDearer) return null;
  if (problem.code === "rate_changed")
    return (
      <Notice tone="warn" title={words.changedTitle}>
        {words.changedUnknown}
      </Notice>
    );
  if (problem.code === "insufficient_credits")
    return (
      <Notice tone="danger" title={words.refused}>
        {words.credits(money(problem.details["required"]), money(problem.details["available"]))}
      </Notice>
    );
  return <Failure isInline error={purchase.error} />;
}
