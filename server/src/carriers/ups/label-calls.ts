import {
  CarrierError,
  type CallContext,
  type Carrier,
  type CarrierRefund,
  type CarrierVoid,
  type LabelRef,
} from "../carrier.ts";
import type { MakeLabel } from "../protocol/label-files.ts";
import { dataOfPackages, packagesIn } from "../protocol/package-codes.ts";
import { connectionOf } from "../protocol/rest-client.ts";
import type { UpsClient } from "./client.ts";
import { accountOf } from "./credentials.ts";
import { errorTable, unreadable } from "./errors.ts";
import { filesOf } from "./files.ts";
import {
  fromRecoveryResponse,
  fromShipmentResponse,
  fromVoidResponse,
  recoveryPath,
  shipPath,
  toRecoveryRequest,
  toShipmentRequest,
  voidPath,
  type NativeFile,
} from "./labels.ts";
import { fromReference, referencePath, refundIn, trackingPath } from "./tracking.ts";

type LabelMethods = Pick<
  Carrier,
  "buyLabel" | "lookUpLabel" | "fetchFiles" | "refundState" | "voidLabel"
>;

/** UPS's labels over HTTP: sold, found again, had again, voided. */
export function upsLabels(client: UpsClient, timeout_ms: number, make: MakeLabel): LabelMethods {
  return {
    async buyLabel(request, signal) {
      const { context, label_format: format, label_size: size } = request;
      const account = accountOf(connectionOf(errorTable, context));
      const body = toShipmentRequest(request, account);
      const asked = { context, signal, timeout_ms };
      const answer = await client.call({ ...asked, method: "POST", path: shipPath, body });
      const { shipment_id, package_tracking_codes, cost, files } = fromShipmentResponse(answer);
      const pieces = package_tracking_codes.length;
      const printed = await filesOf(files, { format, size, pieces }, (work) =>
        make(context.account_id, work),
      );
      return {
        carrier_label_id: shipment_id,
        tracking_code: package_tracking_codes[0]!,
        package_tracking_codes,
        cost,
        // What is missing, or cannot be read, can be recovered.
        files: printed.some(({ type }) => type === "label") ? printed : "pending",
        carrier_data: dataOfPackages(package_tracking_codes),
      };
    },

    async lookUpLabel({ context, reference, sent_at }, signal) {
      const { number: account_number } = accountOf(connectionOf(errorTable, context));
      const path = referencePath(reference, { account_number, sent_at });
      const answer = await client.call({ context, method: "GET", path, signal, timeout_ms });
      const seen = fromReference(answer, reference);
      if (!seen) return null;
      const { package_tracking_codes, state } = seen;
      const tracking_code = package_tracking_codes[0]!;
      return {
        carrier_label_id: tracking_code,
        tracking_code,
        package_tracking_codes,
        state,
        cost: null,
        files: "fetch",
        carrier_data: { ...dataOfPackages(package_tracking_codes), first_is_unknown: true },
      };
    },

    async fetchFiles({ context, tracking_code, carrier_data }, format, signal) {
      const codes = packagesIn(carrier_data, tracking_code);
      const native: NativeFile[] = [];
      for (const [index, code] of codes.entries()) {
        const body = toRecoveryRequest(code, format);
        const call = {
          context,
          method: "POST",
          path: recoveryPath,
          body,
          signal,
          timeout_ms,
        } as const;
        native.push(...fromRecoveryResponse(await client.call(call), index));
      }
      const wanted = { format, size: "4x6", pieces: codes.length } as const;
      const files = await filesOf(native, wanted, (work) => make(context.account_id, work));
      if (!files.some(({ type }) => type === "label")) throw unreadable();
      return files;
    },

    refundState: (label, signal) => refundState(client, label, { signal, timeout_ms }),

    voidLabel: (label, signal) => voidLabel(client, label, { signal, timeout_ms }),
  };
}

/**
 * Voids a shipment by its number, which is its first package's. Tracking does not say which one that is: then each
 * is tried until UPS takes one, for it refuses the others.
 */
async function voidLabel(client: UpsClient, label: LabelRef, limits: Limits): Promise<CarrierVoid> {
  const { context, carrier_label_id, tracking_code, carrier_data } = label;
  const others = carrier_data?.first_is_unknown
    ? packagesIn(carrier_data, tracking_code).filter((code) => code !== carrier_label_id)
    : [];
  let refusal: CarrierError | null = null;
  for (const id of [carrier_label_id, ...others]) {
    refusal = await refusalOfVoid(client, { context, path: voidPath(id) }, limits);
    if (refusal === null) return { refund: await refundOfAccepted(client, label, limits) };
  }
  // UPS has several codes for what was voided before, and they are not listed: tracking says it.
  const refund = await refundState(client, label, limits).catch(() => "none");
  if (refund !== "approved") throw refusal!;
  return { refund };
}

/**
 * UPS credits what it voids, but a label that was used: where tracking shows the use, the refund is not sure yet. Where
 * tracking does not answer, the void stands for it.
 */
async function refundOfAccepted(
  client: UpsClient,
  label: LabelRef,
  { signal, timeout_ms }: Limits,
): Promise<CarrierRefund> {
  const limits = { signal, timeout_ms: Math.min(timeout_ms, trackingTimeoutMs) };
  const shown = await refundState(client, label, limits).catch(() => "none");
  return shown === "rejected" ? "pending" : "approved";
}

const trackingTimeoutMs = 5_000;

/** Of all packages: one that was used is billed. */
async function refundState(
  client: UpsClient,
  { context, tracking_code, carrier_data }: LabelRef,
  limits: Limits,
): Promise<CarrierRefund> {
  const shown = new Set<CarrierRefund>();
  for (const code of packagesIn(carrier_data, tracking_code)) {
    const call = { context, method: "GET", path: trackingPath(code), ...limits } as const;
    shown.add(refundIn(await client.call(call)));
    if (shown.has("rejected")) return "rejected";
  }
  return shown.has("none") ? "none" : "approved";
}

interface Limits {
  signal: AbortSignal;
  timeout_ms: number;
}

/** Null where UPS voided it. Throws where it is not known whether it did. */
async function refusalOfVoid(
  client: UpsClient,
  call: { context: CallContext; path: string },
  limits: Limits,
): Promise<CarrierError | null> {
  const answer = await client.call({ ...call, method: "DELETE", ...limits });
  try {
    fromVoidResponse(answer);
    return null;
  } catch (error) {
    if (error instanceof CarrierError && error.kind === "refused") return error;
    throw error;
  }
}
