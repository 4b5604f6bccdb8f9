import type { Routes } from "../../http/routes.ts";
import { reportShipping } from "./report-shipping.ts";
import { ShippingReport, ShippingReportQuery } from "./schemas.ts";

/** `/reports`. */
export const reportRoutes: Routes = async (app) => {
  app.get(
    "/reports/shipping",
    {
      config: { scopes: ["reports:read"] },
      schema: {
        operationId: "getShippingReport",
        summary: "What shipping cost, by time or by what was shipped",
        description:
          "The money of the totals is that of the account's transactions of the types label, ltl and refund in the same days. At most 366 days.",
        tags: ["Reports"],
        querystring: ShippingReportQuery,
        response: { 200: ShippingReport },
      },
    },
    async ({ ctx, query }) => reportShipping(ctx, query),
  );
};
