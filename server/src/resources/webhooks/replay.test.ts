import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  aToken,
  anAccount,
  call,
  testApi,
  type TestAccount,
  type TestApi,
} from "../../../test/api.ts";
import { happen, placeAll } from "../../../test/events.ts";
import { inTransaction } from "../../database/connect.ts";
import { bySystem } from "../../domain/accounts/principal.ts";
import type { DeliveryStatus } from "../../domain/events/webhook-states.ts";
import { recordEvent } from "../../events/outbox.ts";
import { deliveryRoutes } from "../deliveries/routes.ts";
import type { ReplayMode } from "./replay-store.ts";
import { webhookRoutes } from "./routes.ts";

let api: TestApi;
let account: TestAccount;
let token: string;
/** The head of the feed before the test's own events. */
let head: number;
beforeAll(async () => {
  const settings = { WAYBILL_RATE_LIMITS: "off" };
  api = await testApi({ routes: [webhookRoutes, deliveryRoutes], settings });
});
afterAll(() => api.close());
beforeEach(async () => {
  account = await anAccount(api);
  token = await aToken(api, account, { scopes: ["webhooks:write"] });
  await placeAll(api.db);
  head = await headOfFeed();
});

const send = (method: "GET" | "POST" | "PUT", path: string, body?: unknown, headers = {}) =>
  call(api, { token, method, path, body, headers });
const replay = (id: string, body: object, headers = {}) =>
  send("POST", `/webhooks/${id}/replay`, body, headers);
const matchedBy = async (id: string, body: object) => {
  const response = await replay(id, body);
  expect(response.statusCode, response.body).toBe(202);
  return response.json<{ data: { matched: number } }>().data.matched;
};
const detailsOf = async (id: string, body: object) => {
  const response = await replay(id, body);
  const { error } = response.json<{ error: { code: string; details: object } }>();
  return [response.statusCode, error.code, error.details];
};

async function aWebhook(types = ["*"]): Promise<string> {
  const body = { url: "https://93.184.215.14/hooks", types };
  const made = await send("POST", "/webhooks", body);
  return made.json<{ data: { id: string } }>().data.id;
}

async function headOfFeed(): Promise<number> {
  const { last_position } = await api.db
    .selectFrom("event_feeds")
    .select("last_position")
    .where("account_id", "=", account.account_id)
    .executeTakeFirstOrThrow();
  return last_position;
}

interface Sent {
  event_type: string;
  status: DeliveryStatus;
  trigger: string;
  attempt_count: number;
  attempts_before: number;
}
const deliveriesOf = (webhook_id: string): Promise<Sent[]> =>
  api.db
    .selectFrom("deliveries")
    .select(["event_type", "status", "trigger", "attempt_count", "attempts_before"])
    .where("webhook_id", "=", webhook_id)
    .orderBy("event_type")
    .execute();

async function setStatus(webhook_id: string, event_type: string, status: DeliveryStatus) {
  const ended_at = status === "pending" ? null : new Date();
  await api.db
    .updateTable("deliveries")
    .set({ status, ended_at, attempt_count: 3 })
    .where("webhook_id", "=", webhook_id)
    .where("event_type", "=", event_type)
    .execute();
}

/** One event with each state of a delivery, and one without any. */
const states = {
  "batch.completed": "pending",
  "order.created": "delivered",
  "order.fulfilled": "failed",
  "pickup.failed": "cancelled",
} as const;

async function oneOfEach(): Promise<string> {
  await happen(api.db, account.account_id, "statement.ready");
  await placeAll(api.db);
  const id = await aWebhook();
  await happen(api.db, account.account_id, ...(Object.keys(states) as (keyof typeof states)[]));
  await placeAll(api.db);
  for (const [type, status] of Object.entries(states)) await setStatus(id, type, status);
  return id;
}

describe("what `only` selects", () => {
  test.each<[ReplayMode, string[]]>([
    ["missing", ["statement.ready"]],
    ["failed", ["order.fulfilled", "pickup.failed"]],
    ["all", ["order.created", "order.fulfilled", "pickup.failed", "statement.ready"]],
  ])("%s", async (only, selected) => {
    const id = await oneOfEach();
    const before = await deliveriesOf(id);
    expect(await matchedBy(id, { only })).toBe(selected.length);
    const after = await deliveriesOf(id);
    for (const was of before) {
      const is = after.find(({ event_type }) => event_type === was.event_type);
      const isSelected = selected.includes(was.event_type);
      expect(is).toEqual(isSelected ? { ...was, status: "pending", attempts_before: 3 } : was);
    }
    const made = after.filter(({ trigger }) => trigger === "replay");
    expect(made).toEqual(
      selected.includes("statement.ready")
        ? [
            {
              event_type: "statement.ready",
              status: "pending",
              trigger: "replay",
              attempt_count: 0,
              attempts_before: 0,
            },
          ]
        : [],
    );
    expect(await matchedBy(id, { only })).toBe(0);
    expect(await deliveriesOf(id)).toEqual(after);
  });
});

describe("a replay", () => {
  test("makes no delivery twice for eight calls at once, and one key has one answer", async () => {
    await happen(api.db, account.account_id, "order.created", "order.fulfilled", "batch.completed");
    await placeAll(api.db);
    const id = await aWebhook();
    const all = await Promise.all(Array.from({ length: 8 }, () => matchedBy(id, { only: "all" })));
    expect(all.toSorted((a, b) => a - b)).toEqual([0, 0, 0, 0, 0, 0, 0, 3]);
    expect(await deliveriesOf(id)).toHaveLength(3);
    const key = { "idempotency-key": "again" };
    await setStatus(id, "order.created", "failed");
    const first = await replay(id, { only: "failed" }, key);
    await setStatus(id, "order.fulfilled", "failed");
    const again = await replay(id, { only: "failed" }, key);
    expect(first.body).toBe('{"data":{"matched":1}}');
    expect([again.body, again.headers["idempotent-replay"]]).toEqual([first.body, "true"]);
  });

  test("is of the types that the webhook gets, and of those only that it names", async () => {
    const { account_id } = account;
    await happen(api.db, account_id, "token.created", "order.created", "pickup.failed");
    await placeAll(api.db);
    const all = await aWebhook();
    expect(await matchedBy(all, { only: "missing", types: ["token.*"] })).toBe(0);
    expect(await matchedBy(all, { only: "missing", types: ["order.*"] })).toBe(1);
    expect(await matchedBy(all, { only: "missing" })).toBe(1);
    const named = await aWebhook(["token.created"]);
    expect(await matchedBy(named, { only: "missing", after: String(head) })).toBe(1);
    expect((await deliveriesOf(named)).map(({ event_type }) => event_type)).toEqual([
      "token.created",
    ]);
  });

  test("is of the positions after a cursor, or of the events in a time", async () => {
    const { account_id } = account;
    await happen(api.db, account_id, "order.created", "order.fulfilled", "batch.completed");
    await placeAll(api.db);
    await sql`
      UPDATE events SET created_at = CASE type
        WHEN 'order.created' THEN timestamptz '2026-03-01T12:00:00Z'
        WHEN 'order.fulfilled' THEN '2026-03-02T12:00:00Z' ELSE '2026-03-03T12:00:00Z' END
      WHERE account_id = ${account_id} AND type IN ('order.created', 'order.fulfilled', 'batch.completed')`.execute(
      api.db,
    );
    const counts = async (terms: object) =>
      matchedBy(await aWebhook(), { only: "missing", ...terms });
    expect(await counts({ after: String(head + 1) })).toBe(2);
    expect(await counts({ after: String(head + 3) })).toBe(0);
    expect(await counts({ after: String(head), until: "2026-03-02" })).toBe(2);
    expect(await counts({ since: "2026-03-02", until: "2026-03-02" })).toBe(1);
    expect(await counts({ since: "2026-03-02T12:00:01Z" })).toBe(1);
    expect(await counts({ until: "2026-03-01T11:59:59Z" })).toBe(0);
  });

  test("never sends a webhook what is said about it", async () => {
    const id = await aWebhook(["webhook.*"]);
    const data = { webhook_id: id, failing_since: new Date().toISOString(), failure_count: 1 };
    const about = { type: "webhook.failing", subject_id: id, data, by: bySystem("test") } as const;
    await inTransaction(api.db, (tx) =>
      recordEvent(tx, { account_id: account.account_id, ...about }),
    );
    await placeAll(api.db);
    expect(await matchedBy(id, { only: "all" })).toBe(0);
    expect(await matchedBy(await aWebhook(["webhook.*"]), { only: "all" })).toBe(1);
  });

  test("is refused with every field that is wrong, and changes nothing", async () => {
    const id = await oneOfEach();
    const before = await deliveriesOf(id);
    const beyond = String((await headOfFeed()) + 1);
    for (const [body, fields] of [
      [{}, ["only"]],
      [{ only: "some", types: ["x"], since: "yesterday" }, ["only", "since", "types.0"]],
      [{ only: "all", after: beyond }, ["after"]],
      [{ only: "all", after: "-1" }, ["after"]],
      [{ only: "all", after: "01" }, ["after"]],
      [{ only: "all", after: "one" }, ["after"]],
      [{ only: "all", after: 1 }, ["after"]],
      [{ only: "all", after: "0", since: "2026-03-01" }, ["since"]],
      [{ only: "all", since: "2026-03-02", until: "2026-03-01" }, ["until"]],
      [{ only: "all", types: [] }, ["types"]],
    ] as const) {
      const [status, code, details] = await detailsOf(id, body);
      expect([status, code, Object.keys(details as object).sort()], JSON.stringify(body)).toEqual([
        422,
        "validation_failed",
        fields,
      ]);
    }
    expect(await deliveriesOf(id)).toEqual(before);
  });

  test("from before what is kept is 410, with the oldest cursor", async () => {
    const id = await oneOfEach();
    const { account_id } = account;
    await sql`UPDATE event_feeds SET pruned_position = ${head + 2} WHERE account_id = ${account_id}`.execute(
      api.db,
    );
    expect(await detailsOf(id, { only: "all", after: String(head + 1) })).toEqual([
      410,
      "cursor_expired",
      { oldest_cursor: String(head + 2) },
    ]);
    expect(await matchedBy(id, { only: "failed", after: String(head + 2) })).toBe(2);
  });

  test("to a webhook that is disabled is 409", async () => {
    const id = await oneOfEach();
    await send("PUT", `/webhooks/${id}`, { status: "disabled" });
    expect((await detailsOf(id, { only: "all" })).slice(0, 2)).toEqual([409, "conflict"]);
    await send("PUT", `/webhooks/${id}`, { status: "enabled" });
    expect(await matchedBy(id, { only: "failed" })).toBe(3);
  });

  test("of 100,000 events is made in slices; one more is 422, naming the end to narrow", async () => {
    const { account_id } = account;
    await sql`
      INSERT INTO public.events (account_id, id, type, subject_id, data, position, sequence)
      SELECT ${account_id}, 'evt_' || n, 'order.created', 'ord_1', '{}', ${head} + n, n
      FROM generate_series(1, 100001) AS n`.execute(api.db);
    await sql`
      UPDATE event_feeds SET last_position = ${head + 100_001} WHERE account_id = ${account_id}`.execute(
      api.db,
    );
    const id = await aWebhook();
    for (const [terms, field] of [
      [{}, "since"],
      [{ after: String(head) }, "until"],
      [{ since: "2026-01-01" }, "until"],
    ] as const) {
      const [status, code, details] = await detailsOf(id, { only: "missing", ...terms });
      expect([status, code, Object.keys(details as object)]).toEqual([
        422,
        "validation_failed",
        [field],
      ]);
    }
    const { rows } = await sql`SELECT FROM deliveries WHERE webhook_id = ${id}`.execute(api.db);
    expect(rows).toHaveLength(0);
    expect(await matchedBy(id, { only: "missing", after: String(head + 1) })).toBe(100_000);
    const made = await sql<{ rows: number; events: number }>`
      SELECT count(*) AS rows, count(DISTINCT event_id) AS events
      FROM deliveries WHERE webhook_id = ${id}`.execute(api.db);
    expect(made.rows).toEqual([{ rows: 100_000, events: 100_000 }]);
  }, 120_000);
});
