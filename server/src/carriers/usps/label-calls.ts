import type { Carrier, CarrierLabel, LabelFile, LabelFormat } from "../carrier.ts";
import { wholeLabel, type MakeLabel } from "../protocol/label-files.ts";
import { textIn } from "../protocol/json.ts";
import type { UspsClient } from "./client.ts";
import { unreadable } from "./errors.ts";
import {
  cancelPath,
  formatOf,
  fromCancelResponse,
  fromLabelResponse,
  fromReprint,
  imageType,
  keyOf,
  kindOf,
  labelPaths,
  reprintPath,
  toLabelRequest,
  toReprintRequest,
  type LabelKind,
} from "./labels.ts";
import { fromTracking, showsUse, trackingPath } from "./tracking.ts";
import { trackingEvents } from "./tracking-events.ts";

type LabelMethods = Pick<
  Carrier,
  "buyLabel" | "lookUpLabel" | "fetchFiles" | "refundState" | "voidLabel"
>;

/** USPS's labels over HTTP: sold once under a key, printed again by it, cancelled. */
export function uspsLabels(client: UspsClient, timeout_ms: number, make: MakeLabel): LabelMethods {
  return {
    async buyLabel(request, signal): Promise<CarrierLabel> {
      const { context, reference, shipment, service, label_format, label_size } = request;
      const kind = kindOf(service.carrier_service_code, shipment);
      const answer = await client.paidCall({
        context,
        method: "POST",
        path: labelPaths[kind],
        headers: { ...filed, "X-Idempotency-Key": keyOf(reference) },
        body: toLabelRequest(request),
        signal,
        timeout_ms,
      });
      const { tracking_code, cost, image } = fromLabelResponse(answer);
      const size = label_size === "letter" ? "letter" : "4x6";
      const paper = (pdf: Buffer) => make(context.account_id, { make: "on_letter", pdf });
      return {
        carrier_label_id: tracking_code,
        tracking_code,
        package_tracking_codes: [tracking_code],
        cost,
        files: image
          ? await filesOf(image, { format: label_format, kind, size }, paper)
          : "pending",
        carrier_data: { kind },
      };
    },

    async lookUpLabel({ context, reference, look_up }, signal) {
      const kind = kindOf(look_up.carrier_service_code);
      const answer = await client.paidCall({
        context,
        method: "POST",
        path: reprintPath(kind),
        headers: { ...filed, "X-Idempotency-Key": keyOf(reference) },
        body: toReprintRequest("pdf", kind),
        signal,
        timeout_ms,
      });
      const found = fromReprint(answer);
      if (!found) return null;
      const { tracking_code, cost } = found;
      return {
        carrier_label_id: tracking_code,
        tracking_code,
        package_tracking_codes: [tracking_code],
        state: "live",
        cost,
        // The format that was sold is asked for: USPS prints a label three times, and this was one of them.
        files: "fetch",
        carrier_data: { kind },
      };
    },

    async fetchFiles({ context, tracking_code, carrier_data }, format, signal) {
      const kind = kindIn(carrier_data);
      const answer = await client.paidCall({
        context,
        method: "POST",
        path: reprintPath(kind, tracking_code),
        headers: filed,
        body: toReprintRequest(format, kind),
        signal,
        timeout_ms,
      });
      const { image } = fromLabelResponse(answer);
      if (!image) throw unreadable();
      return [wholeLabel(soldFormat(format, kind), image)];
    },

    ...ends(client, timeout_ms),
  };
}

function ends(
  client: UspsClient,
  timeout_ms: number,
): Pick<LabelMethods, "refundState" | "voidLabel"> {
  return {
    // No call of USPS's says what became of a request for a refund, but tracking shows a label that was used.
    async refundState({ context, tracking_code }, signal) {
      const path = trackingPath(tracking_code);
      const answer = await client.call({ context, method: "GET", path, signal, timeout_ms });
      return showsUse(fromTracking(answer, trackingEvents)) ? "rejected" : "none";
    },

    async voidLabel({ context, carrier_label_id, carrier_data }, signal) {
      const path = cancelPath(kindIn(carrier_data), carrier_label_id);
      const call = { context, method: "DELETE", path, signal, timeout_ms } as const;
      return { refund: fromCancelResponse(await client.paidCall(call)) };
    },
  };
}

/** Parts are USPS's usual form of answers with files; it is read in both of its forms. */
const filed = { accept: "multipart/form-data, application/json" };

function kindIn(carrier_data: unknown): LabelKind {
  const kind = textIn(carrier_data, "kind");
  return kind === "return" || kind === "international" ? kind : "domestic";
}

function soldFormat(format: LabelFormat, kind: LabelKind): LabelFormat {
  return formatOf(imageType(format, kind));
}

async function filesOf(
  image: Buffer,
  { format, kind, size }: { format: LabelFormat; kind: LabelKind; size: "4x6" | "letter" },
  onLetter: (pdf: Buffer) => Promise<Buffer | null>,
): Promise<LabelFile[]> {
  const sold = soldFormat(format, kind);
  const onPaper =
    sold === "pdf" && size === "letter" ? await onLetter(image).catch(() => null) : null;
  return [wholeLabel(sold, onPaper ?? image)];
}
