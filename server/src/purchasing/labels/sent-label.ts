import type { SentLabel } from "../../carriers/carrier.ts";
import type { Platform } from "../../context.ts";
import { contextOn } from "../../shipping/connections/connection-book.ts";
import type { Attempt } from "../../outbound/operation.ts";
import type { LabelPurchaseInput } from "./label-purchase-input.ts";

/** What a carrier is asked for whose answer to a purchase is not known. */
export async function sentLabelOf(
  { carriers, connections }: Pick<Platform, "carriers" | "connections">,
  { account_id, reference, sent_at, input }: Attempt<LabelPurchaseInput>,
): Promise<SentLabel> {
  const { environment, rate, look_up } = input;
  const { connection_id } = look_up ?? {};
  const context = await contextOn({ connections }, { account_id, environment, connection_id });
  if (look_up) {
    const { connection_id: _stored, ...search } = look_up;
    return { context, reference, sent_at, look_up: search };
  }
  // Begun by a release that stored no search: its carriers are found by the reference alone.
  const service = carriers.findService(rate.service)?.service;
  return {
    context,
    reference,
    sent_at,
    look_up: {
      ship_date: sent_at.toISOString().slice(0, 10),
      destination: { country: "", postal_code: null },
      pieces: input.package_count ?? 1,
      carrier_service_code: service?.carrier_service_code ?? "",
    },
  };
}
