import type { LabelContent, LabelFormat, LabelSize } from "./labels/label-content.ts";
import type { CarrierTariff } from "./pricing/tariff.ts";
import type { WireLabelRequest } from "./wire.ts";

/** What the carrier adds to a request when it issues the label. */
interface PrintedFacts {
  zone: string;
  package_tracking_codes: readonly string[];
}

/** A label file: of all packages, or of the one of that index. */
export interface LabelDrawing {
  content: LabelContent;
  format: LabelFormat | "gif";
  size: LabelSize;
  only_index?: number | undefined;
}

export type DrawLabel = (drawing: LabelDrawing) => Promise<Buffer>;

/**
 * The label file of a purchase, a page for each package, or for the one of that index. The same request and facts
 * always make the same bytes, so that a label can be printed again when it is looked up.
 */
export async function printLabel(
  { tariff, draw }: { tariff: CarrierTariff; draw: DrawLabel },
  purchase: { request: WireLabelRequest; facts: PrintedFacts },
  label: Omit<LabelDrawing, "content"> = purchase.request.label,
): Promise<Buffer> {
  return draw({ ...label, content: contentOf(tariff, purchase.request, purchase.facts) });
}

/** Draws in this thread: several packages, and pictures, take long. */
export async function drawHere(drawing: LabelDrawing): Promise<Buffer> {
  const { renderLabel } = await loadDrawing();
  return renderLabel(drawing.content, drawing, drawing.only_index);
}

/**
 * What draws, loaded with the first label: a part at a time, since each blocks the event loop while it is read.
 */
async function loadDrawing() {
  await import("fontkit");
  await import("pdfkit");
  return import("./labels/render-label.ts");
}

function contentOf(
  tariff: CarrierTariff,
  request: WireLabelRequest,
  { zone, package_tracking_codes }: PrintedFacts,
): LabelContent {
  const { sender, recipient, packages, service_code } = request;
  return {
    carrier: { code: tariff.carrier, name: tariff.name },
    service: { code: service_code, name: serviceName(tariff, service_code, sender.country_code) },
    from: sender,
    to: recipient,
    packages: packages.map(({ weight_grams }, index) => ({
      tracking_code: package_tracking_codes[index]!,
      weight_grams,
    })),
    ship_date: request.ship_date,
    ship_code: request.ship_code,
    reference: request.customer_reference,
    is_return: request.is_return,
    crosses_border: sender.country_code !== recipient.country_code,
    add_ons: request.extras,
    zone,
  };
}

/** UPS gives some codes one name in Canada and another in the United States. */
export function serviceName(tariff: CarrierTariff, code: string, origin: string): string {
  const name = tariff.services.find((service) => service.code === code)?.name ?? code;
  return typeof name === "string" ? name : origin === "US" ? name.US : name.CA;
}
