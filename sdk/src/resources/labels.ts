import type { Resources } from "../../generated/resources.ts";
import type { Body, Call, CallOptions, Envelope } from "../call.ts";
import { toCall, type Answered } from "../client.ts";
import { PurchasePending } from "../errors.ts";
import { newKey } from "../key.ts";
import { sleep } from "../retry.ts";

export interface BuyOptions extends CallOptions {
  /** Waits while the purchase is `purchase_pending`, and asks again with the same key until its end is known. */
  settle?: boolean;
  /** How long; five minutes when absent. After it, `PurchasePending` is thrown with its key. */
  settleTimeoutMs?: number;
}

/** Both purchases, with `settle`. */
export interface LabelsMethods extends Omit<Resources["labels"], "buy" | "createAndBuy"> {
  /**
   * Buys the label of a shipment, or books its freight.
   *
   * Scopes and errors: as the operation `buyLabel`. With `settle`, `purchase_pending` is waited out.
   */
  buy(
    shipment_id: string,
    body?: Body<"buyLabel">,
    options?: BuyOptions,
  ): Call<Envelope<"buyLabel">>;
  /**
   * Creates a shipment and buys its label.
   *
   * Scopes and errors: as the operation `createAndBuyLabel`. With `settle`, `purchase_pending` is waited out.
   */
  createAndBuy(
    body: Body<"createAndBuyLabel">,
    options?: BuyOptions,
  ): Call<Envelope<"createAndBuyLabel">>;
}

/** The methods of labels, of which purchases may settle. */
export function labelsOf(labels: Resources["labels"]): LabelsMethods {
  return {
    ...labels,
    buy: (shipment_id, body, options = {}) =>
      settled(options, (own) => labels.buy(shipment_id, body, own)),
    createAndBuy: (body, options = {}) => settled(options, (own) => labels.createAndBuy(body, own)),
  };
}

function settled<T>(
  { settle, settleTimeoutMs = 300_000, ...options }: BuyOptions,
  buy: (options: CallOptions) => Call<T>,
): Call<T> {
  return settle ? toCall(untilSettled(options, settleTimeoutMs, buy)) : buy(options);
}

async function untilSettled<T>(
  options: CallOptions,
  timeoutMs: number,
  buy: (options: CallOptions) => Call<T>,
): Promise<Answered<T>> {
  const own = { ...options, idempotencyKey: options.idempotencyKey ?? (await newKey()) };
  const end = Date.now() + timeoutMs;
  for (;;) {
    try {
      return await buy(own).withResponse();
    } catch (error) {
      if (!(error instanceof PurchasePending)) throw error;
      const delay = (error.retryAfterSeconds ?? 1) * 1000;
      if (Date.now() + delay > end) throw error;
      await sleep(delay, options.signal);
    }
  }
}
