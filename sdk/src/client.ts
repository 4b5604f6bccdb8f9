import type { Resources } from "../generated/resources.ts";
import { operations } from "../generated/operations.ts";
import type { Call, CallOptions } from "./call.ts";
import { pagerOf, type Page } from "./pages.ts";
import { request, respond, type Request } from "./request.ts";
import { batchesOf, type BatchesMethods } from "./resources/batches.ts";
import { labelsOf, type LabelsMethods } from "./resources/labels.ts";
import {
  ordersOf,
  shipmentsOf,
  type OrdersMethods,
  type ShipmentsMethods,
} from "./resources/many.ts";
import { readOptions, type Settings, type WaybillOptions } from "./settings.ts";
import { eventsOf } from "./stream.ts";
import { verifyWebhook } from "./webhooks.ts";

type Own = "batches" | "labels" | "orders" | "shipments" | "webhooks";

/** The client of one account: every operation as a method, and what takes several calls. */
export interface Waybill extends Omit<Resources, Own> {
  batches: BatchesMethods;
  labels: LabelsMethods;
  orders: OrdersMethods;
  shipments: ShipmentsMethods;
  webhooks: Resources["webhooks"] & { verify: typeof verifyWebhook };
}

/** A client. Nothing is sent before its first call. Throws a `TypeError` when token and environment do not fit. */
export function createWaybill(options: WaybillOptions = {}): Waybill {
  const all = resourcesOf(readOptions(options));
  return {
    ...all,
    batches: batchesOf(all.batches),
    labels: labelsOf(all.labels),
    orders: ordersOf(all.orders),
    shipments: shipmentsOf(all.shipments),
    webhooks: { ...all.webhooks, verify: verifyWebhook },
  };
}

/** A call's result with its response. */
export interface Answered<T> {
  result: T;
  response: Response;
}

/** The call of an answer that is on its way. */
export function toCall<T>(answer: Promise<Answered<T>>): Call<T> {
  const result = answer.then((each) => each.result);
  const withResponse = () => {
    // The failure is in the promise that is returned; the other one has no reader.
    result.catch(() => undefined);
    return answer;
  };
  return Object.assign(result, { withResponse });
}

/** The table of operations as functions; the generated interfaces give each its types. */
function resourcesOf(settings: Settings): Resources {
  const built = Object.entries(operations).map(([name, methods]) => {
    const made = Object.entries(methods).map(([method, line]) => [
      method,
      methodOf(settings, line),
    ]);
    return [name, Object.fromEntries(made)] as const;
  });
  return Object.fromEntries(built) as unknown as Resources;
}

type Method = (...input: unknown[]) => unknown;

function methodOf(settings: Settings, line: string): Method {
  const [method = "", template = "", ...takes] = line.split(" ");
  return (...input) => {
    const path = template.replace(/\{(\w+)\}/g, (_, name: string) => idOf(name, input.shift()));
    const body = takes.includes("body") ? input.shift() : undefined;
    const query = takes.includes("query") ? (input.shift() as object | undefined) : undefined;
    const options = input.shift() as CallOptions | undefined;
    const call: Request = { method, path, body, query, options };
    if (takes.includes("page")) return listOf(settings, call);
    if (takes.includes("stream")) return streamOf(settings, call);
    return toCall(request(settings, call));
  };
}

/** An empty id would make the path of a list. */
function idOf(name: string, value: unknown): string {
  if (typeof value !== "string" || value === "") throw new TypeError(`${name} is missing.`);
  return encodeURIComponent(value);
}

function listOf(settings: Settings, call: Request) {
  return pagerOf(async (place) => {
    const query = { ...call.query, ...place };
    return (await request<Page<unknown>>(settings, { ...call, query })).result;
  });
}

function streamOf(settings: Settings, call: Request) {
  const headers = { ...call.options?.headers, accept: "text/event-stream" };
  const options = { ...call.options, headers };
  const { after } = (call.query ?? {}) as { after?: string };
  return eventsOf({
    after,
    signal: call.options?.signal,
    open(cursor) {
      const query = { ...call.query, after: cursor };
      return respond(settings, { ...call, query, options }, async ({ body }) => body!);
    },
  });
}
