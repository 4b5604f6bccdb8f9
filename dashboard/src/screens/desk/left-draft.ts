import { useQueryClient } from "@tanstack/react-query";
import type { Rate } from "@waybill/sdk";
import { useCallback, useEffect, useState } from "react";
import type { Environment } from "../../environment.ts";
import { problemOf, type Problem } from "../../kit/problem.ts";
import { waybillOf } from "../../waybill.ts";
import type { Purchase } from "./purchase.ts";

/** What a carrier asks now for a service that was quoted for less. */
export interface DearerPrice {
  service: string;
  expected_total: number;
  total: number;
  currency: string;
}

/** The draft that a refused purchase leaves behind: the next press buys it, and creates no other one. */
interface LeftDraft {
  shipment_id: string;
  /** The shipment's data, as it was sent. */
  data: string;
  price: DearerPrice | null;
}

const place = (environment: Environment) => `waybill.left.${environment}`;

/** The draft that was left, also before the page was loaded again. */
export function readLeft(environment: Environment): LeftDraft | null {
  const text = sessionStorage.getItem(place(environment));
  return text ? (JSON.parse(text) as LeftDraft) : null;
}

/** Keeps it until it is bought or deleted. */
export function keepLeft(environment: Environment, left: LeftDraft | null): void {
  if (left) sessionStorage.setItem(place(environment), JSON.stringify(left));
  else sessionStorage.removeItem(place(environment));
}

/** What a refusal leaves; `bought_id` is the draft that was to be bought, null where one was to be created. */
export function leftBy(
  { status, code, details }: Problem,
  { data, bought_id }: { data: string; bought_id: string | null },
): LeftDraft | null {
  // Another person deleted the draft, or bought it.
  if (bought_id !== null && (status === 404 || code === "already_labelled")) return null;
  const shipment_id = bought_id ?? details["shipment_id"];
  if (typeof shipment_id !== "string") return null;
  const { service, total, expected_total, currency } = details as Partial<DearerPrice>;
  const isKnown = code === "rate_changed" && typeof total === "number";
  const price = isKnown ? ({ service, total, expected_total, currency } as DearerPrice) : null;
  return { shipment_id, data, price };
}

/** The services with the carrier's newest price for the one that became more expensive; the cheapest first. */
export function withDearer(
  rates: readonly Rate[] | undefined,
  price: DearerPrice | null,
): readonly Rate[] | undefined {
  if (!rates || !price) return rates;
  return rates
    .map((rate) =>
      rate.service === price.service ? { ...rate, total: Math.max(rate.total, price.total) } : rate,
    )
    .sort((one, other) => one.total - other.total);
}

interface Form {
  environment: Environment;
  purchase: Purchase;
  /** What the form holds; null as long as that is not settled. */
  data: object | null;
  onDrop: () => void;
}

/** The draft that is left. It is deleted as soon as the form holds something else. */
export function useLeftDraft({ environment, purchase, data, onDrop }: Form) {
  const client = useQueryClient();
  const [left, setLeft] = useState(() => readLeft(environment));
  useEffect(() => setLeft(readLeft(environment)), [environment, purchase]);
  const drop = useCallback(() => {
    const found = readLeft(environment);
    if (!found) return;
    keepLeft(environment, null);
    setLeft(null);
    void deleteDraft(environment, found.shipment_id)
      // It is in the list of shipments, where it can be deleted.
      .catch(() => undefined)
      .then(() => client.invalidateQueries({ queryKey: [environment] }));
  }, [client, environment]);
  const isOther = left !== null && data !== null && JSON.stringify(data) !== left.data;
  const isBusy = purchase.state === "sending" || purchase.state === "waiting";
  useEffect(() => {
    if (!isOther || isBusy) return;
    drop();
    onDrop();
    // `onDrop` is another function at each render.
  }, [isOther, isBusy, drop]);
  return { left: isOther ? null : left, drop };
}

/** Not where another person has bought it: to delete a shipment with a label is to void the label. */
async function deleteDraft(environment: Environment, id: string): Promise<void> {
  const { shipments } = waybillOf(environment);
  const { data } = await shipments.get(id);
  if (data.status === "draft") await shipments.delete(id);
}

/** Asks for new prices once after a refusal because of a price that the carrier did not name. */
export function useNewPrices(purchase: Purchase, refetch: () => void) {
  const problem = purchase.state === "refused" ? problemOf(purchase.error) : null;
  const isUnknown =
    problem?.code === "rate_changed" && typeof problem.details["total"] !== "number";
  useEffect(() => {
    if (isUnknown) refetch();
  }, [isUnknown]);
}
