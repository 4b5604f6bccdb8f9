import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testDatabase, type TestDatabase } from "../../../test/setup/database.ts";
import {
  aDispatch,
  anAccount,
  aWebhook,
  deliveriesOf,
  happen,
  webhookOf,
  type TestWebhook,
} from "../../../test/webhooks.ts";
import type { Database } from "../../database/tables.ts";
import { afterFailure, afterSuccess } from "../../domain/events/webhook-health.ts";
import { claimWebhooks } from "./claim.ts";
import { writeEnds, type AttemptEnd } from "./end-store.ts";
import { leaveWebhooks } from "./lane-store.ts";

/** Which ends count, by which process they are written and how often. */

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await testDatabase();
  ({ db } = database);
});
afterAll(() => database.close());

interface Held {
  hook: TestWebhook;
  process_id: string;
  fence: string;
  delivery_id: string;
}

async function hold(): Promise<Held> {
  const hook = await aWebhook(db, await anAccount(db), { url: "http://127.0.0.1:9/" });
  await happen(db, hook.account_id);
  const { process_id } = await aDispatch(db);
  const fence = await claim(hook, process_id);
  const [delivery] = await deliveriesOf(db, hook);
  return { hook, process_id, fence, delivery_id: delivery!.id };
}

async function claim(hook: TestWebhook, process_id: string): Promise<string> {
  const claimed = await claimWebhooks(db, {
    process_id,
    lease_seconds: 15,
    room: { healthy: 16, failing: 16 },
    heldOf: () => [],
    unsure: new Set([hook.account_id]),
  });
  return claimed.find(({ id }) => id === hook.webhook_id)!.fence;
}

function endOf({ hook, fence, delivery_id }: Held, changes: Partial<AttemptEnd>): AttemptEnd {
  const at = new Date();
  const is_success = changes.becomes === "delivered";
  return {
    account_id: hook.account_id,
    webhook_id: hook.webhook_id,
    fence,
    delivery_id,
    number: 1,
    at,
    ms: 5,
    status: is_success ? 204 : 500,
    error: null,
    excerpt: null,
    becomes: "pending",
    wait_seconds: is_success ? null : 60,
    ended_at: is_success ? at : null,
    health: is_success ? afterSuccess(at) : afterFailure(afterSuccess(at), at),
    ...changes,
  };
}

const attemptsOf = async ({ delivery_id, hook }: Held) =>
  (
    await sql<{ number: number }>`SELECT number FROM delivery_attempts
      WHERE account_id = ${hook.account_id} AND delivery_id = ${delivery_id}`.execute(db)
  ).rows.length;

test("ends that are written twice, because the first answer was lost, count once", async () => {
  const held = await hold();
  const failure = endOf(held, {});
  for (let time = 0; time < 2; time++) await writeEnds(db, held.process_id, [failure]);
  expect(await deliveriesOf(db, held.hook)).toMatchObject([
    { status: "pending", attempt_count: 1 },
  ]);
  expect(await webhookOf(db, held.hook)).toMatchObject({ failure_count: 1 });
  const success = endOf(held, { becomes: "delivered", number: 2 });
  for (let time = 0; time < 2; time++) await writeEnds(db, held.process_id, [success]);
  expect(await deliveriesOf(db, held.hook)).toMatchObject([
    { status: "delivered", attempt_count: 2, wait_seconds: null },
  ]);
  expect(await attemptsOf(held)).toBe(2);
});

test("a failure without the fence changes nothing; a 2xx without it counts, and is never undone", async () => {
  const held = await hold();
  const stale = endOf(held, {});
  await sql`UPDATE processes SET heartbeat_at = now() - interval '1 hour' WHERE id = ${held.process_id}`.execute(
    db,
  );
  const next = await aDispatch(db);
  const fence = await claim(held.hook, next.process_id);
  await writeEnds(db, held.process_id, [stale]);
  expect(await deliveriesOf(db, held.hook)).toMatchObject([
    { status: "pending", attempt_count: 0, last_status: null },
  ]);
  expect(await webhookOf(db, held.hook)).toMatchObject({ failing_since: null });
  await writeEnds(db, held.process_id, [endOf(held, { becomes: "delivered" })]);
  const late = endOf(
    { ...held, fence },
    { becomes: "failed", wait_seconds: null, ended_at: new Date() },
  );
  await writeEnds(db, next.process_id, [late]);
  expect(await deliveriesOf(db, held.hook)).toMatchObject([{ status: "delivered" }]);
});

test("a webhook that is left while an event is placed for it is due", async () => {
  const held = await hold();
  await writeEnds(db, held.process_id, [endOf(held, { becomes: "delivered" })]);
  const { account_id, webhook_id } = held.hook;
  const leaving = leaveWebhooks(db, {
    process_id: held.process_id,
    held: [{ account_id, webhook_id, fence: held.fence }],
  });
  await Promise.all([leaving, happen(db, account_id)]);
  const { due_at, holder_id } = await webhookOf(db, held.hook);
  expect(holder_id).toBeNull();
  expect(due_at).not.toBeNull();
});

test("a webhook that is left is due with the first delivery that is pending", async () => {
  const held = await hold();
  await writeEnds(db, held.process_id, [endOf(held, { wait_seconds: 300 })]);
  const { account_id, webhook_id } = held.hook;
  const one = { account_id, webhook_id, fence: held.fence };
  await leaveWebhooks(db, { process_id: held.process_id, held: [one] });
  const { due_at } = await webhookOf(db, held.hook);
  const seconds = (due_at!.getTime() - Date.now()) / 1000;
  expect(seconds).toBeGreaterThan(250);
  expect(seconds).toBeLessThan(301);
});
