import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Body } from "@waybill/sdk";
import type { Environment } from "../../environment.ts";
import { problemOf } from "../../kit/problem.ts";
import { waybillOf } from "../../waybill.ts";

export type Shipment = Body<"createAndBuyLabel">;

/** What the shipment costs with each service. A refusal of its data is an answer, and is not asked again. */
export function ratesQuery(environment: Environment, shipment: object, isComplete: boolean) {
  return queryOptions({
    queryKey: [environment, "rates", shipment],
    queryFn: ({ signal }) =>
      waybillOf(environment).rates.get(shipment as Body<"getRates">, { signal, maxRetries: 0 }),
    enabled: isComplete,
    placeholderData: keepPreviousData,
    // Prices are valid for half an hour; after five minutes they are asked for again.
    staleTime: 5 * 60_000,
    retry: (failures, error) => problemOf(error).status !== 422 && failures < 2,
    refetchOnWindowFocus: false,
  });
}

/** Whether an address is known, and how it is written best. */
export function validationQuery(environment: Environment, address: object, isComplete: boolean) {
  return queryOptions({
    queryKey: [environment, "validation", address],
    queryFn: async ({ signal }) =>
      (
        await waybillOf(environment).addresses.validate(address as Body<"validateAddress">, {
          signal,
        })
      ).data,
    enabled: isComplete,
    staleTime: Infinity,
    retry: false,
  });
}

/** Sizes of boxes that are used again and again. */
export function presetsQuery(environment: Environment) {
  return queryOptions({
    queryKey: [environment, "package-presets"],
    queryFn: async () =>
      (await waybillOf(environment).packagePresets.list({ per_page: 100 }).page()).data,
    staleTime: 60_000,
    retry: false,
  });
}

/** The addresses of the book, the newest hundred. */
export function bookQuery(environment: Environment, q: string) {
  return queryOptions({
    queryKey: [environment, "addresses", q],
    queryFn: async () =>
      (
        await waybillOf(environment)
          .addresses.list({ per_page: 50, ...(q ? { q } : {}) })
          .page()
      ).data,
    staleTime: 60_000,
    retry: false,
    placeholderData: keepPreviousData,
  });
}

/** The order with that number, or that holds the code somewhere; null if none does, or several do. */
export async function findOrder(environment: Environment, text: string) {
  const { orders } = waybillOf(environment);
  if (text.startsWith("ord_")) return (await orders.get(text)).data;
  for (const query of [{ order_number: text }, { q: text }]) {
    const { data } = await orders.list({ ...query, per_page: 2 }).page();
    if (data.length === 1) return data[0]!;
  }
  return null;
}
