/** The package's only entry. */
export { createWaybill, type Waybill } from "./client.ts";
export type { Body, Call, CallOptions, Envelope, Facts, Item, OperationId, Query } from "./call.ts";
export {
  CarrierFailed,
  ConnectionFailed,
  CreateManyStopped,
  InsufficientCredits,
  NotFound,
  PurchasePending,
  RateChanged,
  RateLimited,
  ScopeMissing,
  Unauthenticated,
  Unavailable,
  ValidationFailed,
  WaybillError,
  type WaybillErrorCode,
} from "./errors.ts";
export type { Page, Pager } from "./pages.ts";
export type { ProcessOptions } from "./resources/batches.ts";
export type { BuyOptions } from "./resources/labels.ts";
export type { ManyCreated } from "./resources/many.ts";
export type { RequestSeen, ResponseSeen, WaybillOptions } from "./settings.ts";
export type { EventStream } from "./stream.ts";
export { InvalidSignature, verifyWebhook, type WaybillEvent } from "./webhooks.ts";
export type * from "../generated/types.ts";
