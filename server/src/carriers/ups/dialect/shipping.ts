import type { FastifyPluginAsync } from "fastify";
import { commitDeadlineMs } from "../../simulator/caller.ts";
import { freeReference, type DialectDesk } from "../../simulator/dialect.ts";
import type { LabelFacts } from "../../simulator/label-facts.ts";
import { priceService } from "../../simulator/pricing/price.ts";
import { printDots, printLabel } from "../../simulator/print-label.ts";
import { steeringOf } from "../../simulator/steering.ts";
import { chargesOf } from "./answers.ts";
import { gifDotsPerInch, lyingGif } from "./gif.ts";
import { readAddress, readPurchase, readReference } from "./read-shipment.ts";
import { invalid, oneOrMany, refuseInOk, succeeded, throttled, tokenExpired } from "./refusals.ts";
import type { IssuedTokens } from "./tokens.ts";
import { shapes, type WirePurchase } from "./wire.ts";

/** UPS's purchase of a shipment. */
export function shippingRoutes(desk: DialectDesk, tokens: IssuedTokens): FastifyPluginAsync {
  const { labels, faults, clock } = desk;
  return async (app) => {
    app.post(
      "/api/shipments/:version/ship",
      { config: { simulated_operation: "purchases" } },
      async (request, reply) => {
        if (!shapes.ship.Check(request.body)) throw invalid("ShipmentRequest");
        const purchase = request.body.ShipmentRequest;
        const own = readReference(purchase);
        const steering = steeringOf(readAddress(purchase.Shipment.ShipTo), "ups");
        if (steering.throttle) throw throttled();
        if (steering.token_expired && tokens.expireOnce(own)) throw tokenExpired();
        if (steering.refuse_in_ok) return refuseInOk(reply);
        const reference = await freeReference(labels, own);
        const { value, drop_response } = await labels.buy(readPurchase(purchase, reference), {
          account: { account_id: purchase.Shipment.Shipper.ShipperNumber, environment: "test" },
          tooLate: () => clock.now().getTime() - request.arrived_at > commitDeadlineMs,
        });
        if (drop_response) return faults.dropResponse(reply);
        if (steering.empty_ok) return reply.code(200).type("application/json").send("");
        return {
          ShipmentResponse: {
            Response: succeeded,
            ShipmentResults: await results(desk, purchase, value.facts),
          },
        };
      },
    );
  };
}

export type ImageFormat = "GIF" | "ZPL" | "PDF";

/** What was sold, with the quirks of lists; without charges or files where the steering says so. */
async function results(desk: DialectDesk, purchase: WirePurchase, facts: LabelFacts) {
  const { Shipment, LabelSpecification } = purchase;
  const { request, service_code, amount_cents, currency, package_tracking_codes } = facts;
  const { late_price, late_file_seconds } = steeringOf(request.recipient, "ups");
  const format = LabelSpecification.LabelImageFormat.Code as ImageFormat;
  const negotiated = Shipment.ShipmentRatingOptions?.NegotiatedRatesIndicator !== undefined;
  const priced = priceService(desk.tariff, service_code, { ...request, currency });
  const { charges, ...own } =
    "rate" in priced ? chargesOf({ rate: priced.rate, total_cents: amount_cents }, negotiated) : {};
  const packages = await Promise.all(
    package_tracking_codes.map(async (TrackingNumber, index) => ({
      TrackingNumber,
      ...(late_file_seconds > 0
        ? {}
        : {
            ShippingLabel: {
              ImageFormat: { Code: format, Description: format },
              GraphicImage: await imageOf(desk, facts, { index, format }),
            },
          }),
    })),
  );
  return {
    ...(late_price ? {} : { ShipmentCharges: charges, ...own }),
    ShipmentIdentificationNumber: package_tracking_codes[0],
    PackageResults: oneOrMany(packages),
    ...(Shipment.ShipmentServiceOptions?.InternationalForms
      ? { Form: { Code: "01", Image: { ImageFormat: { Code: "PDF" }, GraphicImage: invoice } } }
      : {}),
  };
}

/** A page without content stands for the invoice that UPS draws. */
const invoice = Buffer.from(
  "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n" +
    "3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n",
).toString("base64");

/** The label of one package, in base64. */
export async function imageOf(
  { tariff }: DialectDesk,
  { request, zone, package_tracking_codes }: LabelFacts,
  { index, format }: { index: number; format: ImageFormat },
): Promise<string> {
  const ofOne = { ...request, packages: [request.packages[index]!] };
  const facts = { zone, package_tracking_codes: [package_tracking_codes[index]!] };
  if (format === "GIF") {
    const dots = await printDots(tariff, { request: ofOne, facts }, gifDotsPerInch);
    return lyingGif(dots).toString("base64");
  }
  const drawn = { ZPL: "zpl", PDF: "pdf" } as const;
  const label = { format: drawn[format], size: "4x6" } as const;
  return (await printLabel(tariff, { ...ofOne, label }, facts)).toString("base64");
}
