import { CarrierError, type CarrierLabel, type LabelFile, type LabelRequest } from "../carrier.ts";
import { badAnswer, beforeTheCall, refusedByUs } from "../protocol/classify.ts";
import { contractIn, type PostClient } from "./client.ts";
import { errorTable, successOf } from "./errors.ts";
import { filesBehind } from "./files.ts";
import { shipmentsPath } from "./label-look-up.ts";
import { toCarrierData } from "./links.ts";
import { priceNow } from "./prices.ts";
import { fromAuthorizedReturn, returnMediaType, toAuthorizedReturn } from "./returns.ts";
import {
  fromReceipt,
  fromShipmentInfo,
  groupId,
  isAuthorizedReturn,
  nonContractMediaType,
  shipmentMediaType,
  toNonContractShipment,
  toShipment,
  type KnownShipment,
  type Links,
} from "./shipments.ts";

const timeout_ms = 30_000;

/**
 * Buys a label: under a contract as a shipment of a group, which its manifest charges; without one paid at
 * once; and a return at home as one that costs when it is used. It has no PNG: a PDF comes in its place.
 */
export async function buyLabel(
  client: PostClient,
  request: LabelRequest,
  signal: AbortSignal,
): Promise<CarrierLabel> {
  if (isAuthorizedReturn(request.shipment)) return buyReturn(client, request, signal);
  const hasContract = contractIn(request.context).contract_id !== null;
  return hasContract
    ? buyUnderContract(client, request, signal)
    : buyWithoutContract(client, request, signal);
}

async function buyUnderContract(client: PostClient, request: LabelRequest, signal: AbortSignal) {
  const contract = contractIn(request.context);
  const answer = await client.call({
    method: "POST",
    to: shipmentsPath(contract),
    media_type: shipmentMediaType,
    body: toShipment(request, contract),
    context: request.context,
    signal,
    timeout_ms,
    steering: request.shipment.to_address.address2,
  });
  const known = fromShipmentInfo(successOf(answer, "shipment-info"));
  if (!known) throw badAnswer(errorTable);
  return labelOf(client, { known, request, kind: "contract" }, signal);
}

/** A refund takes days, so what became more expensive is refused before it is paid. */
async function buyWithoutContract(client: PostClient, request: LabelRequest, signal: AbortSignal) {
  await refuseDearer(client, request, signal);
  const contract = contractIn(request.context);
  const answer = await client.call({
    method: "POST",
    to: shipmentsPath(contract),
    media_type: nonContractMediaType,
    body: toNonContractShipment(request, contract),
    context: request.context,
    signal,
    timeout_ms,
    steering: request.shipment.to_address.address2,
  });
  const known = fromShipmentInfo(successOf(answer, "non-contract-shipment-info"));
  if (!known) throw badAnswer(errorTable);
  const cost = await paid(client, request, { known, signal });
  return labelOf(client, { known: { ...known, cost }, request, kind: "none" }, signal);
}

async function refuseDearer(client: PostClient, request: LabelRequest, signal: AbortSignal) {
  const { expected_cost } = request;
  // Nothing was bought yet, whatever comes of this call.
  const amount_cents = await priceNow(client, request, signal).catch((error: unknown) => {
    if (!(error instanceof CarrierError) || error.kind !== "unknown") throw error;
    if (error.carrier_code === "timeout") throw beforeTheCall(error);
    return null;
  });
  if (amount_cents === null || amount_cents <= expected_cost.amount_cents) return;
  throw refusedByUs(errorTable, {
    carrier_code: "price_changed",
    message: "The price is higher than expected; nothing was bought.",
    actual_cost: { amount_cents, currency: "CAD" },
  });
}

/** The receipt is a second call: where it fails, the label is sold all the same, at a price not told. */
async function paid(
  client: PostClient,
  { context }: LabelRequest,
  { known, signal }: { known: KnownShipment; signal: AbortSignal },
) {
  const { receipt } = known.links;
  if (!receipt) return null;
  try {
    const answer = await client.call({
      method: "GET",
      to: receipt,
      context,
      signal,
      timeout_ms: 10_000,
    });
    return fromReceipt(successOf(answer, "non-contract-shipment-receipt"));
  } catch (error) {
    if (error instanceof CarrierError) return null;
    throw error;
  }
}

async function buyReturn(client: PostClient, request: LabelRequest, signal: AbortSignal) {
  const contract = contractIn(request.context);
  const { customer_number, mailed_on_behalf_of } = contract;
  const answer = await client.call({
    method: "POST",
    to: `/rs/${customer_number}/${mailed_on_behalf_of}/authorizedreturn`,
    media_type: returnMediaType,
    body: toAuthorizedReturn(request, contract),
    context: request.context,
    signal,
    timeout_ms,
    steering: request.shipment.to_address.address2,
  });
  const known = fromAuthorizedReturn(successOf(answer, "authorized-return-info"));
  if (!known) throw badAnswer(errorTable);
  const { tracking_pin, links } = known;
  const shipment: KnownShipment = {
    shipment_id: tracking_pin,
    tracking_pin,
    customer_request_id: null,
    status: null,
    cost: null,
    links: { ...links, label: links.returnLabel ?? links.label },
  };
  return labelOf(client, { known: shipment, request, kind: "return" }, signal);
}

async function labelOf(
  client: PostClient,
  sold: { known: KnownShipment; request: LabelRequest; kind: "contract" | "none" | "return" },
  signal: AbortSignal,
): Promise<CarrierLabel> {
  const { known, request, kind } = sold;
  // A service without tracking has no number: its shipment's id names the package.
  const tracking_code = known.tracking_pin ?? known.shipment_id;
  return {
    carrier_label_id: known.shipment_id,
    tracking_code,
    package_tracking_codes: [tracking_code],
    cost: known.cost,
    files: await filesOrPending(client, request, { links: known.links, signal }),
    carrier_data: toCarrierData(kind, { ...known.links, ...groupIn(request, kind) }),
  };
}

function groupIn({ context, shipment }: LabelRequest, kind: "contract" | "none" | "return") {
  return kind === "contract" ? { group_id: groupId(context.account_id, shipment.ship_date) } : {};
}

/** The file is a second call, after the purchase: its failure is no failure of the purchase. */
async function filesOrPending(
  client: PostClient,
  { context }: LabelRequest,
  { links, signal }: { links: Links; signal: AbortSignal },
): Promise<LabelFile[] | "pending"> {
  try {
    return await filesBehind(links, { client, context, signal });
  } catch (error) {
    if (error instanceof CarrierError) return "pending";
    throw error;
  }
}
