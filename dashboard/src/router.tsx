import type { QueryClient } from "@tanstack/react-query";
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  notFound,
  Outlet,
  parseSearchWith,
  redirect,
  stringifySearchWith,
} from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { Crashed } from "./shell/crashed.tsx";
import { NotFound } from "./shell/not-found.tsx";
import { Shell } from "./shell/shell.tsx";
import { Skeleton } from "./kit/skeleton.tsx";
import { screen } from "./screen.tsx";
import { authWords } from "./screens/auth/words.ts";
import { batchWords } from "./screens/batches/words.ts";
import { billingWords } from "./screens/billing/words.ts";
import { carrierWords } from "./screens/carriers/words.ts";
import { deskWords } from "./screens/desk/words.ts";
import { filterWords } from "./screens/filters/words.ts";
import { operatorQuery } from "./screens/operator/queries.ts";
import { operatorWords } from "./screens/operator/words.ts";
import { orderWords } from "./screens/orders/words.ts";
import { overviewWords } from "./screens/overview/words.ts";
import { pickupWords } from "./screens/pickups/words.ts";
import { productWords } from "./screens/products/words.ts";
import { ruleWords } from "./screens/rules/words.ts";
import { settingWords } from "./screens/settings/words.ts";
import { shipmentWords } from "./screens/shipments/words.ts";
import { teamWords } from "./screens/team/words.ts";
import { tokenWords } from "./screens/tokens/words.ts";
import { trackingWords } from "./screens/tracking/words.ts";
import { sessionQuery } from "./session.ts";

interface Context {
  client: QueryClient;
}

const root = createRootRouteWithContext<Context>()({
  component: () => (
    <Suspense fallback={<Skeleton />}>
      <Outlet />
    </Suspense>
  ),
  errorComponent: Crashed,
  notFoundComponent: NotFound,
});

const start = createRoute({
  getParentRoute: () => root,
  path: "/",
  beforeLoad: () => {
    const last = localStorage.getItem("waybill.environment");
    throw redirect({ to: `/${last === "live" ? "live" : "sandbox"}` as never });
  },
});

/** The frame of all screens behind `/app/live` and `/app/sandbox`; without a session it leads to the sign-in. */
const inside = createRoute({
  getParentRoute: () => root,
  path: "/$environment",
  component: Shell,
  errorComponent: Crashed,
  beforeLoad: async ({ context, params: { environment }, location }) => {
    if (environment !== "live" && environment !== "sandbox") throw notFound();
    localStorage.setItem("waybill.environment", environment);
    const session = await context.client.ensureQueryData(sessionQuery);
    if (session === null) throw redirect({ to: "/sign-in", search: { next: location.href } });
  },
});

/** The frame of the operator's pages, with a session of its own. */
const operator = createRoute({
  getParentRoute: () => root,
  path: "/operator",
  component: lazy(() => import("./screens/operator/frame.tsx")),
  errorComponent: Crashed,
  beforeLoad: async ({ context, location }) => {
    const found = await context.client.ensureQueryData(operatorQuery);
    if (found === null)
      throw redirect({ to: "/operator/sign-in", search: { next: location.href } });
  },
});

const outside = [
  screen(root, "/sign-in", () => import("./screens/auth/sign-in.tsx"), authWords),
  screen(root, "/invitations/$token", () => import("./screens/auth/invitation.tsx"), authWords),
  screen(root, "/device", () => import("./screens/auth/device.tsx"), authWords),
  screen(root, "/reset", () => import("./screens/auth/reset.tsx"), authWords),
  screen(root, "/resets/$token", () => import("./screens/auth/new-password.tsx"), authWords),
  screen(root, "/operator/sign-in", () => import("./screens/auth/operator-sign-in.tsx"), authWords),
];

const ofOperator = [
  screen(operator, "/", () => import("./screens/operator/accounts.tsx"), operatorWords),
  screen(
    operator,
    "/accounts/$account_id",
    () => import("./screens/operator/account.tsx"),
    operatorWords,
  ),
  screen(operator, "/reviews", () => import("./screens/operator/reviews.tsx"), operatorWords),
  screen(
    operator,
    "/reviews/$attempt_id",
    () => import("./screens/operator/review.tsx"),
    operatorWords,
  ),
];

/** One line for each screen; its entry in the side bar is in `shell/navigation.ts`. */
const screens = [
  screen(inside, "/", () => import("./screens/overview/overview.tsx"), overviewWords),
  screen(inside, "/shipments", () => import("./screens/shipments/shipments.tsx"), shipmentWords),
  screen(inside, "/shipments/new", () => import("./screens/desk/desk.tsx"), deskWords),
  screen(inside, "/batches", () => import("./screens/batches/batches.tsx"), batchWords),
  screen(inside, "/batches/import", () => import("./screens/batches/import.tsx"), batchWords),
  screen(inside, "/batches/$batch_id", () => import("./screens/batches/batch.tsx"), batchWords),
  screen(inside, "/orders", () => import("./screens/orders/orders.tsx"), orderWords),
  screen(inside, "/orders/$order_id", () => import("./screens/orders/order.tsx"), orderWords),
  screen(inside, "/pickups", () => import("./screens/pickups/pickups.tsx"), pickupWords),
  screen(inside, "/tracking", () => import("./screens/tracking/exceptions.tsx"), trackingWords),
  screen(inside, "/settings/account", () => import("./screens/settings/account.tsx"), settingWords),
  screen(
    inside,
    "/settings/addresses",
    () => import("./screens/settings/addresses.tsx"),
    settingWords,
  ),
  screen(
    inside,
    "/settings/approval",
    () => import("./screens/settings/approval.tsx"),
    settingWords,
  ),
  screen(
    inside,
    "/settings/carriers",
    () => import("./screens/carriers/carriers.tsx"),
    carrierWords,
  ),
  screen(
    inside,
    "/settings/carriers/$carrier_code",
    () => import("./screens/carriers/carrier.tsx"),
    carrierWords,
  ),
  screen(inside, "/settings/profile", () => import("./screens/team/profile.tsx"), teamWords),
  screen(inside, "/settings/team", () => import("./screens/team/team.tsx"), teamWords),
  screen(inside, "/billing", () => import("./screens/billing/billing.tsx"), billingWords),
  screen(inside, "/products", () => import("./screens/products/products.tsx"), productWords),
  screen(inside, "/rules", () => import("./screens/rules/rules.tsx"), ruleWords),
  screen(inside, "/rules/new", () => import("./screens/rules/rule.tsx"), ruleWords),
  screen(inside, "/rules/$rule_id", () => import("./screens/rules/rule.tsx"), ruleWords),
  screen(inside, "/filters", () => import("./screens/filters/filters.tsx"), filterWords),
  screen(inside, "/settings/tokens", () => import("./screens/tokens/tokens.tsx"), tokenWords),
  screen(
    inside,
    "/shipments/$shipment_id",
    () => import("./screens/shipments/shipment.tsx"),
    shipmentWords,
  ),
];

/** The router of the whole dashboard. */
export function newRouter(client: QueryClient) {
  return createRouter({
    routeTree: root.addChildren([
      start,
      ...outside,
      operator.addChildren(ofOperator),
      inside.addChildren(screens),
    ]),
    basepath: "/app",
    // Parameters are texts: a search for "007" is no number.
    parseSearch: parseSearchWith((value) => value),
    stringifySearch: stringifySearchWith(JSON.stringify),
    context: { client },
    defaultPreload: "intent",
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    defaultNotFoundComponent: NotFound,
    defaultErrorComponent: Crashed,
    defaultPendingMs: 200,
  });
}
