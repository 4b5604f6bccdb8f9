import { expect, vi } from "vitest";
import { carrierRegister, createCarriers } from "../src/carriers/register.ts";
import type { Carrier } from "../src/carriers/carrier.ts";
import { aClient, outcomeOf, type DataOf, type Failure, type Reply } from "./client.ts";
import { labelsIn, readJournal, referencesOf, type JournalEntry } from "./invariants.ts";
import { aSteeredShipment, type ShipmentEntry } from "./shipments.ts";
import { aPlatform, anAccount, must, type TestAccount, type World } from "./world.ts";

/** Shared by tests of review items: carriers that find nothing by reference, and an operator. */

export interface Review {
  id: string;
  kind: string;
  account_id: string;
  shipment_id: string | null;
  carrier: string;
  reference: string;
  held: number | null;
  currency: string;
  sent_at: string;
  status: "open" | "stands" | "void";
  last_failure: { kind: string; code: string; message: string } | null;
  advice: string | null;
  /** A schema of what `stands` states in addition, by field. */
  evidence: object | null;
  decision: { by: string; note: string | null; decided_at: string } | null;
}

/** A platform whose carriers issue labels like the catalogue's, but cannot find one by reference. */
export function aPlatformOfBlindCarriers(settings: Record<string, string> = {}): Promise<World> {
  return aPlatform(settings, {
    carriers: (simulator_url) =>
      carrierRegister(createCarriers({ simulator_url }).all.map(withoutLookUps)),
  });
}

function withoutLookUps(carrier: Carrier): Carrier {
  return {
    ...carrier,
    descriptor: { ...carrier.descriptor, lookUp: { by: "none" } },
    lookUpLabel: async () => Promise.reject(new Error("this carrier must not be called")),
  };
}

/** A purchase with an Idempotency-Key whose response was lost after the carrier had issued the label. */
interface LostPurchase {
  account: TestAccount;
  id: string;
  retry(): ReturnType<TestAccount["buy"]>;
  review: Review;
  /** As the carrier's own site would show it. */
  sold: JournalEntry;
}

export const openingCents = 30_000;

export async function aLostPurchase(
  world: World,
  changes: Partial<ShipmentEntry> = {},
): Promise<LostPurchase> {
  const account = await anAccount(world, { balance_cents: openingCents });
  const { id } = await account.create(aSteeredShipment("sim:lost_answer", changes));
  const retry = () => account.buy(id, { service: "cheapest" }, { "idempotency-key": `buy ${id}` });
  expect(outcomeOf(await retry())).toBe("409 purchase_pending");
  return {
    account,
    id,
    retry,
    review: await untilUnderReview(world, id),
    sold: await soldFor(world, id),
  };
}

/** The label of the shipment in the carrier's journal. */
export async function soldFor(world: World, shipmentId: string): Promise<JournalEntry> {
  const references = await referencesOf(world.db, shipmentId);
  const [sold] = labelsIn(await readJournal(world), references);
  return sold!;
}

/** The review item about a shipment or a top-up, once recovery has left it to the operator. */
export async function untilUnderReview(world: World, subjectId: string): Promise<Review> {
  const id = await vi.waitFor(
    async () => {
      const attempt = await world.db
        .selectFrom("attempts")
        .select("id")
        .where("subject_id", "=", subjectId)
        .where("status", "=", "review")
        .executeTakeFirstOrThrow();
      return attempt.id;
    },
    { timeout: 20_000, interval: 20 },
  );
  return must(await world.operator.get<DataOf<Review>>(`/reviews/${id}`), 200).data;
}

export function decide(
  world: World,
  { id }: Pick<Review, "id">,
  body: unknown,
): Promise<Reply<DataOf<Review> & Failure>> {
  return world.operator.post(`/reviews/${id}`, body);
}

/** The decision that the label stands, with the facts of the carrier's site. */
export function stands({ label_id, tracking_code }: JournalEntry, more: object = {}) {
  return {
    decision: "stands",
    label: { carrier_label_id: label_id, tracking_code, ...more },
  };
}

/** Voids the label directly at the carrier. */
export async function voidByHand(world: World, sold: JournalEntry): Promise<void> {
  const { account_id } = await world.db
    .selectFrom("attempts")
    .select("account_id")
    .where("reference", "=", sold.reference)
    .executeTakeFirstOrThrow();
  const site = aClient(`${world.simulator_url}/carriers/${sold.carrier}`, `sim_test_${account_id}`);
  const { reference, tracking_code } = sold;
  const voided = () => site.post(`/labels/${sold.label_id}/void`, { reference, tracking_code });
  // The steering that lost the purchase's response loses the first void's, too.
  await voided().catch(() => undefined);
  must(await voided(), 200);
}
