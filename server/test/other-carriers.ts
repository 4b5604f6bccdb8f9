import { sql } from "kysely";
import { expect, vi } from "vitest";
import type { Carrier, CarrierDescriptor } from "../src/carriers/carrier.ts";
import { carrierRegister, createCarriers, type CarrierRegister } from "../src/carriers/register.ts";
import type { Database } from "../src/database/tables.ts";
import { outcomeOf, type Shipment } from "./client.ts";
import { aSteeredShipment } from "./shipments.ts";
import { anAccount, type TestAccount, type World } from "./world.ts";

/** The catalogue's carriers with the facts of real ones: lookups that prove nothing, no voids. */

/** All of them, each with these facts, and changed once more by the test. */
export function carriersWith(
  facts: Partial<CarrierDescriptor>,
  change: (carrier: Carrier) => Carrier = (carrier) => carrier,
): (simulator_url: string) => CarrierRegister {
  return (simulator_url) =>
    carrierRegister(
      createCarriers({ simulator_url }).all.map((carrier) =>
        change({ ...carrier, descriptor: { ...carrier.descriptor, ...facts } }),
      ),
    );
}

export const openingCents = 30_000;

/** A purchase whose answer was lost after the carrier had sold the label, with more steering. */
export async function anUnheardPurchase(
  world: World,
  steering: string,
): Promise<{ account: TestAccount; id: string }> {
  const account = await anAccount(world, { balance_cents: openingCents });
  const { id } = await account.create(aSteeredShipment(`sim:lost_answer;${steering}`));
  expect(outcomeOf(await account.buy(id))).toBe("409 purchase_pending");
  return { account, id };
}

export interface AttemptRow {
  id: string;
  status: string;
  resolved_at: Date | null;
  look_at: Date | null;
  look_count: number;
}

/** The attempts of this kind about a shipment, oldest first. */
export async function attemptsOf(
  db: Database,
  shipmentId: string,
  kind = "label_purchase",
): Promise<AttemptRow[]> {
  const { rows } = await sql<AttemptRow>`
    SELECT id, status, resolved_at, look_at, look_count FROM attempts
    WHERE subject_id = ${shipmentId} AND kind = ${kind} ORDER BY id`.execute(db);
  return rows;
}

/** Waits until the shipment is in that status. */
export function untilStatus(
  account: TestAccount,
  id: string,
  { status, seconds }: { status: Shipment["status"]; seconds: number },
): Promise<void> {
  return vi.waitFor(async () => expect((await account.show(id)).status).toBe(status), {
    timeout: seconds * 1000,
    interval: 50,
  });
}

/** Makes what waits for its next lookup due for it. */
export async function lookNow(db: Database, shipmentId: string): Promise<void> {
  await sql`UPDATE attempts SET look_at = now()
    WHERE subject_id = ${shipmentId} AND look_at IS NOT NULL`.execute(db);
}
