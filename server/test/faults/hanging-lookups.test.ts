import { sql } from "kysely";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { outcomeOf } from "../client.ts";
import { assertInvariants, untilAtRest } from "../invariants.ts";
import { aSteeredShipment } from "../shipments.ts";
import { anAccount, setDials, type TestAccount } from "../world.ts";
import { aServedPlatform, type ServedWorld } from "./served.ts";

/** A carrier whose lookups hang delays the outcomes at no other one. */

let world: ServedWorld;
beforeAll(async () => {
  world = await aServedPlatform({}, { roles: ["all"] });
});
afterAll(() => world.close());

const openMax = 60;

/** So many purchases at a carrier whose responses were lost, of an account of their own. */
async function lost(service: string, count: number): Promise<TestAccount> {
  const account = await anAccount(world, { balance_cents: 1_000_000 });
  const entries = Array.from({ length: count }, () => aSteeredShipment("sim:lost_answer"));
  const ids = await Promise.all(entries.map(async (entry) => (await account.create(entry)).id));
  for (let from = 0; from < ids.length; from += 10) {
    const replies = await Promise.all(
      ids.slice(from, from + 10).map((id) => account.buy(id, { service })),
    );
    for (const reply of replies) expect(outcomeOf(reply)).toBe("409 purchase_pending");
  }
  return account;
}

test("an outcome at one carrier is known while another's lookups, many more of them, all hang", async () => {
  await setDials(world, { canada_post: { hang: true, operations: ["look_ups"] } });
  const hanging = await lost("canada_post.expedited_parcel", openMax);
  const other = await lost("purolator.ground", 1);
  await sql`UPDATE attempts SET look_at = now() WHERE status = 'unknown'`.execute(world.db);

  const openOf = async ({ account_id }: TestAccount) => {
    const { rows } = await sql<{ open: number; looks: number }>`
      SELECT count(*) FILTER (WHERE status = 'unknown')::int AS open, sum(look_count)::int AS looks
      FROM attempts WHERE account_id = ${account_id}`.execute(world.db);
    return rows[0]!;
  };
  await vi.waitFor(async () => expect((await openOf(other)).open).toBe(0), {
    timeout: 30_000,
    interval: 50,
  });
  // It did not wait until each of the others had been looked up.
  const { open, looks } = await openOf(hanging);
  expect(open).toBe(openMax);
  expect(looks).toBeLessThan(openMax);

  await setDials(world, {});
  await sql`UPDATE attempts SET look_at = now() WHERE status = 'unknown'`.execute(world.db);
  await untilAtRest(world.db, 60);
  await assertInvariants(world);
});
