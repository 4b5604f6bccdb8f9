import type { ExcludedService, Rate } from "@waybill/sdk";
import { useState } from "react";
import { Radio, RadioGroup } from "react-aria-components/RadioGroup";
import { carrierName } from "../../kit/carrier-name.ts";
import { Badge } from "../../kit/badge.tsx";
import { Button } from "../../kit/button.tsx";
import { Failure } from "../../kit/failure.tsx";
import { Money } from "../../kit/money.tsx";
import { Day } from "../../kit/moment.tsx";
import { Notice } from "../../kit/notice.tsx";
import { Select } from "../../kit/select.tsx";
import { Skeleton } from "../../kit/skeleton.tsx";
import { Spinner } from "../../kit/spinner.tsx";
import { useWords } from "../../words/locale.tsx";
import { deskWords } from "./words.ts";

interface Props {
  rates: readonly Rate[] | undefined;
  excluded: readonly ExcludedService[];
  isComplete: boolean;
  isFetching: boolean;
  error: unknown;
  chosen: string | null;
  onChoose: (service: string) => void;
  onRetry: () => void;
}

type Order = "price" | "days";

/** The services and their prices, and why others are missing. What came is shown, and which carriers are late. */
export function Rates({
  rates,
  excluded,
  isComplete,
  isFetching,
  error,
  chosen,
  onChoose,
  onRetry,
}: Props) {
  const words = useWords(deskWords);
  const [order, setOrder] = useState<Order>("price");
  if (!isComplete) return <p className="text-soft">{words.ratesWaiting}</p>;
  if (error !== null && error !== undefined)
    return <Failure isInline error={error} onRetry={onRetry} />;
  if (!rates) return <Skeleton lines={5} />;
  const sorted =
    order === "price" ? rates : [...rates].sort((one, other) => daysOf(one) - daysOf(other));
  const days = Math.min(...rates.map(daysOf));
  // Of several that are as fast, the cheapest; the API sorts by price.
  const fastest = rates.find((rate) => daysOf(rate) === days);
  const late = [
    ...new Set(excluded.filter(({ retryable }) => retryable).map(({ carrier }) => carrier)),
  ];
  return (
    <div className="flex flex-col gap-3" aria-busy={isFetching}>
      <div className="flex items-center justify-between gap-3">
        <Select
          label={words.sort}
          isLabelHidden
          choices={[
            { id: "price", label: words.sortPrice },
            { id: "days", label: words.sortDays },
          ]}
          value={order}
          onChange={(id) => setOrder(id as Order)}
          className="w-36"
        />
        {isFetching && (
          <span className="flex items-center gap-1.5 text-sm text-soft" role="status">
            <Spinner /> {words.ratesLoading}
          </span>
        )}
      </div>
      {late.length > 0 && (
        <Notice
          tone="warn"
          action={
            <Button size="sm" onPress={onRetry}>
              {words.askAgain}
            </Button>
          }
        >
          {words.late(late.map(carrierName).join(", "))}
        </Notice>
      )}
      {rates.length === 0 ? (
        <Nothing excluded={excluded} />
      ) : (
        <RadioGroup
          aria-label={words.rates}
          value={chosen}
          onChange={onChoose}
          className="flex flex-col"
        >
          {sorted.map((rate) => (
            <RateLine
              key={rate.service}
              rate={rate}
              isCheapest={rate === rates[0]}
              isFastest={rate === fastest}
            />
          ))}
        </RadioGroup>
      )}
      <Excluded services={excluded.filter(({ retryable }) => !retryable)} />
    </div>
  );
}

const daysOf = (rate: Rate) => rate.estimated_delivery_days ?? Infinity;
function RateLine({
  rate,
  isCheapest,
  isFastest,
}: {
  rate: Rate;
  isCheapest: boolean;
  isFastest: boolean;
}) {
  const words = useWords(deskWords);
  return (
    <Radio
      value={rate.service}
      className="group flex cursor-pointer items-center gap-3 rounded-lg px-2 py-2 hover:bg-hover selected:bg-accent-wash focus-visible:outline-2 focus-visible:outline-accent"
    >
      <span className="flex size-4 shrink-0 rounded-full border border-control bg-surface group-selected:border-[5px] group-selected:border-accent" />
      <span className="min-w-0 grow">
        <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
          <span className="font-medium">{rate.carrier.name}</span>
          <span className="text-soft">{rate.service_name}</span>
          {isCheapest && <Badge tone="good">{words.cheapest}</Badge>}
          {isFastest && !isCheapest && <Badge tone="info">{words.fastest}</Badge>}
        </span>
        <span className="text-sm text-faint">
          {rate.estimated_delivery_days === null
            ? words.noDays
            : words.days(rate.estimated_delivery_days)}
          {rate.estimated_delivery_date && (
            <>
              {" · "}
              {words.arrives} <Day on={rate.estimated_delivery_date} />
            </>
          )}
        </span>
      </span>
      <span className="text-right">
        <Money amount={rate.total} currency={rate.currency} className="font-semibold" />
        {rate.tier_pricing && (
          <span className="block text-sm text-faint">
            {words.retail}{" "}
            <Money amount={rate.tier_pricing.retail.total} currency={rate.currency} />
          </span>
        )}
      </span>
    </Radio>
  );
}

/** No change of the form but that of the places would make these services take it. */
const ofPlaces = new Set(["origin_not_supported", "destination_not_supported"]);

/** That no service takes it, and why, where one reason is that of all that go there. Abroad all need customs. */
function Nothing({ excluded }: { excluded: readonly ExcludedService[] }) {
  const words = useWords(deskWords);
  const there = excluded.filter(({ reason }) => !ofPlaces.has(reason));
  const [first] = there;
  const areCustoms = there.some(({ reason }) => reason === "customs_incomplete");
  const isCommon = areCustoms || there.every(({ message }) => message === first?.message);
  return (
    <div className="text-soft">
      <p>{words.noRates}</p>
      {first && isCommon && (
        <p className="text-ink" {...(areCustoms ? {} : { lang: "en" })}>
          {areCustoms ? words.customsIncomplete : first.message}
        </p>
      )}
    </div>
  );
}

/** Why services are missing, in the API's sentences. */
function Excluded({ services }: { services: readonly ExcludedService[] }) {
  const words = useWords(deskWords);
  if (services.length === 0) return null;
  return (
    <details className="text-sm">
      <summary className="cursor-pointer text-soft hover:text-ink">
        {words.excluded(services.length)}
      </summary>
      <ul
        className="mt-2 flex max-h-72 flex-col gap-1.5 overflow-y-auto"
        tabIndex={0}
        aria-label={words.excluded(services.length)}
      >
        {services.map(({ service, service_name, carrier, message }) => (
          <li key={service}>
            <span className="font-medium">
              {carrierName(carrier)} {service_name}
            </span>
            <span lang="en" className="block text-soft">
              {message}
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
