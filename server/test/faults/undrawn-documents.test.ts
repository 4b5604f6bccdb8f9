import { afterAll, beforeAll, expect, test } from "vitest";
import { openThreads, type Threads } from "../../src/threads/threads.ts";
import type { DataOf, Purchase } from "../client.ts";
import { aFreight } from "../freight-shipments.ts";
import { assertInvariants } from "../invariants.ts";
import { aShipment, boston, notebooks } from "../shipments.ts";
import { aPlatform, anAccount, must, type TestAccount, type World } from "../world.ts";

/** A document that cannot be drawn, for whatever is in it: the purchase is paid and shown all the same. */

const threads = openThreads();
let undrawn: string | null = null;
/** Waybill's documents only, so that the carriers still print. */
const outOfInk: Threads = {
  ...threads,
  run: (task, input, terms) =>
    task === undrawn ? Promise.reject(new Error("out of ink")) : threads.run(task, input, terms),
};

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await aPlatform({}, { threads: outOfInk });
  account = await anAccount(world, { balance_cents: 500_000 });
});
afterAll(() => world.close());

const statuses = (documents: Purchase["documents"]) =>
  Promise.all(documents.map(async ({ type, url }) => `${type} ${(await fetch(url)).status}`));

test.each([
  [
    "freight without its documents is booked",
    () => aFreight(),
    "day_ross.domestic_standard",
    "bol",
    ["bol 404", "pallet_label 200"],
    ["bol 200", "pallet_label 200"],
  ],
  [
    "a label without its invoice is bought and can be printed",
    () => aShipment({ to_address: boston, items: [notebooks] }),
    "ups.standard",
    "commercial_invoice",
    ["label 200", "commercial_invoice 404"],
    ["label 200", "commercial_invoice 200"],
  ],
])(
  "%s, and shown with it once it can be drawn",
  async (_name, entry, service, paper, without, whole) => {
    const { id } = await account.create(entry());
    await account.rates(id);
    undrawn = paper;
    const sold = must(await account.buy(id, { service }), 201).data;
    expect(await statuses(sold.documents)).toEqual(without);
    const show = async () => must(await account.get<DataOf<Purchase>>(`/labels/${id}`), 200).data;
    expect(await statuses((await show()).documents)).toEqual(without);
    undrawn = null;
    expect(await statuses((await show()).documents)).toEqual(whole);
    expect((await show()).tracking_code).toBe(sold.tracking_code);
    await assertInvariants(world);
  },
);
