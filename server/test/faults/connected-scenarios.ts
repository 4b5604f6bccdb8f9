import { randomUUID } from "node:crypto";
import { expect, vi } from "vitest";
import { addDays } from "../../src/domain/time/business-days.ts";
import type { Reply } from "../client.ts";
import { days, schedule } from "../pickups.ts";
import { connectTo, realCarriers, type RealCarrier } from "../real-connections.ts";
import { aShipment, boston, type ShipmentEntry } from "../shipments.ts";
import { anAccount, must, type TestAccount, type World } from "../world.ts";
import type { Scenario, Scene } from "./crash-scenarios.ts";

/**
 * The same strikes while a carrier with an adapter is called in its own form, under a connection: labels, voids and
 * pickups. What was sold is found again, and what was not is proved, where the carrier proves it.
 */

const services: Readonly<Record<RealCarrier, string>> = {
  canada_post: "canada_post.expedited_parcel",
  purolator: "purolator.express",
  ups: "ups.standard",
  usps: "usps.ground_advantage",
};
/** Whose lookups prove that nothing was sold. */
const provers: readonly RealCarrier[] = ["canada_post", "usps"];
/** Whose pickups can be looked up. UPS's list ends with tomorrow: before a weekend it does not show the next one. */
const fetchers: readonly RealCarrier[] = isNextTomorrow()
  ? ["canada_post", "purolator", "ups"]
  : ["canada_post", "purolator"];

function isNextTomorrow(): boolean {
  const { today, next } = days();
  return next === addDays(today, 1);
}

const chicago = {
  name: "Owen Marsh",
  address1: "233 South Wacker Drive",
  city: "Chicago",
  province_code: "IL",
  postal_code: "60606",
  country_code: "US",
  phone: "312-555-0119",
};

/** A parcel that the carrier takes, with instructions to the simulator. */
export function parcelFor(carrier: RealCarrier, steering: string | null = null): ShipmentEntry {
  const places = carrier === "usps" ? { from_address: boston, to_address: chicago } : {};
  const entry = aShipment(places);
  return { ...entry, to_address: { ...entry.to_address, address2: steering } };
}

export function serviceOf(carrier: RealCarrier): string {
  return services[carrier];
}

/** In the currency that the carrier bills in. */
export function accountFor(world: World, carrier: RealCarrier): Promise<TestAccount> {
  const currency = carrier === "usps" ? "USD" : "CAD";
  return anAccount(world, { balance_cents: 40_000, currency });
}

const key = () => ({ "idempotency-key": `crash-${randomUUID()}` });
const nothing = () => undefined;

async function aPurchase(world: World, carrier: RealCarrier, steering?: string): Promise<Scene> {
  const account = await accountFor(world, carrier);
  const { id } = await account.create(parcelFor(carrier, steering));
  await account.rates(id);
  const [body, headers] = [{ service: services[carrier] }, key()];
  const call = (by = account) => untilNoted(() => by.buy(id, body, headers));
  return { account, call, mend: nothing };
}

async function aLabelled(world: World, carrier: RealCarrier) {
  const account = await accountFor(world, carrier);
  const { id } = await account.create(parcelFor(carrier));
  // On a busy machine a purchase may not be sent in time, the lease being short, or be found only later.
  await vi.waitFor(
    async () => {
      const { status } = await account.show(id);
      if (status === "draft") await account.buy(id, { service: services[carrier] });
      expect((await account.show(id)).status).toBe("purchased");
    },
    { timeout: 40_000, interval: 100 },
  );
  return { account, id };
}

async function aVoid(world: World, carrier: RealCarrier): Promise<Scene> {
  const { account, id } = await aLabelled(world, carrier);
  const headers = key();
  const call = (by = account) => untilNoted(() => by.post(`/shipments/${id}/void`, {}, headers));
  return { account, call, mend: nothing };
}

/** On a busy machine a call may not be noted, or not sent, in time, the lease being short: nothing was done then. */
async function untilNoted(call: () => Promise<Reply<unknown>>): Promise<Reply<unknown>> {
  const isNotSent = ({ status, bytes }: Reply<unknown>) =>
    status >= 502 && (bytes.includes("cannot be recorded") || bytes.includes('"not_sent"'));
  let reply = await call();
  for (let tries = 1; tries < 20 && isNotSent(reply); tries++) reply = await call();
  return reply;
}

async function aPickup(world: World, carrier: RealCarrier): Promise<Scene> {
  const { account, id } = await aLabelled(world, carrier);
  const headers = key();
  const call = (by = account) => schedule(by, { shipment_ids: [id] }, headers);
  return { account, call, mend: nothing };
}

export const connectedScenarios: Record<string, Scenario> = Object.fromEntries(
  realCarriers.flatMap((carrier): [string, Scenario][] => {
    const shared = { connected: carrier, is_sampled: true } as const;
    const label = { ...shared, kind: "label_purchase", ends: "201" } as const;
    const isProven = provers.includes(carrier);
    const found: [string, Scenario][] = [
      [
        `a purchase over ${carrier}'s dialect`,
        {
          ...label,
          points: [
            // What was not sold stays open where no lookup proves it.
            ...(isProven ? (["before begin", "before send"] as const) : []),
            "before keep",
            "before settle",
            "after settle",
          ],
          begin: (rig) => aPurchase(rig, carrier),
        },
      ],
      [
        `a purchase over ${carrier}'s dialect whose response is lost`,
        {
          ...label,
          points: ["before suspend", "before look_up", "before settle"],
          begin: (rig) => aPurchase(rig, carrier, "sim:lost_answer"),
        },
      ],
      [
        `a void over ${carrier}'s dialect`,
        {
          ...shared,
          kind: "label_void",
          ends: "200",
          points: ["before begin", "before send", "before settle", "after settle"],
          begin: (rig) => aVoid(rig, carrier),
        },
      ],
    ];
    if (fetchers.includes(carrier))
      found.push([
        `a pickup over ${carrier}'s dialect`,
        {
          ...shared,
          kind: "pickup",
          ends: "201",
          points: ["before settle"],
          begin: (rig) => aPickup(rig, carrier),
        },
      ]);
    return found;
  }),
);

const connections = new WeakMap<object, Map<RealCarrier, string>>();

/** Leaves the platform with a connection with this carrier alone, or with none. */
export async function connectOnly(
  world: Pick<World, "operator">,
  wanted: RealCarrier | null,
): Promise<void> {
  const known = connections.get(world) ?? new Map<RealCarrier, string>();
  connections.set(world, known);
  // What was killed before may not have its database again yet.
  await vi.waitFor(
    async () => {
      if (wanted && !known.has(wanted)) known.set(wanted, await connectTo(world, wanted));
      for (const [carrier, id] of known) {
        const status = carrier === wanted ? "active" : "disabled";
        must(await world.operator.patch(`/carrier-connections/${id}`, { status }), 200);
      }
    },
    { timeout: 20_000, interval: 100 },
  );
}
