import { expect, test } from "vitest";
import type { DataOf, Purchase } from "../client.ts";
import { aFreight, shop as harbour } from "../freight-shipments.ts";
import { assertInvariants } from "../invariants.ts";
import { cancel, schedule, serviceOf, steered } from "../pickups.ts";
import { aRandom } from "../random.ts";
import { reconcileHere, twoLives } from "../set-back.ts";
import { aShipment, halifax, ottawa } from "../shipments.ts";
import { anAccount, type TestAccount } from "../world.ts";

/** Random labels, freight, pickups and charges, a backup somewhere in between, and its restore. */

const random = aRandom();
const steerings = [null, null, "sim:lost_answer", "sim:refuse", "sim:price_up"];
const truck = "day_ross.domestic_standard";
const couriers = [serviceOf.ups, serviceOf.canada_post, serviceOf.purolator];

/** An account, and what it has made so far. */
interface Merchant {
  account: TestAccount;
  shipments: { id: string; is_freight: boolean }[];
  pickups: string[];
}

/** One call of the merchant's, under a key of its own. Any response is right. */
async function callOfChance({ account, shipments, pickups }: Merchant): Promise<void> {
  const key = { "idempotency-key": `life-${random.below(2 ** 31)}` };
  const address2 = random.pick(steerings);
  const some = shipments.length > 0 ? random.pick(shipments) : null;
  const calls: (() => Promise<unknown>)[] = [
    async () => {
      const to_address = { ...halifax, address2 };
      const { id } = await account.create(aShipment({ from_address: ottawa, to_address }));
      shipments.push({ id, is_freight: false });
    },
    async () => {
      const { id } = await account.create(aFreight({ to_address: { ...harbour, address2 } }));
      shipments.push({ id, is_freight: true });
    },
    async () => {
      const body = { ...aShipment({ from_address: ottawa }), service: random.pick(couriers) };
      const { status, body: sold } = await account.post<DataOf<Purchase>>("/labels", body, key);
      if (status === 201) shipments.push({ id: sold.data.shipment_id, is_freight: false });
    },
    () => account.post("/credits/top-up", { amount: 10 + random.below(50) }, key),
  ];
  if (some) {
    const { id, is_freight } = some;
    const service = is_freight ? truck : random.pick(couriers);
    const buy = () => account.buy(id, { service }, key);
    const back = is_freight ? `/ltl/${id}/cancel` : `/shipments/${id}/void`;
    calls.push(buy, buy, buy, () => account.post(back, undefined, key));
    calls.push(async () => {
      const body = { shipment_ids: [id], address: steered(address2 ?? "") };
      const { status, body: asked } = await schedule(account, body, key);
      if (status === 201) pickups.push(asked.data.id);
    });
  }
  if (pickups.length > 0) calls.push(() => cancel(account, random.pick(pickups), key));
  await random.pick(calls)();
}

test(`set back and reconciled (seed ${random.seed}): the ledger agrees with the outside again`, async () => {
  const lives = await twoLives();
  try {
    const merchants = await Promise.all(
      // One of them runs out of money at times.
      [200_000, 12_000].map(async (balance_cents): Promise<Merchant> => {
        const account = await anAccount(lives.first, { balance_cents });
        return { account, shipments: [], pickups: [] };
      }),
    );
    const live = async (calls: number) => {
      for (let call = 0; call < calls; call++) await callOfChance(random.pick(merchants));
    };
    await live(10 + random.below(25));
    await lives.backUp();
    await live(10 + random.below(25));
    await assertInvariants(lives.first);
    const second = await lives.setBack();
    const { is_resolved, findings } = await reconcileHere(second);
    expect({ is_resolved, findings }).toMatchObject({ is_resolved: true });
    await assertInvariants(second);
    expect(await reconcileHere(second)).toMatchObject({ is_resolved: true, findings: [] });
  } finally {
    await lives.close();
  }
});
