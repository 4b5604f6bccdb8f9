import { Webhook } from "standardwebhooks";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { testDatabase, type TestDatabase } from "../../../test/setup/database.ts";
import {
  aDispatch,
  anAccount,
  aReceiver,
  aWebhook,
  deliveriesOf,
  dispatchOnce,
  happen,
  makeDue,
  webhookOf,
} from "../../../test/webhooks.ts";
import type { Database } from "../../database/tables.ts";
import { webhookDispatch } from "./dispatch.ts";

/** Deliveries against a real database and real receivers. */

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await testDatabase();
  ({ db } = database);
});
afterAll(() => database.close());

test("each event reaches each webhook, signed as the independent library verifies, and the webhook is left", async () => {
  const receiver = await aReceiver();
  const account = await anAccount(db);
  const hooks = [await aWebhook(db, account, receiver), await aWebhook(db, account, receiver)];
  await happen(db, account, 40);
  await dispatchOnce(await aDispatch(db));
  expect(receiver.received).toHaveLength(80);
  for (const hook of hooks) {
    const own = await deliveriesOf(db, hook);
    expect(own).toHaveLength(40);
    for (const each of own)
      expect(each).toMatchObject({ status: "delivered", attempt_count: 1, last_status: 204 });
    const ids = new Set(own.map(({ id }) => id));
    const mine = receiver.received.filter(({ headers }) => ids.has(headers["waybill-delivery"]!));
    for (const { headers, body } of mine) {
      const payload = new Webhook(hook.secret).verify(body, headers) as { id: string };
      expect(payload.id).toBe(headers["webhook-id"]);
      expect(headers).toMatchObject({
        "content-type": "application/json",
        "user-agent": "Waybill-Webhooks/1",
        "waybill-attempt": "1",
      });
    }
    expect(mine).toHaveLength(40);
    expect(await webhookOf(db, hook)).toMatchObject({ due_at: null, holder_id: null });
  }
});

test("a failed delivery is tried again after its step, with the same bytes", async () => {
  let status = 500;
  const receiver = await aReceiver((response) => void response.writeHead(status).end("no"));
  const hook = await aWebhook(db, await anAccount(db), receiver);
  await happen(db, hook.account_id);
  const context = await aDispatch(db);
  await dispatchOnce(context);
  const [failed] = await deliveriesOf(db, hook);
  expect(failed).toMatchObject({ status: "pending", attempt_count: 1, last_status: 500 });
  expect(failed!.wait_seconds).toBeGreaterThan(2);
  expect(failed!.wait_seconds).toBeLessThan(6.1);
  const { due_at, failing_since, failure_count } = await webhookOf(db, hook);
  expect([due_at, failing_since]).not.toContain(null);
  expect(failure_count).toBe(1);
  status = 200;
  await makeDue(db, hook);
  await dispatchOnce(context);
  expect(await deliveriesOf(db, hook)).toMatchObject([{ status: "delivered", attempt_count: 2 }]);
  const [first, second] = receiver.received;
  expect(second!.body).toBe(first!.body);
  expect(second!.headers["webhook-id"]).toBe(first!.headers["webhook-id"]);
  expect(second!.headers["waybill-attempt"]).toBe("2");
  expect(await webhookOf(db, hook)).toMatchObject({ failing_since: null, failure_count: 0 });
  const attempts = await sql<{ number: number; status: number; response_excerpt: string | null }>`
    SELECT number, status, response_excerpt FROM delivery_attempts WHERE account_id = ${hook.account_id}
    ORDER BY number`.execute(db);
  expect(attempts.rows).toMatchObject([
    { number: 1, status: 500, response_excerpt: "no" },
    { number: 2, status: 200 },
  ]);
});

test.each([301, 302, 307, 400, 404, 500])(
  "a %i is a failure, and no redirect is followed",
  async (status) => {
    const other = await aReceiver();
    const receiver = await aReceiver(
      (response) => void response.writeHead(status, { location: other.url }).end(),
    );
    const hook = await aWebhook(db, await anAccount(db), receiver);
    await happen(db, hook.account_id);
    await dispatchOnce(await aDispatch(db));
    expect(await deliveriesOf(db, hook)).toMatchObject([
      { status: "pending", last_status: status, attempt_count: 1 },
    ]);
    expect(other.received).toEqual([]);
  },
);

test("after the last step of the schedule a delivery has failed", async () => {
  const receiver = await aReceiver((response) => void response.writeHead(500).end());
  const hook = await aWebhook(db, await anAccount(db), receiver);
  await happen(db, hook.account_id);
  const context = await aDispatch(db, { schedule: [0, 5] });
  await dispatchOnce(context);
  await makeDue(db, hook);
  await dispatchOnce(context);
  expect(await deliveriesOf(db, hook)).toMatchObject([
    { status: "failed", attempt_count: 2, wait_seconds: null },
  ]);
  expect(await webhookOf(db, hook)).toMatchObject({ due_at: null });
});

test("a receiver that hangs or hangs up is no answer, and is recorded as what it did", async () => {
  const account = await anAccount(db);
  const hangs = await aReceiver(() => undefined);
  const resets = await aReceiver((_response, _received, request) =>
    request.socket.resetAndDestroy(),
  );
  const half = await aReceiver((_response, _received, { socket }) => void socket.end("HTTP/1.1 2"));
  const hooks = await Promise.all(
    [hangs, resets, half, { url: "http://127.0.0.1:9/" }].map(({ url }) =>
      aWebhook(db, account, { url }),
    ),
  );
  await happen(db, account);
  await dispatchOnce(await aDispatch(db, { limits: { total_ms: 300 } }));
  const errors = [];
  for (const hook of hooks) {
    const [delivery] = await deliveriesOf(db, hook);
    expect(delivery).toMatchObject({ status: "pending", last_status: null });
    errors.push(delivery!.last_error);
  }
  expect(errors[0]).toBe("timeout");
  expect(errors[1]).toBe("reset");
  expect(errors[2]).toMatch(/reset|invalid_answer/);
  expect(errors[3]).toBe("refused");
});

test("a 410 disables the webhook at once, cancels what is pending, and says so in the feed", async () => {
  const receiver = await aReceiver((response) => void response.writeHead(410).end());
  const hook = await aWebhook(db, await anAccount(db), receiver);
  await happen(db, hook.account_id, 100);
  await dispatchOnce(await aDispatch(db));
  expect(await webhookOf(db, hook)).toMatchObject({
    status: "disabled",
    disabled_reason: "gone",
    due_at: null,
    holder_id: null,
  });
  const states = (await deliveriesOf(db, hook)).map(({ status }) => status);
  expect(new Set(states)).toEqual(new Set(["cancelled"]));
  expect(receiver.received.length).toBeLessThan(9);
  const told = await db
    .selectFrom("recorded_events")
    .select(["type", "data"])
    .where("account_id", "=", hook.account_id)
    .where("subject_id", "=", hook.webhook_id)
    .execute();
  expect(told).toEqual([
    { type: "webhook.disabled", data: { webhook_id: hook.webhook_id, reason: "gone" } },
  ]);
});

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);

test("an account is told once of failures for a day; after five days and twenty of them the webhook is disabled", async () => {
  const receiver = await aReceiver((response) => void response.writeHead(500).end());
  const failures = { failing_since: hoursAgo(25), failure_count: 17 };
  const hook = await aWebhook(db, await anAccount(db), receiver, failures);
  await happen(db, hook.account_id);
  const context = await aDispatch(db, { schedule: [0, 5, 5, 5] });
  const types = async () =>
    (
      await db
        .selectFrom("recorded_events")
        .select("type")
        .where("subject_id", "=", hook.webhook_id)
        .where("account_id", "=", hook.account_id)
        .orderBy("id")
        .execute()
    ).map(({ type }) => type);
  await dispatchOnce(context);
  await makeDue(db, hook);
  expect(await types()).toEqual(["webhook.failing"]);
  await sql`UPDATE webhooks SET failing_since = ${hoursAgo(121)}, failure_count = 19 WHERE id = ${hook.webhook_id}
    AND account_id = ${hook.account_id}`.execute(db);
  await makeDue(db, hook);
  await dispatchOnce(context);
  expect(await types()).toEqual(["webhook.failing", "webhook.disabled"]);
  expect(await webhookOf(db, hook)).toMatchObject({ disabled_reason: "failing" });
});

test("nothing is sent while a restored database is not reconciled", async () => {
  const own = await testDatabase();
  onTestFinished(() => own.close());
  const receiver = await aReceiver();
  const hook = await aWebhook(own.db, await anAccount(own.db), receiver);
  await happen(own.db, hook.account_id);
  await sql`INSERT INTO restores (id, taken_at, cause) VALUES ('rst_test', now(), 'operator')`.execute(
    own.db,
  );
  const context = await aDispatch(own.db);
  await dispatchOnce(context);
  expect(receiver.received).toEqual([]);
  await sql`UPDATE restores SET reconciled_at = now()`.execute(own.db);
  await dispatchOnce(context);
  expect(receiver.received).toHaveLength(1);
});

test("a 2xx counts in whichever process it arrives; a failure only from the process that holds the webhook", async () => {
  const answers: ((status: number) => void)[] = [];
  const receiver = await aReceiver((response) => {
    answers.push((status) => void response.writeHead(status).end());
  });
  const hook = await aWebhook(db, await anAccount(db), receiver);
  await happen(db, hook.account_id, 1);
  const first = await aDispatch(db);
  const held = dispatchOnce(first);
  await vi.waitFor(() => expect(answers).toHaveLength(1));
  await sql`UPDATE processes SET heartbeat_at = now() - interval '1 hour' WHERE id = ${first.process_id}`.execute(
    db,
  );
  const next = dispatchOnce(await aDispatch(db));
  await vi.waitFor(() => expect(answers).toHaveLength(2));
  answers[0]!(500);
  await held;
  expect(await deliveriesOf(db, hook)).toMatchObject([{ status: "pending", attempt_count: 0 }]);
  expect(await webhookOf(db, hook)).toMatchObject({ failing_since: null });
  answers[1]!(200);
  await next;
  expect(await deliveriesOf(db, hook)).toMatchObject([{ status: "delivered", attempt_count: 1 }]);
});

test("a process that stops begins nothing, waits for answers, and leaves its webhooks", async () => {
  const answers: (() => void)[] = [];
  const receiver = await aReceiver((response) => {
    answers.push(() => void response.writeHead(204).end());
  });
  const hook = await aWebhook(db, await anAccount(db), receiver);
  await happen(db, hook.account_id, 3);
  const stop = new AbortController();
  const running = webhookDispatch(await aDispatch(db))(stop.signal);
  await vi.waitFor(() => expect(answers).toHaveLength(1));
  stop.abort();
  answers[0]!();
  await running;
  const states = (await deliveriesOf(db, hook)).map(({ status }) => status).sort();
  expect(states).toEqual(["delivered", "pending", "pending"]);
  const { holder_id, due_at } = await webhookOf(db, hook);
  expect(holder_id).toBeNull();
  expect(due_at).not.toBeNull();
});

test("an endpoint is never sent more at once than its limit, which grows with its successes", async () => {
  let open = 0;
  let most = 0;
  const receiver = await aReceiver((response) => {
    most = Math.max(most, ++open);
    setTimeout(() => {
      open--;
      response.writeHead(204).end();
    }, 5);
  });
  const hook = await aWebhook(db, await anAccount(db), receiver, { max_in_flight: 3 });
  await happen(db, hook.account_id, 60);
  await dispatchOnce(await aDispatch(db));
  expect(most).toBe(3);
  expect(receiver.received).toHaveLength(60);
});
