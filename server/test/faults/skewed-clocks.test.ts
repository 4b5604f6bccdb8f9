import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { outcomeOf, type DataOf, type Reply, type TopUp } from "../client.ts";
import { assertInvariants, untilAtRest } from "../invariants.ts";
import { aShipment } from "../shipments.ts";
import { anAccount, must, setDials, throughProcess, type TestAccount } from "../world.ts";
import { aServedPlatform, type ServedProcess, type ServedWorld } from "./served.ts";

/** Two processes whose hosts have different clocks: keys, windows and outcomes go by the database's. */

describe.each([
  ["5 s", -5],
  ["a day", 86_400],
])("hosts whose clocks are %s apart", (_name, seconds) => {
  let world: ServedWorld;
  let right: ServedProcess;
  let wrong: ServedProcess;
  beforeAll(async () => {
    world = await aServedPlatform({}, { roles: ["api", "all"], clocks: [0, seconds] });
    [right, wrong] = world.processes as [ServedProcess, ServedProcess];
  });
  afterAll(() => world.close());

  const through = (account: TestAccount) =>
    [right, wrong].map((each) => throughProcess(world, account, each)) as [
      TestAccount,
      TestAccount,
    ];

  test.each([0, 1])(
    "a key whose first process died has the answer that process %i gives it, at both",
    async (next) => {
      const account = await anAccount(world);
      const callers = through(account);
      const { id } = await account.create(aShipment());
      const key = "begun by one, answered by another";
      await sql`INSERT INTO idempotency_keys (account_id, key, fingerprint, holder_id)
        VALUES (${account.account_id}, ${key}, ''::bytea, 'prc_dead')`.execute(world.db);
      const buy = (caller: TestAccount) =>
        caller.buy(id, { service: "cheapest" }, { "idempotency-key": key });
      const bought = await buy(callers[next]!);
      expect(outcomeOf(bought)).toBe("201");
      for (const caller of callers) {
        const again = await buy(caller);
        expect(again.bytes.toString()).toBe(bought.bytes.toString());
        expect(again.headers["idempotent-replay"]).toBe("true");
      }
    },
  );

  test.each([0, 1])(
    "an unknown outcome, begun by process %i, is one for its key",
    async (first) => {
      const account = await anAccount(world, { balance_cents: 0 });
      const callers = through(account);
      const key = { "idempotency-key": "a charge whose response is lost" };
      const topUp = (caller: TestAccount): Promise<Reply<DataOf<TopUp>>> =>
        caller.post(
          "/credits/top-up",
          { amount: 25, payment_method_id: "pm_card_lost_answer" },
          key,
        );
      expect(must(await topUp(callers[first]!), 201).data.status).toBe("pending");
      await untilAtRest(world.db);
      const answers = [await topUp(callers[1 - first]!), await topUp(callers[first]!)];
      for (const answer of answers) expect(must(answer, 201).data.status).toBe("succeeded");
      expect(answers[1]!.bytes.toString()).toBe(answers[0]!.bytes.toString());
      expect(await account.balanceCents()).toBe(2500);
      await setDials(world, {});
      await assertInvariants(world);
    },
  );
});
