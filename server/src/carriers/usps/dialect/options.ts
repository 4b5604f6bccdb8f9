import type { FastifyPluginAsync } from "fastify";
import { fromCents } from "../../../domain/values/money.ts";
import { steeringIn } from "../../protocol/steering-header.ts";
import { steered } from "../../simulator/connection-faults.ts";
import type { SimulatedCarrierState } from "../../simulator/dialect.ts";
import { priceService } from "../../simulator/pricing/price.ts";
import { steeringOf } from "../../simulator/steering.ts";
import type { WireRate } from "../../simulator/wire.ts";
import { codeOfExtra, placeOf, readExtras, readPackage } from "./read-label.ts";
import { invalid, UspsRefusal } from "./refusals.ts";
import { shapes, type WireOptions } from "./wire.ts";

/** USPS's search of ways to mail a package. */
export function optionRoutes({ tariff, faults }: SimulatedCarrierState): FastifyPluginAsync {
  return async (app) => {
    app.post(
      "/shipments/v3/options/search",
      { config: { simulated_operation: "quotes" } },
      async (request, reply) => {
        const { body } = request;
        if (!shapes.options.Check(body)) throw invalid("options");
        // The search itself names no street.
        const steering = steeringOf({ address2: steeringIn(request) }, "usps");
        if (steering.throttle) throw new UspsRefusal(429, "Too many requests.");
        if (await steered(steering, faults, reply)) return reply;
        const extras = readExtras(body.packageDescription.extraServices ?? []);
        const isReturn = body.packageDescription.mailClass === "ALL_RETURNS";
        const { originZIPCode, destinationZIPCode, pricingOptions } = body;
        const [{ priceType }] = pricingOptions as [{ priceType: string }];
        const applied = steering.published && priceType === "CONTRACT" ? "COMMERCIAL" : priceType;
        const shippingOptions = tariff.services.flatMap(({ code }) => {
          const priced = steering.no_lane ? null : priceService(tariff, code, consignmentOf(body));
          if (!priced || !("rate" in priced)) return [];
          const mailClass = isReturn ? `${code}_RETURN_SERVICE` : code;
          const rateOptions = optionsOf(priced.rate, { mailClass, extras, priceType: applied });
          return [{ mailClass, rateOptions }];
        });
        return {
          originZIPCode,
          destinationZIPCode,
          pricingOptions: [{ priceType, shippingOptions }],
        };
      },
    );
  };
}

function consignmentOf(body: WireOptions) {
  const { originZIPCode, destinationZIPCode, destinationCountryCode, packageDescription } = body;
  const abroad = {
    postal_code: body.foreignPostalCode ?? null,
    country_code: destinationCountryCode ?? "US",
  };
  return {
    ship_date: packageDescription.mailingDate,
    currency: "USD",
    sender: placeOf({ postal_code: originZIPCode }),
    recipient: placeOf(destinationZIPCode ? { postal_code: destinationZIPCode } : abroad),
    packages: [readPackage(packageDescription)],
  };
}

/** The parcel's own price, and that of a box of USPS's, which is cheaper and not what was asked for. */
function optionsOf(
  rate: WireRate,
  asked: { mailClass: string; extras: readonly string[]; priceType: string },
): object[] {
  const { mailClass, extras, priceType } = asked;
  const { base_cents, surcharges, delivery_date, transit_days, zone } = rate;
  const usual = mailClass.startsWith("PRIORITY_MAIL_EXPRESS") ? "PA" : "SP";
  const option = (rateIndicator: string, cents: number) => ({
    commitment: { name: `${transit_days} Days`, scheduleDeliveryDate: delivery_date },
    totalBasePrice: fromCents(cents),
    rates: [
      {
        description: mailClass,
        price: fromCents(cents),
        zone: zone.slice(0, 3),
        fees: surcharges.map(({ name, code, amount_cents }) => ({
          name,
          SKU: code,
          price: fromCents(amount_cents),
        })),
        priceType,
        mailClass,
        processingCategory: "MACHINABLE",
        rateIndicator,
      },
    ],
    extraServices: [
      { extraService: "920", name: "USPS Tracking", price: 0 },
      ...rate.extras
        .filter(({ code }) => extras.includes(code))
        .map(({ code, amount_cents }) => ({
          extraService: codeOfExtra(code),
          name: code,
          price: fromCents(amount_cents),
        })),
    ],
  });
  return [option("FB", Math.ceil(base_cents / 2)), option(usual, base_cents)];
}
