import type { FastifyPluginAsync } from "fastify";
import { commitDeadlineMs } from "../../simulator/caller.ts";
import { freeReference, type SimulatedCarrierState } from "../../simulator/dialect.ts";
import type { LabelFacts } from "../../simulator/label-facts.ts";
import { priceService } from "../../simulator/pricing/price.ts";
import { printInvoice } from "../../simulator/print-invoice.ts";
import { printLabel } from "../../simulator/print-label.ts";
import { steeringOf } from "../../simulator/steering.ts";
import { chargesOf } from "./answers.ts";
import { readAddress, readInvoice, readPurchase, readReferences } from "./read-shipment.ts";
import { invalid, oneOrMany, refuseInOk, succeeded, throttled, tokenExpired } from "./refusals.ts";
import type { IssuedTokens } from "./tokens.ts";
import { shapes, type WirePurchase } from "./wire.ts";

/** UPS's purchase of a shipment. */
export function shippingRoutes(
  simulated: SimulatedCarrierState,
  tokens: IssuedTokens,
): FastifyPluginAsync {
  const { labels, faults, clock } = simulated;
  return async (app) => {
    app.post(
      "/api/shipments/:version/ship",
      { config: { simulated_operation: "purchases" } },
      async (request, reply) => {
        if (!shapes.ship.Check(request.body)) throw invalid("ShipmentRequest");
        const purchase = request.body.ShipmentRequest;
        const { reference: own, ...others } = readReferences(purchase);
        const steering = steeringOf(readAddress(purchase.Shipment.ShipTo), "ups");
        if (steering.throttle) throw throttled();
        if (steering.token_expired && tokens.expireOnce(own)) throw tokenExpired();
        if (steering.refuse_in_ok) return refuseInOk(reply);
        const reference = await freeReference(labels, own);
        const { value, drop_response } = await labels.buy(
          readPurchase(purchase, { ...others, reference }),
          {
            account: { account_id: purchase.Shipment.Shipper.ShipperNumber, environment: "test" },
            tooLate: () => clock.now().getTime() - request.arrived_at > commitDeadlineMs,
          },
        );
        if (drop_response) return faults.dropResponse(reply);
        if (steering.empty_ok) return reply.code(200).type("application/json").send("");
        return {
          ShipmentResponse: {
            Response: succeeded,
            ShipmentResults: await results(simulated, purchase, value.facts),
          },
        };
      },
    );
  };
}

export type ImageFormat = "GIF" | "ZPL" | "PDF";

/** What was sold, with the quirks of lists; without charges or files where the steering says so. */
async function results(
  simulated: SimulatedCarrierState,
  purchase: WirePurchase,
  facts: LabelFacts,
) {
  const { Shipment, LabelSpecification } = purchase;
  const { request, service_code, amount_cents, currency, package_tracking_codes } = facts;
  const { late_price, late_file_seconds } = steeringOf(request.recipient, "ups");
  const format = LabelSpecification.LabelImageFormat.Code as ImageFormat;
  const negotiated = Shipment.ShipmentRatingOptions?.NegotiatedRatesIndicator !== undefined;
  const priced = priceService(simulated.tariff, service_code, { ...request, currency });
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
              GraphicImage: await imageOf(simulated, facts, { index, format }),
            },
          }),
    })),
  );
  return {
    ...(late_price ? {} : { ShipmentCharges: charges, ...own }),
    ShipmentIdentificationNumber: package_tracking_codes[0],
    PackageResults: oneOrMany(packages),
    ...(await formOf(Shipment, package_tracking_codes[0]!)),
  };
}

async function formOf(shipment: WirePurchase["Shipment"], trackingCode: string) {
  const forms = shipment.ShipmentServiceOptions?.InternationalForms;
  if (!forms) return {};
  const invoice = await printInvoice(readInvoice(shipment, forms, trackingCode));
  const Image = { ImageFormat: { Code: "PDF" }, GraphicImage: invoice.toString("base64") };
  return { Form: { Code: "01", Image } };
}

/** The label of one package, in base64. */
export async function imageOf(
  simulated: SimulatedCarrierState,
  { request, zone, package_tracking_codes }: LabelFacts,
  { index, format }: { index: number; format: ImageFormat },
): Promise<string> {
  const facts = { zone, package_tracking_codes };
  const drawn = { GIF: "gif", ZPL: "zpl", PDF: "pdf" } as const;
  const label = { format: drawn[format], size: "4x6", only_index: index } as const;
  return (await printLabel(simulated, { request, facts }, label)).toString("base64");
}
