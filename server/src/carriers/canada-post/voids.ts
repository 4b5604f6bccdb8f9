import type { CarrierRefund, CarrierVoid, LabelRef } from "../carrier.ts";
import { badAnswer, classify, refusedByUs } from "../protocol/classify.ts";
import { contractIn, type PostClient } from "./client.ts";
import {
  errorTable,
  messagesIn,
  notVoidableCode,
  refundRequestedCode,
  saysNothingIsThere,
  successOf,
} from "./errors.ts";
import { incomplete } from "./parties.ts";
import { labelLookUp, shipmentsPath } from "./label-look-up.ts";
import { keptLinks } from "./links.ts";
import {
  isVoided,
  nonContractMediaType,
  shipmentMediaType,
  toRefundRequest,
  type Link,
} from "./shipments.ts";

/**
 * A shipment is deleted before its manifest is made, and nothing was charged. After it, and without a contract,
 * a refund is asked for, which takes days.
 */
const timeout_ms = 30_000;

export async function voidLabel(
  client: PostClient,
  label: LabelRef,
  signal: AbortSignal,
): Promise<CarrierVoid> {
  const { context, carrier_label_id, carrier_data } = label;
  // A return that is not used costs nothing, and cannot be deleted.
  if (keptLinks(carrier_data)?.kind === "return") return { refund: "approved" };
  const contract = contractIn(context);
  if (contract.contract_id === null) return askForRefund(client, label, signal);
  const to = `${shipmentsPath(contract)}/${encodeURIComponent(carrier_label_id)}`;
  const media_type = shipmentMediaType;
  const answer = await client.call({
    method: "DELETE",
    to,
    media_type,
    context,
    signal,
    timeout_ms,
  });
  if (answer.status === 204) return { refund: "approved" };
  const [message] = messagesIn(answer);
  if (message?.code === notVoidableCode) return askForRefund(client, label, signal);
  if (message?.code === refundRequestedCode) return { refund: "pending" };
  if (saysNothingIsThere(answer)) return ofOneThatIsGone(client, label, signal);
  throw answer.status >= 200 && answer.status <= 299 && !message
    ? badAnswer(errorTable)
    : classify(errorTable, answer);
}

/** One that is no longer there was voided before; one that never was, is refused. */
async function ofOneThatIsGone(
  client: PostClient,
  label: LabelRef,
  signal: AbortSignal,
): Promise<CarrierVoid> {
  const found = await labelLookUp(client, label.context, signal).byReference(label.reference);
  if (found && !isVoided(found.status)) throw badAnswer(errorTable);
  if (found || label.carrier_data !== null) return { refund: "approved" };
  throw refusedByUs(errorTable, {
    carrier_code: "label_not_found",
    message: "Canada Post has no such shipment.",
  });
}

async function askForRefund(
  client: PostClient,
  label: LabelRef,
  signal: AbortSignal,
): Promise<CarrierVoid> {
  const { context, carrier_label_id, carrier_data } = label;
  const contract = contractIn(context);
  const hasContract = contract.contract_id !== null;
  if (!contract.contact_email) {
    throw incomplete(
      "contact_email",
      "Canada Post requires the connection's contact_email for a refund.",
    );
  }
  const path = `${shipmentsPath(contract)}/${encodeURIComponent(carrier_label_id)}/refund`;
  const media_type = hasContract ? shipmentMediaType : nonContractMediaType;
  const to: Link = keptLinks(carrier_data)?.refund ?? { path, media_type };
  const body = toRefundRequest(contract.contact_email, hasContract);
  const answer = await client.call({
    method: "POST",
    to,
    media_type,
    body,
    context,
    signal,
    timeout_ms,
  });
  if (messagesIn(answer)[0]?.code === refundRequestedCode) return { refund: "pending" };
  successOf(
    answer,
    hasContract ? "shipment-refund-request-info" : "non-contract-shipment-refund-request-info",
  );
  return { refund: "pending" };
}

/**
 * Canada Post does not say when it has paid a refund, only that it takes some days. One that was asked for so
 * long ago, and whose shipment was not charged as used, counts as paid (assumption).
 */
const refundDays = 30;
const dayMs = 86_400_000;

export async function refundState(
  client: PostClient,
  label: LabelRef,
  signal: AbortSignal,
): Promise<CarrierRefund> {
  const { context, reference, carrier_label_id, carrier_data } = label;
  // As when it was voided.
  if (keptLinks(carrier_data)?.kind === "return") return "approved";
  const lookUp = labelLookUp(client, context, signal);
  const details = await lookUp.details(carrier_label_id);
  if (!details) return (await lookUp.byReference(reference)) === null ? "approved" : "none";
  if (isVoided(details.status)) return "approved";
  if (details.refund_asked_on === null) return "none";
  // Reconciled is what was received and charged (assumption): its label was used.
  if (details.status === "reconciled") return "rejected";
  const age = Date.now() - Date.parse(details.refund_asked_on);
  return age >= refundDays * dayMs ? "approved" : "pending";
}
