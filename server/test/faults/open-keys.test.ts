import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { sweepIdempotencyKeys } from "../../src/http/idempotency-claims.ts";
import { verdictOf } from "../client-log.ts";
import { outcomeOf, type Headers, type Reply } from "../client.ts";
import { assertInvariants, readJournal, untilAtRest, type JournalEntry } from "../invariants.ts";
import { aLabelled, schedule, steered } from "../pickups.ts";
import { aShipment, aSteeredShipment } from "../shipments.ts";
import { aPlatform, anAccount, setDials, type TestAccount, type World } from "../world.ts";

/** A key whose outcome stays open for days: the same request is one effect, however old the key is. */

let world: World;
beforeAll(async () => {
  world = await aPlatform();
});
afterEach(async () => {
  await setDials(world, {});
  await assertInvariants(world);
});
afterAll(() => world.close());

interface Scenario {
  begin(account: TestAccount): Promise<(headers: Headers) => Promise<Reply<unknown>>>;
  /** The response while the outcome is unknown. */
  open: string;
  /** Its name in the journal of the simulator. */
  operation: JournalEntry["operation"];
}

const scenarios: Record<string, Scenario> = {
  "a label bought with its shipment": {
    open: "409 purchase_pending",
    operation: "label",
    async begin(account) {
      const body = { ...aSteeredShipment("sim:lost_answer"), service: "cheapest" };
      return (headers) => account.post("/labels", body, headers);
    },
  },
  "a top-up": {
    open: "201",
    operation: "charge",
    begin: async (account) => (headers) =>
      account.post(
        "/credits/top-up",
        { amount: 25, payment_method_id: "pm_card_lost_answer" },
        headers,
      ),
  },
  "a pickup": {
    open: "201",
    operation: "pickup",
    async begin(account) {
      const shipment_ids = [await aLabelled(account, "purolator")];
      const address = steered("sim:lost_answer");
      return (headers) => schedule(account, { shipment_ids, address }, headers);
    },
  },
};

test.each(Object.keys(scenarios))(
  "%s, repeated after days without an outcome, is there once",
  async (name) => {
    const { begin, open, operation } = scenarios[name]!;
    const account = await anAccount(world);
    const request = await begin(account);
    const call = () => request({ "idempotency-key": name });
    const effects = async () => {
      const { rows } = await sql<{ reference: string }>`SELECT reference FROM attempts
      WHERE account_id = ${account.account_id}`.execute(world.db);
      const ours = new Set(rows.map(({ reference }) => reference));
      return (await readJournal(world)).filter(
        (entry) => entry.operation === operation && ours.has(entry.reference),
      ).length;
    };

    // The effect is there, its response lost, and lookups fail.
    await setDials(world, { "*": { error_rate: 1, operations: ["look_ups"] } });
    expect(outcomeOf(await call())).toBe(open);
    await sql`UPDATE idempotency_keys SET created_at = created_at - interval '3 days'
    WHERE account_id = ${account.account_id}`.execute(world.db);
    await sweepIdempotencyKeys(world.db, 24);
    expect(outcomeOf(await call())).toBe(open);

    await setDials(world, {});
    await sql`UPDATE attempts SET look_at = now()
    WHERE account_id = ${account.account_id} AND status = 'unknown'`.execute(world.db);
    await untilAtRest(world.db);
    const answer = await call();
    expect(outcomeOf(answer), answer.bytes.toString()).toBe("201");
    expect(await effects()).toBe(1);
  },
);

test("POST /labels that its carrier refuses, repeated with its key, continues with the shipment that it made", async () => {
  const account = await anAccount(world);
  const body = { ...aShipment(), service: "canada_post.expedited_parcel" };
  const call = () => account.post("/labels", body, { "idempotency-key": "one call, one shipment" });
  await setDials(world, { "*": { error_rate: 1, error_status: 503, operations: ["purchases"] } });
  const refused = await call();
  expect(verdictOf(refused)).not.toBe("final");
  await setDials(world, {});
  await sql`UPDATE attempts SET look_at = now(), begun_at = now() - interval '1 hour'
    WHERE account_id = ${account.account_id} AND status = 'unknown'`.execute(world.db);
  await untilAtRest(world.db);
  expect(outcomeOf(await call())).toBe("201");
  const { rows } = await sql`SELECT id, status FROM shipments
    WHERE account_id = ${account.account_id}`.execute(world.db);
  expect(rows).toEqual([expect.objectContaining({ status: "purchased" })]);
});
