import { Type } from "typebox";
import type { Routes } from "../../http/routes.ts";
import { palletToWinnipeg, parcelToMontreal } from "../../shipping/shipments/examples.ts";
import { requirePathTypeScope } from "../../shipping/shipments/type-scope.ts";
import { estimateRates, getRates, getShipmentRates } from "./get-rates.ts";
import {
  EstimateRequest,
  LtlRatesRequest,
  RatesResponse,
  RatesRequest,
  Timeout,
} from "./schemas.ts";

const tags = ["Rates"];
const config = { scopes: ["rates:read"], ltl_scopes: ["ltl:read"], limit: "carrier" } as const;

/** `/rates` (spec 4.2, decision 7). */
export const rateRoutes: Routes = async (app) => {
  app.get(
    "/rates/:shipment_id",
    {
      config,
      onRequest: requirePathTypeScope,
      schema: {
        operationId: "getShipmentRates",
        summary: "Quote a shipment",
        description:
          "Every enabled service for the shipment's type is in exactly one of data and meta.excluded_services. Of an LTL shipment they are quotes.",
        tags,
        params: Type.Object({ shipment_id: Type.String({ description: "The shipment's id." }) }),
        querystring: Type.Object({ timeout: Type.Optional(Timeout) }),
        response: { 200: RatesResponse },
      },
    },
    async ({ ctx, params, query }) => getShipmentRates(ctx, params.shipment_id, query.timeout),
  );

  app.post(
    "/rates",
    {
      config: {
        ...config,
        validation: "in_verb",
        validated_by: [RatesRequest, LtlRatesRequest],
        examples: {
          "At most five seconds": { ...parcelToMontreal, timeout: 5 },
          Freight: palletToWinnipeg,
        },
      },
      schema: {
        operationId: "getRates",
        summary: "Quote a shipment without creating it",
        description:
          "The rates can be bought until they expire: send a rate's id as `rate_id`, with the same shipment, to `POST /labels`, or to `POST /labels/{shipment_id}` of a shipment with the same data. Other data is 409 rate_changed.",
        tags,
        body: Type.Unsafe<unknown>({ anyOf: [RatesRequest, LtlRatesRequest] }),
        response: { 200: RatesResponse },
      },
    },
    async ({ ctx, body }) => getRates(ctx, body),
  );

  app.post(
    "/rates/estimate",
    {
      config: {
        ...config,
        validation: "in_verb",
        // Where one field is wrong each is validated by itself.
        validated_by: [EstimateRequest, ...Object.values(EstimateRequest.properties)],
        examples: {
          "Postal codes and a weight": {
            to_postal_code: "V6B 1A1",
            to_country_code: "CA",
            weight: 1.5,
            weight_unit: "kg",
          },
          "With a size": {
            from_postal_code: "M5H 2N2",
            from_country_code: "CA",
            to_postal_code: "H2Y 1C6",
            to_country_code: "CA",
            weight: 3,
            weight_unit: "lbs",
            length: 12,
            width: 9,
            height: 6,
            size_unit: "in",
          },
        },
      },
      schema: {
        operationId: "estimateRates",
        summary: "Estimate rates from postal codes and a weight",
        description:
          "Takes the short form below or a whole POST /rates body. Estimates cannot be bought.",
        tags,
        body: Type.Unsafe<unknown>({ anyOf: [EstimateRequest, RatesRequest, LtlRatesRequest] }),
        response: { 200: RatesResponse },
      },
    },
    async ({ ctx, body }) => estimateRates(ctx, body),
  );
};
