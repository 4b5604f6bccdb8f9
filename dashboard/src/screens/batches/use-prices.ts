import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { callEach } from "../../each.ts";
import { useEnvironment } from "../../environment.ts";
import { pricesOf, type Prices } from "../../import/prices.ts";
import { ratesQuery } from "../../rates-query.ts";

/** So many are asked for at once: about the calls of a minute that reach carriers. */
export const asked_max = 100;

/** A shipment, and the service or strategy that it names itself. */
export interface Unpriced {
  id: string;
  service: string | null;
}

export interface Pricing {
  /** Of the shipments that were priced so far. */
  prices: readonly Prices[];
  isAsking: boolean;
  /** The moment until which no price is asked for because of the limit of calls. */
  paused_until: number | null;
  /** Asks for the next prices: of shipments without an answer, `asked_max` at most. */
  ask: () => void;
}

/** What shipments would cost. The first are asked for by itself, where the person may see prices. */
export function usePrices(shipments: readonly Unpriced[], isAllowed: boolean): Pricing {
  const environment = useEnvironment();
  const client = useQueryClient();
  const [known, setKnown] = useState<ReadonlyMap<string, Prices>>(new Map());
  const [isAsking, setAsking] = useState(false);
  const [paused_until, setPaused] = useState<number | null>(null);
  const asking = useRef<AbortController>(null);
  const ask = useCallback(
    async (wanted: readonly Unpriced[]) => {
      const { signal } = (asking.current = new AbortController());
      setAsking(true);
      await callEach(
        wanted,
        async ({ id, service }) => {
          // `callEach` tries again, and sees the limit of calls only in a failure that is told at once.
          const query = { ...ratesQuery(environment, id), retry: false };
          const { data } = await client.fetchQuery(query);
          if (!signal.aborted)
            setKnown((before) => new Map(before).set(id, pricesOf(data, service)));
        },
        // A shipment whose call failed has no answer: it is asked for again with the next.
        { signal, onSettled: () => undefined, onPause: setPaused },
      );
      if (!signal.aborted) setAsking(false);
    },
    [client, environment],
  );
  const first = useRef(shipments.slice(0, asked_max));
  useEffect(() => {
    if (isAllowed) void ask(first.current);
    return () => asking.current?.abort();
  }, [ask, isAllowed]);
  return {
    prices: [...known.values()],
    isAsking,
    paused_until,
    ask: () => void ask(shipments.filter(({ id }) => !known.has(id)).slice(0, asked_max)),
  };
}
