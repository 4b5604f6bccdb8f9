import { useQuery } from "@tanstack/react-query";
import {
  lazy,
  Suspense,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent as ReactKeyboardEvent,
} from "react";
import { Form } from "react-aria-components/Form";
import { useEnvironment } from "../../environment.ts";
import { Badge } from "../../kit/badge.tsx";
import { Button } from "../../kit/button.tsx";
import { Card } from "../../kit/card.tsx";
import { Page } from "../../kit/page.tsx";
import { Skeleton } from "../../kit/skeleton.tsx";
import { fieldsOf, problemOf } from "../../kit/problem.ts";
import { useMay } from "../../session.ts";
import { accountQuery } from "../../shell/queries.ts";
import { scanReader } from "../../shell/scan.ts";
import { toast } from "../../shell/toasts.tsx";
import { useSearchParts } from "../../url.ts";
import { useWords } from "../../words/locale.tsx";
import { Checkout, purchaseScopes } from "./checkout.tsx";
import { Fields } from "./fields.tsx";
import {
  draftOfOrder,
  isQuotable,
  keepDraft,
  newDraft,
  restoreDraft,
  toShipment,
  type Draft,
  type ParcelDraft,
} from "./draft.ts";
import { withPreferences } from "./preferred.ts";
import { useUsualParcel } from "./usual-parcel.ts";
import { useLeftDraft, useNewPrices, withDearer } from "./left-draft.ts";
import { usePurchase } from "./purchase.ts";
import { findOrder, ratesQuery } from "./queries.ts";
import { useSettled } from "./use-settled.ts";
import { deskWords } from "./words.ts";

const Bought = lazy(async () => ({ default: (await import("./bought.tsx")).Bought }));
const Rates = lazy(async () => ({ default: (await import("./rates.tsx")).Rates }));

/** One page from an address to a printed label. */
export default function Desk() {
  const words = useWords(deskWords);
  const environment = useEnvironment();
  const { draft, change, setParcels, load, clear } = useDraft();
  const { isKnown, preferences, usual, home, currency } = useTerms();
  const { purchase, buy, forget } = usePurchase(environment);
  const isTouched = useRef(false);
  const [chosen, setChosen] = useState<string | null>(null);
  const typed = useSettled(draft, 400);
  const settled = toShipment(withPreferences(typed, preferences), { home, currency });
  const shown = withPreferences(draft, preferences);
  const isComplete = isQuotable(draft) && isQuotable(typed);
  const quoted = useQuery(ratesQuery(environment, settled, isComplete));
  const data = isKnown && typed === draft ? settled : null;
  const { left, drop } = useLeftDraft({ environment, purchase, data, onDrop: forget });
  const dearer = left?.price ?? null;
  const rates = isComplete && !quoted.error ? withDearer(quoted.data?.data, dearer) : undefined;
  const rate =
    rates?.find(({ service }) => service === (chosen ?? dearer?.service)) ??
    (isTouched.current ? null : rates?.[0]) ??
    null;
  const isCurrent = typed === draft && !quoted.isFetching && !quoted.isPlaceholderData;
  useScannedOrder(load);
  useUsualParcel(draft.parcels, preferences?.package_preset_id, setParcels);
  useNewPrices(purchase, () => void quoted.refetch());

  const refused = purchase.state === "refused" ? purchase.error : quoted.error;
  const fields = useMemo(() => (refused ? fieldsOf(problemOf(refused)) : {}), [refused]);

  const may = useMay();
  const submit = () => {
    if (!rate || !isCurrent || !may(purchaseScopes)) return;
    buy(settled, rate);
  };
  const next = () => {
    drop();
    forget();
    clear();
    isTouched.current = false;
    setChosen(null);
  };
  useEffect(() => {
    if (purchase.state === "bought") keepDraft(environment, null);
  }, [purchase.state, environment]);
  if (purchase.state === "bought")
    return (
      <Page title={words.title}>
        <Suspense fallback={<Skeleton />}>
          <Bought label={purchase.label} onNext={next} />
        </Suspense>
      </Page>
    );
  return (
    <Page
      title={words.title}
      badge={draft.order && <Badge tone="accent">{words.fromOrder(draft.order.number)}</Badge>}
      actions={
        <Button variant="quiet" size="sm" icon="refresh" onPress={next}>
          {words.clear}
        </Button>
      }
    >
      <Form
        validationBehavior="aria"
        validationErrors={fields}
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <div
          className="grid items-start gap-5 md:grid-cols-[minmax(0,1fr)_20rem] lg:grid-cols-[minmax(0,1fr)_24rem]"
          onKeyDownCapture={onSubmitKeys(submit)}
        >
          <Fields draft={shown} home={home} currency={currency} usual={usual} onChange={change} />
          <div className="flex min-w-0 flex-col gap-5 md:sticky md:top-[calc(var(--bar)+1.25rem)]">
            <Card title={words.rates}>
              {/* Without `relative` the hidden inputs of the services would lengthen the page. */}
              <div className="relative max-h-[48vh] overflow-y-auto px-2 -mx-2">
                <Suspense fallback={<Skeleton lines={1} />}>
                  <Rates
                    rates={rates}
                    excluded={quoted.data?.meta.excluded_services ?? []}
                    isComplete={isComplete}
                    isFetching={quoted.isFetching || typed !== draft}
                    error={isComplete ? quoted.error : null}
                    chosen={rate?.service ?? null}
                    onChoose={(service) => {
                      isTouched.current = true;
                      setChosen(service);
                    }}
                    onRetry={() => void quoted.refetch()}
                  />
                </Suspense>
              </div>
            </Card>
            <Card>
              <Checkout
                rate={rate}
                dearer={dearer}
                addOns={shown.add_ons ?? []}
                onAddOns={(add_ons) => change({ add_ons })}
                purchase={purchase}
              />
            </Card>
          </div>
        </div>
      </Form>
    </Page>
  );
}

/** Ctrl Enter sends, before the button or list that has the focus takes the key for itself. */
const onSubmitKeys = (submit: () => void) => (event: ReactKeyboardEvent) => {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  event.stopPropagation();
  submit();
};

/** What the account adds to what is typed: its sender, its currency and its preferences. */
function useTerms() {
  const account = useQuery(accountQuery(useEnvironment())).data;
  const usual = account?.default_from_address ?? null;
  const home = usual?.country_code ?? "CA";
  const { currency = "CAD", preferences } = account ?? {};
  return { isKnown: account !== undefined, usual, home, currency, preferences };
}

/** What is typed, kept over a reload. An order's number in the URL loads what of it is still to be shipped. */
function useDraft() {
  const environment = useEnvironment();
  const [draft, setDraft] = useState<Draft>(() => restoreDraft(environment) ?? newDraft());
  useEffect(() => keepDraft(environment, draft), [environment, draft]);
  return {
    draft,
    change: (changes: Partial<Draft>) => setDraft((before) => ({ ...before, ...changes })),
    setParcels: useCallback(
      (parcels: ParcelDraft[]) => setDraft((before) => ({ ...before, parcels })),
      [],
    ),
    load: setDraft,
    clear: () => setDraft(newDraft()),
  };
}

/** Loads the order of the URL (`?order=`), and each one that is scanned, and goes on at the weight. */
function useScannedOrder(load: (draft: Draft) => void) {
  const words = useWords(deskWords);
  const environment = useEnvironment();
  const { order } = useSearchParts();
  useEffect(() => {
    const reader = scanReader();
    const open = async (text: string) => {
      const found = await findOrder(environment, text).catch(() => null);
      if (!found) return toast(words.scanUnknown(text), "danger");
      load(draftOfOrder(found));
      toast(words.scanned(found.order_number));
      requestAnimationFrame(() => document.getElementById("packages.0.weight")?.focus());
    };
    const onKey = (event: KeyboardEvent) => {
      const text = reader.key(event.key, event.timeStamp);
      if (text === null) return;
      // A scan into a field ends with Enter, which would send the form.
      event.preventDefault();
      event.stopPropagation();
      void open(text);
    };
    if (order) void open(order);
    document.addEventListener("keydown", onKey, { capture: true });
    return () => document.removeEventListener("keydown", onKey, { capture: true });
    // The words only name what was loaded.
  }, [environment, order]);
}
