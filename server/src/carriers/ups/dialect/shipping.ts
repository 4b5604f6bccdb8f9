import type { FastifyPluginAsync } from "fastify";
import { commitDeadlineMs } from "../../simulator/caller.ts";
import { steered } from "../../simulator/connection-faults.ts";
import { freeReference, isDue, type DialectDesk } from "../../simulator/dialect.ts";
import type { LabelFacts } from "../../simulator/label-facts.ts";
import { costOf, priceService } from "../../simulator/pricing/price.ts";
import { printLabel } from "../../simulator/print-label.ts";
import { steeringOf } from "../../simulator/steering.ts";
import { chargesOf, ratedShipment } from "./answers.ts";
import { lyingGif } from "./gif.ts";
import {
  readAddress,
  readConsignment,
  readExtras,
  readPurchase,
  readReference,
} from "./read-shipment.ts";
import { oneOrMany, refuseInOk, succeeded, UpsRefusal } from "./refusals.ts";
import type { IssuedTokens } from "./tokens.ts";
import { shapes, type WirePurchase } from "./wire.ts";

/** UPS's prices, labels, voids and recovered labels. */
export function shippingRoutes(desk: DialectDesk, tokens: IssuedTokens): FastifyPluginAsync {
  const { tariff, labels, faults, clock } = desk;
  return async (app) => {
    app.post(
      "/api/rating/:version/:option",
      { config: { simulated_operation: "quotes" } },
      async ({ body }, reply) => {
        if (!shapes.rate.Check(body)) throw invalid("RateRequest");
        const { Shipment } = body.RateRequest;
        const steering = steeringOf(readAddress(Shipment.ShipTo), "ups");
        if (steering.throttle) throw throttled();
        if (await steered(steering, faults, reply)) return reply;
        const consignment = readConsignment(Shipment, Shipment.DeliveryTimeInformation.Pickup.Date);
        const extras = readExtras(Shipment);
        const negotiated = Shipment.ShipmentRatingOptions?.NegotiatedRatesIndicator !== undefined;
        const rated = tariff.services.flatMap(({ code }) => {
          const priced = steering.no_lane ? null : priceService(tariff, code, consignment);
          if (!priced || !("rate" in priced)) return [];
          const total_cents = costOf(priced.rate, extras);
          return total_cents === null
            ? []
            : [ratedShipment({ rate: priced.rate, total_cents }, negotiated)];
        });
        if (rated.length === 0) {
          const message = "The requested service is unavailable between the selected locations.";
          throw new UpsRefusal(400, "111210", message);
        }
        return { RateResponse: { Response: succeeded, RatedShipment: oneOrMany(rated) } };
      },
    );

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
        const { drop_response } = await labels.buy(readPurchase(purchase, reference), {
          account: { account_id: purchase.Shipment.Shipper.ShipperNumber, environment: "test" },
          tooLate: () => clock.now().getTime() - request.arrived_at > commitDeadlineMs,
        });
        if (drop_response) return faults.dropResponse(reply);
        if (steering.empty_ok) return reply.code(200).type("application/json").send("");
        const booked = await labels.peek({ reference });
        return {
          ShipmentResponse: {
            Response: succeeded,
            ShipmentResults: await results(desk, purchase, booked!.facts),
          },
        };
      },
    );

    app.delete(
      "/api/shipments/:version/void/cancel/:id",
      { config: { simulated_operation: "voids" } },
      async ({ params }, reply) => {
        const { id } = params as { id: string };
        const booked = await labels.peek({ tracking_code: id });
        const { state, facts } = booked ?? {};
        if (!state || !facts || state.tracking_code !== id || state.voided) throw notVoidable();
        const { no_void } = steeringOf(facts.request.recipient, "ups");
        if (no_void || state.used) throw notVoidable();
        const { reference, tracking_code } = state;
        const { drop_response } = await labels.void(state.label_id, { reference, tracking_code });
        if (drop_response) return faults.dropResponse(reply);
        const done = { Code: "1", Description: "Voided" };
        return { VoidShipmentResponse: { Response: succeeded, SummaryResult: { Status: done } } };
      },
    );

    app.post(
      "/api/labels/:version/recovery",
      { config: { simulated_operation: "look_ups" } },
      async ({ body }) => {
        if (!shapes.recovery.Check(body)) throw invalid("LabelRecoveryRequest");
        const { TrackingNumber, LabelSpecification } = body.LabelRecoveryRequest;
        const booked = await labels.peek({ tracking_code: TrackingNumber });
        const late = booked && steeringOf(booked.facts.request.recipient, "ups").late_file_seconds;
        if (!booked || booked.state.voided || !isDue(desk, booked.state.bought_at, late!)) {
          throw new UpsRefusal(400, "300022", "No Label found for the tracking number.");
        }
        const { Code } = LabelSpecification.LabelImageFormat;
        const index = booked.facts.package_tracking_codes.indexOf(TrackingNumber);
        const image = await imageOf(desk, booked.facts, { index, format: Code as ImageFormat });
        return {
          LabelRecoveryResponse: {
            Response: succeeded,
            ShipmentIdentificationNumber: booked.state.tracking_code,
            LabelResults: {
              TrackingNumber,
              LabelImage: { LabelImageFormat: { Code }, GraphicImage: image },
            },
          },
        };
      },
    );
  };
}

type ImageFormat = "GIF" | "ZPL" | "PDF";

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
async function imageOf(
  { tariff }: DialectDesk,
  { request, zone, package_tracking_codes }: LabelFacts,
  { index, format }: { index: number; format: ImageFormat },
): Promise<string> {
  const drawn = { GIF: "png", ZPL: "zpl", PDF: "pdf" } as const;
  const label = { format: drawn[format], size: "4x6" } as const;
  const bytes = await printLabel(
    tariff,
    { ...request, label, packages: [request.packages[index]!] },
    { zone, package_tracking_codes: [package_tracking_codes[index]!] },
  );
  return (format === "GIF" ? await lyingGif(bytes) : bytes).toString("base64");
}

export function invalid(what: string): UpsRefusal {
  return new UpsRefusal(400, "10002", `The ${what} is well formed but not valid.`);
}

function throttled(): UpsRefusal {
  return new UpsRefusal(429, "10429", "Too Many Requests");
}

function tokenExpired(): UpsRefusal {
  return new UpsRefusal(401, "250002", "Invalid Authentication Information.");
}

function notVoidable(): UpsRefusal {
  return new UpsRefusal(400, "190102", "No shipment found within the allowed void period");
}
