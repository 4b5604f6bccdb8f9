import type {
  CarrierLabel,
  CarrierVoid,
  LabelFile,
  LabelRequest,
  ListedLabel,
  Sighting,
} from "../carrier.ts";
import type { WireLabel, WireLabelRequest, WireListedLabel } from "../simulator/wire.ts";
import { toWirePackage } from "./quotes.ts";

/** Labels: the domain request in the simulator's format, and its responses in the domain's. No I/O. */

export function toLabelRequest(request: LabelRequest): WireLabelRequest {
  const { shipment, service, expected_cost } = request;
  return {
    reference: request.reference,
    references: request.references,
    service_code: service.carrier_service_code,
    service_name: service.name,
    extras: [...request.add_ons],
    expected_cost,
    ship_date: shipment.ship_date,
    sender: shipment.from_address,
    recipient: shipment.to_address,
    return_to: shipment.return_address,
    is_return: shipment.is_return,
    packages: shipment.packages.map(toWirePackage),
    ship_code: request.ship_code,
    customer_reference: shipment.reference,
    contents_type: shipment.contents_type,
    incoterm: shipment.incoterm,
    customs_lines: [...shipment.items],
    label: { format: request.label_format, size: request.label_size },
  };
}

export function fromLabelResponse(label: WireLabel): CarrierLabel {
  return {
    carrier_label_id: label.label_id,
    tracking_code: label.tracking_code,
    package_tracking_codes: label.package_tracking_codes,
    cost:
      label.amount_cents === null
        ? null
        : { amount_cents: label.amount_cents, currency: label.currency },
    files: fromFile(label.label) ?? "pending",
    carrier_data: null,
  };
}

/** Null while the carrier has no file yet. */
export function fromFile(file: WireLabel["label"]): LabelFile[] | null {
  if (file === null) return null;
  const { format, content } = file;
  return [{ type: "label", package_index: null, format, bytes: fromBase64(content) }];
}

/** Empty for text that is not base64: half a label must not pass for one. */
function fromBase64(text: string): Buffer {
  const bytes = Buffer.from(text, "base64");
  return bytes.toString("base64") === text ? bytes : Buffer.alloc(0);
}

export function fromLookupResponse(label: WireLabel): Sighting {
  const { files, ...sold } = fromLabelResponse(label);
  return {
    ...sold,
    files: files === "pending" ? "fetch" : files,
    state: label.voided ? "voided" : "live",
  };
}

/** Nothing for a label without Waybill's references. */
export function fromListResponse(label: WireListedLabel): ListedLabel[] {
  if (!label.references) return [];
  return [
    {
      reference: label.reference,
      references: label.references,
      carrier_label_id: label.label_id,
      tracking_code: label.tracking_code,
      carrier_service_code: label.service_code,
      add_ons: label.extras,
      label_format: label.label_format,
      cost: { amount_cents: label.amount_cents, currency: label.currency },
      voided: label.voided,
      refund: label.refund,
      bought_at: new Date(label.bought_at),
    },
  ];
}

export function fromVoidResponse(answer: { refund: "pending" | "approved" }): CarrierVoid {
  return { refund: answer.refund };
}
