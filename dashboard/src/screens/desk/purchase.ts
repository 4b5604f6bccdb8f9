import { useQueryClient } from "@tanstack/react-query";
import type { Envelope, Rate } from "@waybill/sdk";
import { useCallback, useEffect, useRef, useState } from "react";
import type { Environment } from "../../environment.ts";
import { problemOf } from "../../kit/problem.ts";
import { randomKey } from "../../random-key.ts";
import { toast } from "../../shell/toasts.tsx";
import { waybillOf } from "../../waybill.ts";
import { useWords } from "../../words/locale.tsx";
import { keepLeft, leftBy, readLeft } from "./left-draft.ts";
import type { Shipment } from "./queries.ts";
import { deskWords } from "./words.ts";

export type Bought = Envelope<"createAndBuyLabel">["data"];

export type Purchase =
  | { state: "none" }
  | { state: "sending" }
  /** There was no final answer yet: the same call is sent again under its key. */
  | { state: "waiting"; why: "pending" | "lost" }
  | { state: "refused"; error: unknown }
  | { state: "bought"; label: Bought };

/** A purchase, kept until its outcome was shown: over a reload, and while another screen is open. */
interface PendingPurchase {
  key: string;
  body: Shipment;
  /** The shipment's data alone. */
  data?: string;
  /** The draft that an earlier refusal left, which is bought now; without one a shipment is created. */
  shipment_id?: string | null;
  sent_at: number;
  /** What came of it while the desk was left. */
  outcome?: Purchase;
}

const again_ms = 2000;
/** The server knows a key for a day: after that the same call could be a second purchase. */
const known_ms = 20 * 3_600_000;
const place = (environment: Environment) => `waybill.purchase.${environment}`;

function readPending(environment: Environment): PendingPurchase | null {
  const text = sessionStorage.getItem(place(environment));
  return text ? (JSON.parse(text) as PendingPurchase) : null;
}

function keep(environment: Environment, kept: PendingPurchase | null): void {
  if (kept) sessionStorage.setItem(place(environment), JSON.stringify(kept));
  else sessionStorage.removeItem(place(environment));
}

/**
 * Buys one label. The Idempotency-Key and the body are kept before the call goes out, and until the outcome was
 * shown: a double click, a reload, the back button, a lost answer or a server that died end in the same label.
 */
export function usePurchase(environment: Environment) {
  const client = useQueryClient();
  const words = useWords(deskWords);
  const [purchase, setPurchase] = useState<Purchase>({ state: "none" });
  /** Of this visit to the screen: aborted when it is left. */
  const visit = useRef(new AbortController());
  const isUnderWay = useRef(false);

  const run = useCallback(
    async (kept: PendingPurchase) => {
      const { signal } = visit.current;
      const isKept = () => readPending(environment)?.key === kept.key;
      isUnderWay.current = true;
      let next = await attempt(environment, kept);
      while (next.state === "waiting" && isKept()) {
        if (!signal.aborted) setPurchase(next);
        await new Promise((resolve) => setTimeout(resolve, again_ms));
        next = await attempt(environment, kept);
      }
      noteLeft(environment, kept, next);
      void client.invalidateQueries({ queryKey: [environment] });
      if (signal.aborted) {
        // The next visit shows it, unless it has found out by itself.
        if (isKept()) keep(environment, { ...kept, outcome: next });
        return;
      }
      isUnderWay.current = false;
      keep(environment, null);
      setPurchase(next);
    },
    [client, environment],
  );

  useEffect(() => {
    visit.current = new AbortController();
    const { current } = visit;
    const kept = readPending(environment);
    if (kept && (kept.outcome || Date.now() - kept.sent_at > known_ms)) {
      keep(environment, null);
      const tooOld = { status: 409, code: "too_old", message: words.tooOld };
      setPurchase(kept.outcome ?? { state: "refused", error: tooOld });
    } else if (kept) {
      setPurchase({ state: "waiting", why: "lost" });
      void run(kept);
    }
    return () => {
      current.abort();
      if (isUnderWay.current) toast(words.leftUnderWay);
      isUnderWay.current = false;
    };
    // The words are of the language in which the screen was opened.
  }, [environment, run]);

  const buy = (shipment: object, rate: Rate) => {
    if (isUnderWay.current) return;
    const data = JSON.stringify(shipment);
    const left = readLeft(environment);
    const shipment_id = left?.data === data ? left.shipment_id : null;
    const body = { ...shipment, ...choiceOf(rate, shipment_id) } as Shipment;
    const kept = { key: randomKey(), body, data, shipment_id, sent_at: Date.now() };
    keep(environment, kept);
    setPurchase({ state: "sending" });
    void run(kept);
  };
  return { purchase, buy, forget: () => setPurchase({ state: "none" }) };
}

/** A draft is bought by its service: the quote of the form's rate is older than what the carrier asks now. */
function choiceOf({ id, service, total }: Rate, shipmentId: string | null) {
  const expected_total = total;
  return shipmentId === null ? { rate_id: id, expected_total } : { service, expected_total };
}

/** Keeps which draft a refusal leaves, and for which data. */
function noteLeft(
  environment: Environment,
  { data, shipment_id }: PendingPurchase,
  outcome: Purchase,
): void {
  if (outcome.state === "bought") keepLeft(environment, null);
  if (outcome.state !== "refused" || data === undefined) return;
  const bought_id = shipment_id ?? null;
  const left = leftBy(problemOf(outcome.error), { data, bought_id });
  if (left || bought_id !== null) keepLeft(environment, left);
}

function send(environment: Environment, { key, body, shipment_id }: PendingPurchase) {
  const { labels } = waybillOf(environment);
  const options = { idempotencyKey: key, maxRetries: 0 };
  if (!shipment_id) return labels.createAndBuy(body, options);
  const { service, expected_total } = body;
  return labels.buy(shipment_id, { service, expected_total }, options);
}

async function attempt(environment: Environment, kept: PendingPurchase): Promise<Purchase> {
  try {
    const { data } = await send(environment, kept);
    return { state: "bought", label: data };
  } catch (error) {
    const { status, code } = problemOf(error);
    if (code === "purchase_pending" || code === "idempotency_in_progress")
      return { state: "waiting", why: "pending" };
    if (status === 0 || status === 408 || status === 429 || status === 500 || status === 503)
      return { state: "waiting", why: "lost" };
    // As plain data, so that it can be kept.
    const { request_id: requestId, ...problem } = problemOf(error);
    return { state: "refused", error: { ...problem, requestId } };
  }
}
