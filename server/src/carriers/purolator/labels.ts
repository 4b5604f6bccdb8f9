import { addDays } from "../../domain/time/business-days.ts";
import {
  CarrierError,
  type CallContext,
  type Carrier,
  type CarrierLabel,
  type CarrierRefund,
  type LabelFile,
  type LabelFormat,
  type LabelRef,
  type LabelRequest,
  type SentLabel,
  type Sighting,
} from "../carrier.ts";
import { badAnswer, beforeTheCall, refusedByUs } from "../protocol/classify.ts";
import { dataOfPackages, packagesIn } from "../protocol/package-codes.ts";
import { connectionOf } from "../protocol/rest-client.ts";
import { isTrueAt } from "../protocol/xml.ts";
import { accountOf } from "./credentials.ts";
import { formatOf, fromDocuments, toDocumentsRequest, type KnownDocument } from "./documents.ts";
import { errorTable, successOf } from "./errors.ts";
import { priceNow } from "./prices.ts";
import {
  fromCreateShipment,
  pinOf,
  toCreateShipmentRequest,
  toReturnRequest,
} from "./shipments.ts";
import type { SoapClient } from "./soap.ts";
import { fromTracking, pinsIn, showsUse, toReferenceSearch, toTrackRequest } from "./tracking.ts";

const timeout_ms = 30_000;
const fileTimeoutMs = 10_000;

/** Labels: bought at an estimate of a moment before, looked up by tracking, voided on their day. */
export function purolatorLabels(
  client: SoapClient,
): Pick<Carrier, "buyLabel" | "lookUpLabel" | "fetchFiles" | "refundState" | "voidLabel"> {
  return {
    async buyLabel(request, signal) {
      const { context, reference, shipment, label_format: format } = request;
      const cost = await confirmedCost(client, request, signal);
      const account = accountOf(connectionOf(errorTable, context));
      const [service, operation, body] = shipment.is_return
        ? ([
            "returns",
            "CreateReturnsManagementShipment",
            toReturnRequest(request, account),
          ] as const)
        : (["shipping", "CreateShipment", toCreateShipmentRequest(request, account)] as const);
      const call = { service, operation, request: body, reference, context, signal, timeout_ms };
      const sold = fromCreateShipment(successOf(await client.call(call), `${operation}Response`));
      if (!sold) throw badAnswer(errorTable);
      return {
        carrier_label_id: sold.pin,
        tracking_code: sold.piece_pins[0]!,
        package_tracking_codes: sold.piece_pins,
        cost,
        files: await filesOrPending(client, sold.pin, { context, signal, format }),
        carrier_data: dataOfPackages(sold.piece_pins),
      };
    },

    lookUpLabel: (sent, signal) => lookUp(client, sent, signal),

    fetchFiles: ({ context, carrier_label_id }, format, signal) =>
      files(client, carrier_label_id, { context, signal, format }),

    // A void is one at once or not at all, and nothing tells of it later, but that the label was used.
    refundState: async (label, signal) =>
      (await isUsed(client, label, { signal, timeout_ms })) ? "rejected" : "none",

    async voidLabel(label, signal) {
      const { context, carrier_label_id } = label;
      const operation = "VoidShipment";
      const request = [pinOf(carrier_label_id)];
      const call = {
        service: "shipping",
        operation,
        request,
        context,
        signal,
        timeout_ms,
      } as const;
      try {
        const result = successOf(await client.call(call), `${operation}Response`);
        if (!isTrueAt(result, "ShipmentVoided")) throw badAnswer(errorTable);
      } catch (error) {
        if (!(error instanceof CarrierError) || !isVoidedAlready(error)) throw error;
      }
      return { refund: await refundOfAccepted(client, label, signal) };
    },
  };
}

/**
 * Purolator bills a label that was used, also where it took its void: where tracking shows the use, the refund is not
 * sure yet. Where tracking does not answer, the void stands for it.
 */
async function refundOfAccepted(
  client: SoapClient,
  label: LabelRef,
  signal: AbortSignal,
): Promise<CarrierRefund> {
  const limits = { signal, timeout_ms: trackingTimeoutMs };
  return (await isUsed(client, label, limits).catch(() => false)) ? "pending" : "approved";
}

const trackingTimeoutMs = 5_000;

/** Of all packages: Purolator bills the shipment where one was used. */
async function isUsed(
  client: SoapClient,
  { context, tracking_code, carrier_data }: LabelRef,
  limits: { signal: AbortSignal; timeout_ms: number },
): Promise<boolean> {
  const operation = "TrackPackagesByPin";
  const pins = packagesIn(carrier_data, tracking_code);
  const request = toTrackRequest(pins);
  const call = { service: "tracking", operation, request, context, ...limits } as const;
  const result = successOf(await client.call(call), `${operation}Response`);
  return pins.some((pin) => showsUse(fromTracking(result, pin)));
}

/** By tracking: of a purchase of several packages Purolator says that it has them, and not which they are. */
async function lookUp(
  client: SoapClient,
  { context, reference, sent_at, look_up }: SentLabel,
  signal: AbortSignal,
): Promise<Sighting | null> {
  const { billing_account_number } = accountOf(connectionOf(errorTable, context));
  const { country, postal_code } = look_up.destination;
  const sentOn = sent_at.toISOString().slice(0, 10);
  const search = toReferenceSearch({
    reference,
    country,
    postal_code: country === "CA" ? (postal_code?.replaceAll(" ", "") ?? null) : postal_code,
    account_number: billing_account_number,
    // In whatever zone Purolator dates it.
    from: addDays(sentOn < look_up.ship_date ? sentOn : look_up.ship_date, -1),
    to: addDays(sentOn > look_up.ship_date ? sentOn : look_up.ship_date, 1),
  });
  const operation = "TrackPackagesByReference";
  const call = {
    service: "tracking",
    operation,
    request: search,
    context,
    signal,
    timeout_ms,
  } as const;
  const [pin, ...others] = pinsIn(successOf(await client.call(call), `${operation}Response`));
  if (pin === undefined) return null;
  const codes = [pin, ...others];
  return {
    carrier_label_id: pin,
    tracking_code: pin,
    package_tracking_codes: codes.length === look_up.pieces ? codes : null,
    // Tracking does not show voids.
    state: "unknown",
    cost: null,
    files: "fetch",
    carrier_data: dataOfPackages(codes),
  };
}

/** Its code is not in the documents that we have: the text tells it (assumption). */
function isVoidedAlready({ kind, message }: CarrierError): boolean {
  return kind === "refused" && /already (been )?(void|cancel)/i.test(message);
}

/**
 * A purchase has no highest price and does not say its own: what became more expensive, or is not priced any more, is
 * refused before it.
 */
async function confirmedCost(
  client: SoapClient,
  request: LabelRequest,
  signal: AbortSignal,
): Promise<CarrierLabel["cost"]> {
  const { expected_cost } = request;
  const amount_cents = await priceNow(client, request, signal).catch((error: unknown) => {
    // Whatever came of it, the purchase was not sent.
    const isUnknown = error instanceof CarrierError && error.kind === "unknown";
    throw isUnknown ? beforeTheCall(error) : error;
  });
  if (amount_cents === null) {
    throw refusedByUs(errorTable, {
      carrier_code: "price_changed",
      message: "Purolator does not state the price of the service any more; nothing was bought.",
    });
  }
  const cost = { amount_cents, currency: "CAD" };
  if (expected_cost.currency !== cost.currency) return cost;
  if (amount_cents <= expected_cost.amount_cents) return cost;
  throw refusedByUs(errorTable, {
    carrier_code: "price_changed",
    message: "The price is higher than expected; nothing was bought.",
    actual_cost: cost,
  });
}

interface FileCall {
  context: CallContext;
  signal: AbortSignal;
  format: LabelFormat;
}

/** The file is a second call, after the purchase: its failure is no failure of the purchase. */
async function filesOrPending(
  client: SoapClient,
  pin: string,
  call: FileCall,
): Promise<LabelFile[] | "pending"> {
  try {
    return await files(client, pin, call);
  } catch (error) {
    if (error instanceof CarrierError) return "pending";
    throw error;
  }
}

async function files(
  client: SoapClient,
  pin: string,
  { context, signal, format }: FileCall,
): Promise<LabelFile[]> {
  const operation = "GetDocuments";
  const request = toDocumentsRequest(pin, format);
  const call = { service: "documents", operation, request, context, signal } as const;
  const answer = await client.call({ ...call, timeout_ms: fileTimeoutMs });
  const documents = fromDocuments(successOf(answer, `${operation}Response`));
  return Promise.all(
    documents.map(async ({ type, content }) => {
      const bytes = await bytesOf(client, content, { context, signal });
      return { type, package_index: null, format: formatOf(bytes), bytes };
    }),
  );
}

/** A document is in the answer, or behind an address. */
export async function bytesOf(
  client: SoapClient,
  content: KnownDocument["content"],
  call: Omit<FileCall, "format">,
): Promise<Buffer> {
  if (Buffer.isBuffer(content)) return content;
  const answer = await client.file(content.url, { ...call, timeout_ms: fileTimeoutMs });
  if (answer.status === 200) return answer.bytes;
  throw badAnswer(errorTable);
}
