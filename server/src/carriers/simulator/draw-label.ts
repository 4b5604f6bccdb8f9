import { renderLabel } from "./labels/render-label.ts";
import type { CarrierTariff } from "./pricing/tariff.ts";
import type { WireLabelRequest } from "./wire.ts";

/**
 * The file that a label is: one page for each package. The same request always makes the same bytes,
 * so that a label can be drawn again when it is looked up.
 */
export async function drawLabel(
  tariff: CarrierTariff,
  request: WireLabelRequest,
  facts: { zone: string; package_tracking_codes: readonly string[] },
): Promise<Buffer> {
  const { sender, recipient, packages, label } = request;
  return renderLabel(
    {
      carrier: { code: tariff.carrier, name: tariff.name },
      service: { code: request.service_code, name: request.service_name },
      from: sender,
      to: recipient,
      packages: facts.package_tracking_codes.map((tracking_code, index) => ({
        tracking_code,
        weight_grams: packages[index]!.weight_grams,
      })),
      ship_date: request.ship_date,
      ship_code: request.ship_code,
      reference: request.customer_reference,
      is_return: request.is_return,
      crosses_border: sender.country_code !== recipient.country_code,
      add_ons: request.extras,
      zone: facts.zone,
    },
    label.format,
    label.size,
  );
}
