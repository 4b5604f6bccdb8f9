import { Compile } from "typebox/compile";
import {
  CarrierError,
  type CallContext,
  type Carrier,
  type CarrierDescriptor,
} from "../carrier.ts";
import {
  WireLabelResponse,
  WireLabelsResponse,
  WireListResponse,
  WireVoidResponse,
  type WireLabel,
} from "../simulator/wire.ts";
import type { CarrierClient } from "./client.ts";
import {
  fromFile,
  fromLabelResponse,
  fromListResponse,
  fromLookupResponse,
  fromVoidResponse,
  toLabelRequest,
} from "./labels.ts";

const labelShape = Compile(WireLabelResponse);
const labelsShape = Compile(WireLabelsResponse);
const listShape = Compile(WireListResponse);
const voidShape = Compile(WireVoidResponse);

type LabelCalls = Pick<
  Carrier,
  "buyLabel" | "lookUpLabel" | "fetchFiles" | "refundState" | "listLabels" | "voidLabel"
>;

/** The calls of a simulated courier about its labels. */
export function simulatedLabels(client: CarrierClient, descriptor: CarrierDescriptor): LabelCalls {
  const timeout_ms = descriptor.purchaseTimeoutSeconds * 1_000;

  async function find(
    path: string,
    { reference, context }: { reference: string; context: CallContext },
    signal: AbortSignal,
  ): Promise<WireLabel | null> {
    const { data } = await client.call(
      { method: "GET", path, context, signal, timeout_ms },
      {
        shape: labelsShape,
        fits: (answer) => answer.data.every((label) => label.reference === reference),
      },
    );
    return data[0] ?? null;
  }
  const pathOf = (labelId: string) => `/labels/${encodeURIComponent(labelId)}`;

  return {
    async buyLabel(request, signal) {
      const { context } = request;
      const body = toLabelRequest(request);
      const { data } = await client.call(
        { method: "POST", path: "/labels", body, context, signal, timeout_ms },
        { shape: labelShape, fits: ({ data }) => data.reference === body.reference },
      );
      return fromLabelResponse(data);
    },

    async lookUpLabel(sent, signal) {
      const path = `/labels?reference=${encodeURIComponent(sent.reference)}`;
      const label = await find(path, sent, signal);
      return label && fromLookupResponse(label);
    },

    async fetchFiles(label, format, signal) {
      const found = await find(pathOf(label.carrier_label_id), label, signal);
      const files = found && fromFile(found.label);
      if (files?.every((file) => file.format === format)) return files;
      throw noFile(descriptor, format);
    },

    async refundState(label, signal) {
      const found = await find(pathOf(label.carrier_label_id), label, signal);
      return found?.refund ?? "none";
    },

    async listLabels({ environment, since, cursor }, signal) {
      const query = new URLSearchParams({ since: since.toISOString(), cursor: cursor ?? "0" });
      const path = `/labels/changes?${query.toString()}`;
      // No account's in particular: the contract with the carrier is the platform's.
      const context = { environment, account_id: "platform", connection: null };
      const { data, next_cursor } = await client.call(
        { method: "GET", path, context, signal, timeout_ms },
        { shape: listShape },
      );
      return {
        labels: data.flatMap(fromListResponse),
        next_cursor: next_cursor === null ? null : String(next_cursor),
      };
    },

    async voidLabel({ context, reference, carrier_label_id, tracking_code }, signal) {
      const path = `${pathOf(carrier_label_id)}/void`;
      const body = { reference, tracking_code };
      const { data } = await client.call(
        { method: "POST", path, body, context, signal, timeout_ms },
        { shape: voidShape },
      );
      return fromVoidResponse(data);
    },
  };
}

function noFile({ code, name }: CarrierDescriptor, format: string): CarrierError {
  return new CarrierError({
    kind: "refused",
    carrier: code,
    carrier_code: "no_file",
    message: `${name} has no ${format} file of this label.`,
  });
}
