import { Type } from "typebox";
import type { Routes } from "../../http/routes.ts";
import { estimateRates, getRates, getShipmentRates } from "./get-rates.ts";
import { EstimateRequest, RatesAnswer, RatesRequest, Timeout } from "./schemas.ts";

const tags = ["Rates"];
const config = { scopes: ["rates:read"], limit: "carrier" } as const;

/** `/rates` (spec 4.2, decision 7). */
export const rateRoutes: Routes = async (app) => {
  app.get(
    "/rates/:shipment_id",
    {
      config,
      schema: {
        operationId: "getShipmentRates",
        summary: "Quote a shipment",
        description: "Every enabled service is in exactly one of data and meta.excluded_services.",
        tags,
        params: Type.Object({ shipment_id: Type.String() }),
        querystring: Type.Object({ timeout: Type.Optional(Timeout) }),
        response: { 200: RatesAnswer },
      },
    },
    async ({ ctx, params, query }) => getShipmentRates(ctx, params.shipment_id, query.timeout),
  );

  app.post(
    "/rates",
    {
      config: { ...config, validation: "in_verb" },
      schema: {
        operationId: "getRates",
        summary: "Quote a shipment without creating it",
        tags,
        body: RatesRequest,
        response: { 200: RatesAnswer },
      },
    },
    async ({ ctx, body }) => getRates(ctx, body),
  );

  app.post(
    "/rates/estimate",
    {
      config: { ...config, validation: "in_verb" },
      schema: {
        operationId: "estimateRates",
        summary: "Estimate rates from postal codes and a weight",
        description:
          "Takes the short form below or a whole POST /rates body. Estimates cannot be bought.",
        tags,
        body: Type.Unsafe<unknown>({ anyOf: [EstimateRequest, RatesRequest] }),
        response: { 200: RatesAnswer },
      },
    },
    async ({ ctx, body }) => estimateRates(ctx, body),
  );
};
