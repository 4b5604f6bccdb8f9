import type { FastifyInstance } from "fastify";
import type { Platform } from "../context.ts";
import { openAdminApi, openApi } from "../http/api.ts";
import { serveDashboard } from "../http/dashboard.ts";
import { openAuthApi } from "../http/auth-api.ts";
import { serveReference } from "../http/reference.ts";
import { newServer } from "../http/server.ts";
import { accountRoutes } from "../resources/account/routes.ts";
import { addressBookRoutes } from "../resources/addresses/book-routes.ts";
import { addressRoutes } from "../resources/addresses/routes.ts";
import { adminFindRoutes } from "../resources/admin/find-routes.ts";
import { reviewRoutes } from "../resources/admin/review-routes.ts";
import { adminRoutes } from "../resources/admin/routes.ts";
import { peopleRoutes } from "../resources/auth/admin-routes.ts";
import { authRoutes } from "../resources/auth/routes.ts";
import { billingRoutes } from "../resources/billing/routes.ts";
import { batchRoutes } from "../resources/batches/routes.ts";
import { batchTimelineRoutes } from "../resources/batches/timeline-routes.ts";
import { platformConnectionRoutes } from "../resources/carrier-connections/admin-routes.ts";
import { connectionRoutes } from "../resources/carrier-connections/routes.ts";
import { carrierRoutes } from "../resources/carriers/routes.ts";
import { countRoutes } from "../resources/counts/routes.ts";
import { paymentMethodRoutes } from "../resources/credits/payment-method-routes.ts";
import { creditRoutes } from "../resources/credits/routes.ts";
import { documentRoutes } from "../resources/documents/routes.ts";
import { exchangeRateRoutes } from "../resources/exchange-rates/admin-routes.ts";
import { eventRoutes } from "../resources/events/routes.ts";
import { filterRoutes } from "../resources/filters/routes.ts";
import { deliveryRoutes } from "../resources/deliveries/routes.ts";
import { fileRoutes } from "../resources/files/routes.ts";
import { importRoutes } from "../resources/imports/routes.ts";
import { labelRoutes } from "../resources/labels/routes.ts";
import { locationImportRoutes } from "../resources/locations/admin-routes.ts";
import { locationRoutes } from "../resources/locations/routes.ts";
import { orderRoutes } from "../resources/orders/routes.ts";
import { orderTimelineRoutes } from "../resources/orders/timeline-routes.ts";
import { ltlRoutes } from "../resources/ltl/routes.ts";
import { packagePresetRoutes } from "../resources/package-presets/routes.ts";
import { manifestRoutes } from "../resources/manifests/routes.ts";
import { pickupRoutes } from "../resources/pickups/routes.ts";
import { productRoutes } from "../resources/products/routes.ts";
import { rateRoutes } from "../resources/rates/routes.ts";
import { reportRoutes } from "../resources/reports/routes.ts";
import { requestRoutes } from "../resources/requests/routes.ts";
import { requestTimelineRoutes } from "../resources/requests/timeline-routes.ts";
import { ruleRoutes } from "../resources/rules/routes.ts";
import { shipmentRoutes } from "../resources/shipments/routes.ts";
import { shipmentTimelineRoutes } from "../resources/shipments/timeline-routes.ts";
import { ownTokenRoutes } from "../resources/token/routes.ts";
import { tokenRoutes } from "../resources/tokens/routes.ts";
import { publicTrackingRoutes } from "../resources/tracking/public-routes.ts";
import { trackingRoutes } from "../resources/tracking/routes.ts";
import { webhookRoutes } from "../resources/webhooks/routes.ts";
import { readDemo } from "../seed/demo-file.ts";
import { outboundOperations } from "./worker.ts";

/** All HTTP routes, in order: the table of contents of the API. */
export async function buildApp(platform: Platform): Promise<FastifyInstance> {
  const app = newServer(platform);
  openApi(app, platform, [
    shipmentRoutes,
    shipmentTimelineRoutes,
    rateRoutes,
    labelRoutes,
    ltlRoutes,
    batchRoutes,
    batchTimelineRoutes,
    pickupRoutes,
    manifestRoutes,
    creditRoutes,
    paymentMethodRoutes,
    productRoutes,
    importRoutes,
    billingRoutes,
    orderRoutes,
    orderTimelineRoutes,
    addressRoutes,
    addressBookRoutes,
    packagePresetRoutes,
    locationRoutes,
    filterRoutes,
    ruleRoutes,
    tokenRoutes,
    ownTokenRoutes,
    accountRoutes,
    carrierRoutes,
    connectionRoutes,
    countRoutes,
    documentRoutes,
    reportRoutes,
    trackingRoutes,
    eventRoutes(platform, app.draining),
    requestRoutes,
    webhookRoutes,
    deliveryRoutes,
    requestTimelineRoutes,
  ]);
  openAdminApi(app, platform, [
    adminRoutes(platform),
    adminFindRoutes(platform),
    reviewRoutes(platform, outboundOperations(platform)),
    locationImportRoutes(platform),
    exchangeRateRoutes(platform),
    platformConnectionRoutes(platform),
    peopleRoutes(platform),
  ]);
  openAuthApi(app, platform, [authRoutes(platform)]);
  fileRoutes(app, platform);
  publicTrackingRoutes(app, platform);
  serveReference(app);
  serveDashboard(app, { demoUsers: () => readDemo(platform.config)?.users ?? [] });
  await app.ready();
  return app;
}
