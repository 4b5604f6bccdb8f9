import type { LabelContent } from "./labels/label-content.ts";
import type { CarrierTariff } from "./pricing/tariff.ts";
import type { WireLabelRequest } from "./wire.ts";

/** What the carrier adds to a request when it issues the label. */
interface PrintedFacts {
  zone: string;
  package_tracking_codes: readonly string[];
}

/**
 * The label file of a purchase, a page for each package, or for the one of that index. The same request and facts
 * always make the same bytes, so that a label can be printed again when it is looked up.
 */
export async function printLabel(
  tariff: CarrierTariff,
  request: WireLabelRequest,
  facts: PrintedFacts & { only_index?: number },
): Promise<Buffer> {
  const { renderLabel } = await loadDrawing();
  return renderLabel(contentOf(tariff, request, facts), request.label, facts.only_index);
}

/** The label of one package as its dots, four by six inches, for a carrier with a picture format of its own. */
export async function printDots(
  tariff: CarrierTariff,
  purchase: { request: WireLabelRequest; facts: PrintedFacts },
  picture: { index: number; dotsPerInch: number },
): Promise<Buffer> {
  const { labelDots } = await loadDrawing();
  return labelDots(contentOf(tariff, purchase.request, purchase.facts), picture);
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
