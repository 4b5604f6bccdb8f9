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
import type { DeliveryStatus } from "../../domain/events/webhook-states.ts";
import { firstIdAt } from "../../domain/values/ids.ts";
import { webhookRoutes } from "../webhooks/routes.ts";
import { deliveryRoutes } from "./routes.ts";

let api: TestApi;
let account: TestAccount;
let token: string;
let webhook: string;
beforeAll(async () => {
  const settings = { WAYBILL_RATE_LIMITS: "off" };
  api = await testApi({ routes: [webhookRoutes, deliveryRoutes], settings });
});
afterAll(() => api.close());
beforeEach(async () => {
  account = await anAccount(api);
  token = await aToken(api, account, { scopes: ["webhooks:write"] });
  const body = { url: "https://93.184.215.14/hooks", types: ["*"] };
  const made = await send("POST", "/webhooks", body);
  webhook = made.json<{ data: { id: string } }>().data.id;
});

interface Shown {
  id: string;
  event_id: string;
  type: string;
  status: DeliveryStatus;
  attempt_count: number;
  next_attempt_at: string | null;
  created_at: string;
}
const send = (method: "GET" | "POST" | "PUT" | "DELETE", path: string, body?: unknown) =>
  call(api, { token, method, path, body });
const list = async (query = "") => {
  const response = await send("GET", `/webhooks/${webhook}/deliveries${query}`);
  expect(response.statusCode, response.body).toBe(200);
  return response.json<{ data: Shown[]; links: { next: string | null } }>();
};
const redeliver = (id: string) => send("POST", `/deliveries/${id}/redeliver`);
const codeOf = (response: { statusCode: number; body: string }) => [
  response.statusCode,
  (JSON.parse(response.body) as { error: { code: string } }).error.code,
];
const stored = (id: string) =>
  api.db
    .selectFrom("deliveries")
    .select(["status", "due_at", "ended_at", "attempt_count", "attempts_before"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();

async function set(id: string, changes: Record<string, unknown>): Promise<void> {
  await api.db.updateTable("deliveries").set(changes).where("id", "=", id).execute();
}

const inAnHour = () => new Date(Date.now() + 3_600_000);

/** Deliveries of these events, newest first, as the list shows them. */
async function delivered(...types: Parameters<typeof happen>[2][]): Promise<Shown[]> {
  await happen(api.db, account.account_id, ...types);
  await placeAll(api.db);
  return (await list()).data;
}

async function aDelivery(): Promise<string> {
  return (await delivered("order.created"))[0]!.id;
}

describe("the deliveries of a webhook", () => {
  test("are listed newest first, and page by page", async () => {
    const all = await delivered("order.created", "batch.completed", "order.fulfilled");
    expect(all.map(({ type }) => type)).toEqual([
      "order.fulfilled",
      "batch.completed",
      "order.created",
    ]);
    expect(all[0]).toEqual({
      id: expect.stringMatching(/^dlv_/) as string,
      webhook_id: webhook,
      event_id: expect.stringMatching(/^evt_/) as string,
      type: "order.fulfilled",
      trigger: "event",
      status: "pending",
      attempt_count: 0,
      last_status: null,
      last_error: null,
      next_attempt_at: expect.any(String) as string,
      created_at: expect.any(String) as string,
      ended_at: null,
    });
    const first = await list("?per_page=2");
    const next = first.links.next!.split("?")[1]!;
    expect([...first.data, ...(await list(`?${next}`)).data]).toEqual(all);
    expect((await list("?page=2&per_page=2")).data).toEqual(all.slice(2));
  });

  test("are selected by status, type, event and date", async () => {
    const [third, second, first] = await delivered(
      "order.created",
      "batch.completed",
      "order.fulfilled",
    );
    await set(first!.id, { status: "failed", ended_at: new Date() });
    await set(second!.id, { status: "cancelled", ended_at: new Date() });
    const ids = async (query: string) => (await list(query)).data.map(({ id }) => id);
    expect(await ids("?status=failed")).toEqual([first!.id]);
    expect(await ids("?status=failed,cancelled")).toEqual([second!.id, first!.id]);
    expect(await ids("?type=order.fulfilled")).toEqual([third!.id]);
    expect(await ids(`?event_id=${first!.event_id}`)).toEqual([first!.id]);
    expect(await ids("?type=order.created&status=pending")).toEqual([]);
    const old = firstIdAt("dlv", new Date("2026-01-01"));
    await sql`UPDATE deliveries SET id = ${old} WHERE id = ${first!.id}`.execute(api.db);
    expect(await ids("?from_date=2026-01-02")).toEqual([third!.id, second!.id]);
    expect(await ids("?from_date=2026-01-01")).toEqual([third!.id, second!.id, old]);
  });

  test.each([
    ["status=lost", "status"],
    ["type=shipment.*", "type"],
    ["from_date=yesterday", "from_date"],
    ["per_page=0", "per_page"],
  ])("are refused by %s", async (query, field) => {
    const response = await send("GET", `/webhooks/${webhook}/deliveries?${query}`);
    const { error } = response.json<{ error: { details: object } }>();
    expect([response.statusCode, Object.keys(error.details)]).toEqual([422, [field]]);
  });

  test("show each attempt by itself, oldest first, and stay when their webhook is deleted", async () => {
    const id = await aDelivery();
    for (const number of [2, 1])
      await api.db
        .insertInto("delivery_attempts")
        .values({
          account_id: account.account_id,
          at: new Date(Date.UTC(2026, 2, number)),
          delivery_id: id,
          number,
          ms: 15_000,
          status: number === 2 ? 503 : null,
          error: number === 2 ? null : "timeout",
          response_excerpt: number === 2 ? "busy" : null,
        })
        .execute();
    await set(id, { attempt_count: 2, last_status: 503, due_at: inAnHour() });
    const read = async () =>
      (await send("GET", `/deliveries/${id}`)).json<{
        data: Shown & { attempts: object[] };
      }>().data;
    expect(await read()).toMatchObject({
      id,
      status: "pending",
      attempt_count: 2,
      last_status: 503,
      attempts: [
        {
          number: 1,
          at: "2026-03-01T00:00:00.000Z",
          ms: 15_000,
          status: null,
          error: "timeout",
          response_excerpt: null,
        },
        {
          number: 2,
          at: "2026-03-02T00:00:00.000Z",
          ms: 15_000,
          status: 503,
          error: null,
          response_excerpt: "busy",
        },
      ],
    });
    await send("DELETE", `/webhooks/${webhook}`);
    const cancelled = { status: "cancelled", next_attempt_at: null };
    expect(await read()).toMatchObject({ ...cancelled, attempts: [{}, {}] });
    expect(codeOf(await redeliver(id))).toEqual([409, "conflict"]);
  });

  test("are another account's with the same bytes as none", async () => {
    const id = await aDelivery();
    token = await aToken(api, await anAccount(api), { scopes: ["webhooks:write"] });
    const none = "dlv_01k6x3v2m4f8r9t0a1b2c3d4e5";
    const [foreign, missing] = [
      await send("GET", `/deliveries/${id}`),
      await send("GET", `/deliveries/${none}`),
    ];
    expect([foreign.statusCode, foreign.body]).toEqual([404, missing.body]);
    expect((await redeliver(id)).body).toBe((await redeliver(none)).body);
  });
});

describe("POST /deliveries/{id}/redeliver", () => {
  /** Whether workers would find its webhook. */
  async function isWebhookDue(): Promise<boolean> {
    const { rows } = await sql`
      SELECT FROM webhooks WHERE id = ${webhook} AND due_at <= now()`.execute(api.db);
    return rows.length > 0;
  }
  async function unwake(): Promise<void> {
    const due_at = inAnHour();
    await api.db.updateTable("webhooks").set({ due_at }).where("id", "=", webhook).execute();
  }

  test("makes one that waits due now, within its schedule", async () => {
    const id = await aDelivery();
    await set(id, { attempt_count: 3, due_at: inAnHour() });
    await unwake();
    const response = await redeliver(id);
    expect(response.statusCode).toBe(202);
    const { data } = response.json<{ data: Shown }>();
    expect(data).toMatchObject({ id, status: "pending", attempt_count: 3 });
    expect(Date.parse(data.next_attempt_at!)).toBeLessThan(Date.now() + 60_000);
    expect(await stored(id)).toMatchObject({ attempts_before: 0 });
    expect(await isWebhookDue()).toBe(true);
  });

  test.each<DeliveryStatus>(["delivered", "failed", "cancelled"])(
    "sends one that is %s again, with the whole of its schedule before it",
    async (status) => {
      const id = await aDelivery();
      await set(id, { status, attempt_count: 10, ended_at: new Date(), due_at: null });
      await unwake();
      const reopened = (await redeliver(id)).json<{ data: Shown }>().data;
      expect(reopened).toMatchObject({ status: "pending", ended_at: null, attempt_count: 10 });
      expect(await stored(id)).toMatchObject({ attempts_before: 10, ended_at: null });
      expect(await isWebhookDue()).toBe(true);
    },
  );

  test("sends one delivery for eight calls at once", async () => {
    const id = await aDelivery();
    await set(id, { status: "failed", attempt_count: 10, ended_at: new Date(), due_at: null });
    const all = await Promise.all(Array.from({ length: 8 }, () => redeliver(id)));
    expect(all.map(({ statusCode }) => statusCode)).toEqual(Array(8).fill(202));
    expect(await stored(id)).toMatchObject({ status: "pending", attempts_before: 10 });
    expect((await list()).data).toHaveLength(1);
  });

  test("is 409 while a live process sends it, and not once that process is dead", async () => {
    const id = await aDelivery();
    const holder_id = api.platform.process_id;
    await api.db.updateTable("webhooks").set({ holder_id }).where("id", "=", webhook).execute();
    const before = await stored(id);
    expect(codeOf(await redeliver(id))).toEqual([409, "conflict"]);
    expect(await stored(id)).toEqual(before);
    // The next attempt is still to come: the process has none of it in hand.
    await set(id, { due_at: inAnHour() });
    expect((await redeliver(id)).statusCode).toBe(202);
    await api.db
      .updateTable("webhooks")
      .set({ holder_id: "prc_dead" })
      .where("id", "=", webhook)
      .execute();
    expect((await redeliver(id)).statusCode).toBe(202);
  });

  test("is 409 when its webhook is disabled or its event is gone; a test's sample is never gone", async () => {
    const id = await aDelivery();
    const sample = (await send("POST", `/webhooks/${webhook}/test`)).json<{ data: Shown }>().data;
    await send("PUT", `/webhooks/${webhook}`, { status: "disabled" });
    expect(codeOf(await redeliver(id))).toEqual([409, "conflict"]);
    await send("PUT", `/webhooks/${webhook}`, { status: "enabled" });
    await sql`DELETE FROM events WHERE account_id = ${account.account_id}`.execute(api.db);
    expect(codeOf(await redeliver(id))).toEqual([409, "conflict"]);
    expect(await stored(id)).toMatchObject({ status: "cancelled" });
    expect((await redeliver(sample.id)).statusCode).toBe(202);
  });
});
