import { useQueryClient } from "@tanstack/react-query";
import type { Envelope } from "@waybill/sdk";
import { useCallback, useEffect, useRef, useState } from "react";
import type { Environment } from "../../environment.ts";
import { problemOf } from "../../kit/problem.ts";
import { waybillOf } from "../../waybill.ts";
import type { Shipment } from "./queries.ts";

export type Bought = Envelope<"createAndBuyLabel">["data"];

export type Purchase =
  | { state: "none" }
  | { state: "sending" }
  /** There was no final answer yet: the same call is sent again under its key. */
  | { state: "waiting"; why: "pending" | "lost" }
  | { state: "refused"; error: unknown }
  | { state: "bought"; label: Bought };

/** A purchase under way, kept so that the page can go on with it after a reload. */
interface Kept {
  key: string;
  body: Shipment;
}

const again_ms = 2000;
const place = (environment: Environment) => `waybill.purchase.${environment}`;

function readKept(environment: Environment): Kept | null {
  const text = sessionStorage.getItem(place(environment));
  return text ? (JSON.parse(text) as Kept) : null;
}

/**
 * Buys one label. The Idempotency-Key and the body are kept before the call goes out, and until a final answer:
 * a double click, a reload, a lost answer or a server that died end in the same label.
 */
export function usePurchase(environment: Environment) {
  const client = useQueryClient();
  const [purchase, setPurchase] = useState<Purchase>({ state: "none" });
  const isUnderWay = useRef(false);

  const run = useCallback(
    async (kept: Kept, signal?: AbortSignal) => {
      if (isUnderWay.current) return;
      isUnderWay.current = true;
      try {
        for (;;) {
          const next = await attempt(environment, kept);
          if (signal?.aborted) return;
          setPurchase(next);
          if (next.state !== "waiting") break;
          await new Promise((resolve) => setTimeout(resolve, again_ms));
        }
        sessionStorage.removeItem(place(environment));
        void client.invalidateQueries({ queryKey: [environment] });
      } finally {
        isUnderWay.current = false;
      }
    },
    [client, environment],
  );

  useEffect(() => {
    const kept = readKept(environment);
    if (!kept) return;
    setPurchase({ state: "waiting", why: "lost" });
    void run(kept);
  }, [environment, run]);

  const buy = (body: Shipment) => {
    if (isUnderWay.current) return;
    const kept = { key: crypto.randomUUID(), body };
    sessionStorage.setItem(place(environment), JSON.stringify(kept));
    setPurchase({ state: "sending" });
    void run(kept);
  };
  return { purchase, buy, forget: () => setPurchase({ state: "none" }) };
}

async function attempt(environment: Environment, { key, body }: Kept): Promise<Purchase> {
  try {
    const { data } = await waybillOf(environment).labels.createAndBuy(body, {
      idempotencyKey: key,
      maxRetries: 0,
    });
    return { state: "bought", label: data };
  } catch (error) {
    const { status, code } = problemOf(error);
    if (code === "purchase_pending" || code === "idempotency_in_progress")
      return { state: "waiting", why: "pending" };
    if (status === 0 || status === 408 || status === 429 || status === 500 || status === 503)
      return { state: "waiting", why: "lost" };
    return { state: "refused", error };
  }
}
