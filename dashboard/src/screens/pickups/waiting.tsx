import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useEnvironment } from "../../environment.ts";
import { addressLine } from "../../kit/address.ts";
import { Button } from "../../kit/button.tsx";
import { Card } from "../../kit/card.tsx";
import { Empty } from "../../kit/empty.tsx";
import { Failure } from "../../kit/failure.tsx";
import { LinkButton } from "../../kit/link-button.tsx";
import { Day, Moment } from "../../kit/moment.tsx";
import { Money } from "../../kit/money.tsx";
import { Notice } from "../../kit/notice.tsx";
import { Skeleton } from "../../kit/skeleton.tsx";
import { useMay } from "../../session.ts";
import { useWords } from "../../words/locale.tsx";
import { Load } from "./load.tsx";
import type { Parcels } from "./narrowed.ts";
import { waitingQuery } from "./queries.ts";
import { pickupWords } from "./words.ts";

interface Props {
  /** Absent for those who only look. */
  onSchedule: ((parcels: Parcels) => void) | undefined;
}

/** The parcels that a carrier could fetch, by carrier and address. */
export function Waiting({ onSchedule }: Props) {
  const words = useWords(pickupWords);
  const environment = useEnvironment();
  const may = useMay();
  const list = useQuery(waitingQuery(environment));
  return (
    <Card title={words.waiting} isFlush>
      {list.isPending ? (
        <Skeleton lines={3} />
      ) : list.error ? (
        <div className="p-4">
          <Failure error={list.error} onRetry={() => void list.refetch()} />
        </div>
      ) : list.data.data.length === 0 ? (
        <Empty
          icon="truck"
          title={words.nothingWaits}
          action={
            may(["labels:create"]) && (
              <LinkButton to={`/${environment}/shipments/new`}>{words.toDesk}</LinkButton>
            )
          }
        >
          {words.nothingWaitsText}
        </Empty>
      ) : (
        <>
          {list.data.meta.capped && (
            <div className="px-5 pt-2">
              <Notice>{words.capped}</Notice>
            </div>
          )}
          <ul>
            {list.data.data.map((parcels) => (
              <WaitingLine
                key={parcels.carrier + parcels.shipment_ids[0]}
                parcels={parcels}
                onSchedule={onSchedule}
              />
            ))}
          </ul>
        </>
      )}
    </Card>
  );
}

/** What one carrier could fetch at one address, and the way to ask it. */
export function WaitingLine({ parcels, onSchedule }: { parcels: Parcels } & Props) {
  const words = useWords(pickupWords);
  const { carrier_name, address, fee } = parcels;
  const place = addressLine(address);
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-3 border-b border-line px-5 py-4 last:border-b-0">
      <div className="min-w-0 grow basis-64">
        <p className="font-medium">{carrier_name}</p>
        <p className="truncate text-sm text-soft" title={place}>
          {place}
        </p>
        <p className="text-sm text-soft">
          <Load parcels={parcels} />
        </p>
      </div>
      <div className="basis-56 text-sm">
        <Earliest parcels={parcels} />
        <p className="text-soft">
          {fee.total === 0 ? (
            words.free
          ) : (
            <>
              {words.feeIs}: <Money amount={fee.total} currency={fee.currency} />
            </>
          )}
        </p>
      </div>
      {onSchedule && (
        <Button
          icon="calendar"
          aria-label={words.scheduleOf(carrier_name, place)}
          onPress={() => onSchedule(parcels)}
        >
          {words.schedule}
        </Button>
      )}
    </li>
  );
}

/** Until when a pickup today may be asked for, or the next day on which the carrier comes. */
function Earliest({ parcels: { today, next_date } }: { parcels: Parcels }) {
  const words = useWords(pickupWords);
  const left = useMinutesUntil(today?.cutoff_at ?? null);
  if (!today || left === null)
    return (
      <p>
        {words.pastCutoff} <Day on={next_date} />
      </p>
    );
  return (
    <p>
      {words.todayUntil} <Moment at={today.cutoff_at} form="time" />
      <span className={`block ${left < 60 ? "text-warn" : "text-soft"}`}>
        {words.left(Math.floor(left / 60), left % 60)}
      </span>
    </p>
  );
}

/** Whole minutes until then, counted down; null when it has passed, and then what waits is read again. */
function useMinutesUntil(at: string | null): number | null {
  const client = useQueryClient();
  const environment = useEnvironment();
  const minutes = () =>
    at === null ? null : Math.floor((new Date(at).getTime() - Date.now()) / 60_000);
  const [left, setLeft] = useState(minutes);
  useEffect(() => {
    setLeft(minutes());
    if (at === null) return;
    const timer = setInterval(() => setLeft(minutes()), 10_000);
    return () => clearInterval(timer);
    // The function reads nothing but the moment.
  }, [at]);
  const isPast = left !== null && left < 0;
  useEffect(() => {
    if (isPast) void client.invalidateQueries(waitingQuery(environment));
  }, [isPast, client, environment]);
  return isPast ? null : left;
}
