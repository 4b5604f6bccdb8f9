import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createMany } from "../batches.ts";
import { assertInvariants, readJournal } from "../invariants.ts";
import { rule, runsOf, when } from "../rules.ts";
import { aShipment, aSteeredShipment } from "../shipments.ts";
import { anAccount, type TestAccount } from "../world.ts";
import { aServedPlatform, type ServedWorld } from "./served.ts";

/**
 * Labels that rules buy, by two workers that are killed in between: each is bought once, or has a reason
 * why not.
 */

let world: ServedWorld;
beforeAll(async () => {
  world = await aServedPlatform(
    { WAYBILL_LEASE_SECONDS: "2" },
    { roles: ["api", "worker", "worker"] },
  );
});
afterAll(() => world.close());

const entries = [
  ...Array.from({ length: 50 }, () => aShipment({ service: "ups.standard" })),
  ...Array.from({ length: 12 }, () =>
    aSteeredShipment("sim:lost_answer", { service: "fedex.ground" }),
  ),
  ...Array.from({ length: 6 }, () =>
    aSteeredShipment("sim:refuse", { service: "purolator.ground", tags: ["refused"] }),
  ),
];

async function countWaiting(account: TestAccount): Promise<number> {
  const rows = await world.db
    .selectFrom("rule_purchases")
    .select("shipment_id")
    .where("account_id", "=", account.account_id)
    .execute();
  return rows.length;
}

async function untilWaiting(account: TestAccount, most: number): Promise<void> {
  await vi.waitFor(async () => expect(await countWaiting(account)).toBeLessThanOrEqual(most), {
    timeout: 30_000,
    interval: 10,
  });
}

test("each label that a rule requests is bought once, whichever worker dies", async () => {
  const account = await anAccount(world, { balance_cents: 1_000_000 });
  await rule(account, {
    criteria: when("service", "exists"),
    actions: [{ type: "buy_label", max_total: 200 }],
  });
  const ids = await createMany(account, entries);
  const [, first, second] = world.processes;
  await untilWaiting(account, 58);
  await first!.kill();
  await untilWaiting(account, 35);
  await first!.start();
  await second!.kill();
  await second!.start();
  await untilWaiting(account, 0);

  await assertInvariants(world);
  const shipments = [];
  for (const id of ids) shipments.push(await account.show(id));
  const ends = shipments.map(({ tags, status, messages }) => ({
    is_refused: tags.includes("refused"),
    status,
    last: (messages.at(-1) as { code: string }).code,
  }));
  for (const { is_refused, status, last } of ends) {
    expect(status).toBe(is_refused ? "draft" : "purchased");
    expect(last).toBe(is_refused ? "label_not_bought_by_rule" : "label_bought_by_rule");
  }
  const labels = (await readJournal(world)).filter(({ operation }) => operation === "label");
  expect(labels).toHaveLength(62);
  const runs = await runsOf(account, "/rules/runs?per_page=100");
  expect(runs.filter(({ purchase }) => purchase?.status === "bought")).toHaveLength(62);
  expect(await account.balance()).toMatchObject({ held: 0 });
});
