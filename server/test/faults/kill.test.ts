import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { outcomeOf, type DataOf, type Purchase, type Reply, type Shipment } from "../client.ts";
import { assertInvariants } from "../invariants.ts";
import { aQuotedDraft, must, setDials, type TestAccount } from "../world.ts";
import * as moments from "./moments.ts";
import { steps, type Step } from "./purchase-steps.ts";
import { aServedPlatform, type ServedWorld } from "./served.ts";

/**
 * `kill -9` at the moments of a purchase that lie outside its own steps, and a restart: within thirty seconds
 * the shipment is either labelled and paid, or unlabelled with the money released, the carriers' journal
 * agrees, and the client's retry with its key gets the one label. The lease is three seconds here, to be
 * quick; it is fifteen by default, which the same thirty seconds allow for.
 */

const withinSeconds = 30;
const openingCents = 40_000;

let world: ServedWorld;
beforeAll(async () => {
  world = await aServedPlatform({ WAYBILL_LEASE_SECONDS: "3" });
});
afterAll(async () => {
  await world.close();
});

test.each(Object.entries(steps))("killed %s", async (_name, step) => {
  const killed = await purchaseKilledAt(step);
  const { account, shipment, price_cents, buy } = killed;
  const restarted = performance.now();
  await world.start();
  await assertInvariants(world, withinSeconds);
  expect(performance.now() - restarted).toBeLessThan(withinSeconds * 1000);

  const isLabelled = step.ends === "labelled";
  expect((await account.show(shipment.id)).status).toBe(isLabelled ? "purchased" : "draft");
  expect(await account.balance()).toMatchObject({ held: 0 });
  expect(await account.balanceCents()).toBe(openingCents - (isLabelled ? price_cents : 0));
  expect(await moments.soldLabels(world, shipment.id)).toBe(isLabelled ? 1 : 0);

  const retried = await untilFinal(buy);
  if (step.entry?.to_address.address2 === "sim:refuse")
    expect(outcomeOf(retried)).toBe("502 carrier_error");
  else await expectOneLabel(killed, retried);
});

test.each([
  "while the carrier works, which commits after the kill",
  "after the carrier committed, before the settlement is",
])("killed %s, the client retrying at once: still one label", async (name) => {
  const killed = await purchaseKilledAt(steps[name]!);
  await world.start();
  await expectOneLabel(killed, await untilFinal(killed.buy));
});

interface KilledPurchase {
  account: TestAccount;
  shipment: Shipment;
  price_cents: number;
  /** The client's call, the same each time. */
  buy(): Promise<Reply<DataOf<Purchase>>>;
}

/** Begins a purchase and kills the platform at the step's moment; nothing runs when it returns. */
async function purchaseKilledAt(step: Step): Promise<KilledPurchase> {
  const quoted = await aQuotedDraft(world, openingCents, step.entry);
  const { account, shipment, service, carrier, price_cents } = quoted;
  const key = { "idempotency-key": `kill-${shipment.id}` };
  const buy = () => account.buy(shipment.id, { service }, key);

  const since = await moments.carrierCalls(world);
  if (step.dial) await setDials(world, { [carrier]: step.dial });
  const lock = moments.balanceLock(world.database_url, account.account_id);
  if (step.locked) await lock.take();
  const answer = buy().catch(() => null);
  await step.until({ world, shipment, lock, carrier, since });
  await world.kill();
  await answer;
  await lock.release();
  // The carrier finishes what it has begun all the same.
  await setDials(world, {});
  return { account, shipment, price_cents, buy };
}

/** Retries as a client does after "still running" or "not known yet". */
async function untilFinal<T>(call: () => Promise<Reply<T>>): Promise<Reply<T>> {
  return vi.waitFor(
    async () => {
      const reply = await call();
      expect(["409 idempotency_in_progress", "409 purchase_pending"]).not.toContain(
        outcomeOf(reply),
      );
      return reply;
    },
    { timeout: withinSeconds * 1000, interval: 100 },
  );
}

/** The key's response is a label that opens; there is one, it is paid once, and it is returned again. */
async function expectOneLabel(
  { account, shipment, price_cents, buy }: KilledPurchase,
  retried: Reply<DataOf<Purchase>>,
): Promise<void> {
  const { label_url, tracking_code } = must(retried, 201).data;
  expect(await account.show(shipment.id)).toMatchObject({ status: "purchased", tracking_code });
  expect((await fetch(label_url!)).status).toBe(200);
  expect(await moments.soldLabels(world, shipment.id)).toBe(1);
  expect(await account.balanceCents()).toBe(openingCents - price_cents);
  expect((await buy()).bytes.equals(retried.bytes)).toBe(true);
  await assertInvariants(world, withinSeconds);
}
