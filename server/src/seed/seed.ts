import type { Context, Platform } from "../context.ts";
import type { Principal } from "../domain/accounts/principal.ts";
import { normaliseAddress } from "../domain/addresses/address-rules.ts";
import { manualClock } from "../domain/time/clock.ts";
import { isLoopback } from "../domain/reach/listen-host.ts";
import {
  accountContext,
  createDemoOrganization,
  hasOrganizationOf,
  isEmptyDatabase,
  type Demo,
} from "../resources/admin/service.ts";
import { closeNext, timeOfClosing } from "../resources/billing/service.ts";
import { topUpCredits } from "../resources/credits/service.ts";
import { createFilter } from "../resources/filters/service.ts";
import { createOneOrder } from "../resources/orders/service.ts";
import { createRule } from "../resources/rules/service.ts";
import { createOneShipment, voidShipment } from "../resources/shipments/service.ts";
import { bringDemoProducts } from "./demo-products.ts";
import { seedExchangeRates } from "./demo-exchange-rates.ts";
import { demoFreight } from "./demo-freight.ts";
import { buy, leaveAReview, leaveItToTheOperator, liveToday, loseAnAnswer } from "./demo-today.ts";
import { demoFilters } from "./demo-filters.ts";
import { demoOrder, waitingOrders } from "./demo-orders.ts";
import { demoRules } from "./demo-rules.ts";
import { demoShipments, shop, type DemoShipment } from "./demo-shipments.ts";

/**
 * The demo organization of a first start (decision 24). Its history is made by the same verbs that clients
 * call, with a clock set to the past, so that its ledger, labels and the carriers' journal agree.
 */

/** No request asks for the demo. */
const bySeed: Principal = { kind: "system", name: "seed" };
const dayMs = 86_400_000;

/**
 * Makes the demo on an empty database and returns its secrets, or null where an organization exists already,
 * or the demo is off. `keep` is called before anything commits: a crash leaves secrets without a demo, which
 * the next start replaces, never a demo whose secrets are lost. Throws a message for the operator where
 * others could reach a demo that was not explicitly enabled.
 */
export async function seedDemo(
  platform: Platform,
  keep: (demo: Demo) => void,
): Promise<Demo | null> {
  const { demo: wanted, host } = platform.config;
  const isReachable = !isLoopback(host);
  if (isReachable && wanted !== "on") await refuseReachableDemo(platform);
  if (wanted === "off" || (isReachable && wanted !== "on")) return null;
  if (!(await isEmptyDatabase(platform.db))) return null;
  const ship_from = normaliseAddress(shop.from_address);
  const now = platform.clock.now();
  const clock = manualClock(new Date(now.getTime() - 61 * dayMs));
  const demo = await createDemoOrganization(
    // Its statements begin with its history.
    { ...platform, clock },
    { ...shop, default_from_address: ship_from },
    keep,
  );
  if (!demo) return null;
  await seedExchangeRates(platform, clock.now());
  const sandbox = await accountContext({ ...platform, clock }, demo.sandbox_account_id, bySeed);
  const live = await accountContext({ ...platform, clock }, demo.live_account_id, bySeed);
  // A demonstration charges no real money.
  if (platform.payments.forAccount("live").party === "payments") {
    await topUpCredits(live, { amount: 2500 });
  }
  for (let time = 0; time < 3; time++) await topUpCredits(sandbox, { amount: 10_000 });
  const shops =
    platform.payments.forAccount("live").party === "payments" ? [sandbox, live] : [sandbox];
  for (const ctx of shops) {
    for (const rule of demoRules) await createRule(ctx, rule);
    for (const filter of demoFilters) await createFilter(ctx, filter);
  }
  await liveThroughAll({ platform: { ...platform, clock }, shops, now });
  clock.set(now);
  await loseAnAnswer(sandbox);
  for (const ctx of shops) {
    await bringDemoProducts(ctx);
    for (const order of waitingOrders()) await createOneOrder(ctx, order);
  }
  await liveToday(sandbox);
  await leaveAReview(platform, demo.sandbox_account_id);
  await leaveItToTheOperator(sandbox);
  return demo;
}

/** In the order of time, because months are closed on the way; production has every fourth parcel of the sandbox. */
async function liveThroughAll({
  platform,
  shops,
  now,
}: {
  platform: Platform & { clock: ReturnType<typeof manualClock> };
  shops: readonly Context[];
  now: Date;
}): Promise<void> {
  const freight = demoFreight();
  for (const [index, shipment] of demoShipments().entries()) {
    // Around the shop's opening hours, a few minutes apart, never later than now.
    const made = now.getTime() - shipment.days_ago * dayMs - (index % 7) * 3_600_000 - 600_000;
    const { clock } = platform;
    while (freight[0] && (freight[0].days_ago > shipment.days_ago || shipment.days_ago === 0))
      await book(platform, shops[0]!, { ...freight.shift()!, now });
    await passTo(platform, new Date(Math.max(made, clock.now().getTime())));
    for (const [place, ctx] of shops.entries())
      if (place === 0 || index % 4 === 0) await liveThrough(ctx, shipment);
  }
}

async function book(
  platform: Parameters<typeof passTo>[0],
  ctx: Context,
  { days_ago, entry, service, now }: ReturnType<typeof demoFreight>[number] & { now: Date },
): Promise<void> {
  const made = now.getTime() - days_ago * dayMs - 7 * 3_600_000;
  await passTo(platform, new Date(Math.max(made, platform.clock.now().getTime())));
  await buy(ctx, (await createOneShipment(ctx, entry)).id, service);
}

async function refuseReachableDemo({ db, config }: Platform): Promise<void> {
  if (!(await hasOrganizationOf(db, shop.owner_email))) return;
  throw new Error(
    `HOST is ${config.host}, which others can reach, and this database has the demo organization, whose tokens are in demo.json. Set WAYBILL_DEMO=on to serve it all the same, or start on an empty database with WAYBILL_DEMO=off.`,
  );
}

/** The shop's time zone, by its account's default. */
const timeZone = "America/Toronto";

/**
 * Advances the clock: months that end on the way are closed on the first of the next, as a worker would have.
 */
async function passTo(
  platform: Platform & { clock: ReturnType<typeof manualClock> },
  moment: Date,
): Promise<void> {
  const { clock } = platform;
  for (;;) {
    const closing = timeOfClosing(clock.now(), timeZone);
    if (closing > moment) break;
    clock.set(closing);
    while (await closeNext(platform));
  }
  clock.set(moment);
}

async function liveThrough(ctx: Context, { entry, service, ends_as }: DemoShipment): Promise<void> {
  const { id: order_id } = await createOneOrder(ctx, demoOrder(entry));
  const { id } = await createOneShipment(ctx, { ...entry, order_id });
  if (ends_as === "draft") return;
  if (!(await buy(ctx, id, service))) return;
  if (ends_as === "voided") await voidShipment(ctx, id, "The customer changed the order.");
}
