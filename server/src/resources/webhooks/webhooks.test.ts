import { Webhook as StandardWebhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  aToken,
  anAccount,
  call,
  testApi,
  type TestAccount,
  type TestApi,
} from "../../../test/api.ts";
import { happen, placeAll } from "../../../test/events.ts";
import { reseal } from "../../database/reseal.ts";
import { createSealer } from "../../domain/accounts/sealer.ts";
import { typePatterns } from "../../domain/events/catalogue.ts";
import { manualClock } from "../../domain/time/clock.ts";
import { secretsInForce, sweepSecrets } from "../../events/webhooks/secrets.ts";
import { signatureHeader } from "../../events/webhooks/sign.ts";
import { deliveryRoutes } from "../deliveries/routes.ts";
import { webhookRoutes } from "./routes.ts";

const clock = manualClock(new Date());
const hourMs = 3_600_000;
let api: TestApi;
let account: TestAccount;
let token: string;
beforeAll(async () => {
  const settings = { WAYBILL_RATE_LIMITS: "off" };
  api = await testApi({ routes: [webhookRoutes, deliveryRoutes], settings, clock });
});
afterAll(() => api.close());

/** An address that is public, and no name that had to be looked up. */
const url = "https://93.184.215.14/hooks";

interface Shown {
  id: string;
  url: string;
  status: string;
  types: string[];
  disabled_reason: string | null;
  since_position: string;
  health: { pending: number; oldest_pending_at: string | null; failing_since: string | null };
  secret: string;
  updated_at: string;
}
type Method = "GET" | "POST" | "PUT" | "DELETE";
const send = (method: Method, path: string, body?: unknown, headers = {}, as = token) =>
  call(api, { token: as, method, path, body, headers });
const shown = (response: { body: string }) => (JSON.parse(response.body) as { data: Shown }).data;
const refusal = (response: { statusCode: number; body: string }) => {
  const { error } = JSON.parse(response.body) as {
    error: { code: string; details: Record<string, unknown> };
  };
  return { status: response.statusCode, ...error };
};
const create = async (more: object = {}, as = token) => {
  const made = await send("POST", "/webhooks", { url, types: ["*"], ...more }, {}, as);
  expect(made.statusCode, made.body).toBe(201);
  return shown(made);
};
const get = async (id: string) => shown(await send("GET", `/webhooks/${id}`));

/** Each test has an account of its own, because one has at most 16 webhooks. */
async function ownAccount(): Promise<void> {
  account = await anAccount(api);
  token = await aToken(api, account, { scopes: ["webhooks:write"] });
}

async function secretsOf(webhook_id: string): Promise<string[]> {
  const wanted = { account_id: account.account_id, webhook_ids: [webhook_id], now: clock.now() };
  const secrets = await secretsInForce(api.db, api.platform.sealer, wanted);
  return secrets.get(webhook_id)!;
}

async function deliveriesOf(webhook_id: string) {
  return api.db
    .selectFrom("deliveries")
    .select(["event_type", "status"])
    .where("webhook_id", "=", webhook_id)
    .orderBy("id")
    .execute();
}

describe("a webhook", () => {
  beforeAll(ownAccount);

  test("is created, read, listed and deleted", async () => {
    const made = await create({
      types: ["shipment.*"],
      description: " The  shop ",
      max_in_flight: 4,
    });
    const { secret, ...rest } = made;
    expect(made).toEqual({
      id: expect.stringMatching(/^whk_/) as string,
      url,
      description: "The shop",
      types: ["shipment.*"],
      status: "enabled",
      disabled_reason: null,
      max_in_flight: 4,
      since_position: "0",
      health: { pending: 0, oldest_pending_at: null, failing_since: null, last_success_at: null },
      created_at: clock.now().toISOString(),
      updated_at: clock.now().toISOString(),
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) as string,
    });
    expect(await get(made.id)).toEqual(rest);
    clock.advance(1);
    const second = await create();
    const list = (await send("GET", "/webhooks")).json<{ data: Shown[] }>().data;
    expect(list.map(({ id }) => id)).toEqual([second.id, made.id]);
    expect(JSON.stringify(list)).not.toContain(secret);
    expect((await send("DELETE", `/webhooks/${made.id}`)).statusCode).toBe(204);
    expect((await send("GET", `/webhooks/${made.id}`)).statusCode).toBe(404);
    expect((await send("DELETE", `/webhooks/${made.id}`)).statusCode).toBe(404);
  });

  test("shows its secret in the answer that creates it, and in that answer's replays alone", async () => {
    const key = { "idempotency-key": "once" };
    const body = { url, types: ["*"] };
    const first = await send("POST", "/webhooks", body, key);
    expect((await send("POST", "/webhooks", body, key)).body).toBe(first.body);
    const { id, secret } = shown(first);
    expect((await send("GET", `/webhooks/${id}`)).body).not.toContain(secret);
    const rows = await api.db.selectFrom("webhook_secrets").selectAll().execute();
    const keys = await api.db.selectFrom("idempotency_keys").selectAll().execute();
    expect(JSON.stringify([rows, keys])).not.toContain(secret.slice(8, 40));
  });

  test("has a secret that verifies what is signed with the stored one, as Standard Webhooks lays down", async () => {
    const { id, secret } = await create();
    expect(await secretsOf(id)).toEqual([secret]);
    const [body, now] = ['{"id":"evt_1"}', new Date()];
    const timestamp = Math.floor(now.getTime() / 1000);
    const signed = signatureHeader(await secretsOf(id), {
      id: "evt_1",
      timestamp_seconds: timestamp,
      body,
    });
    const headers = {
      "webhook-id": "evt_1",
      "webhook-timestamp": String(timestamp),
      "webhook-signature": signed,
    };
    expect(new StandardWebhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
  });

  test("keeps its secret under a new WAYBILL_SECRET once it is resealed", async () => {
    const { id, secret } = await create();
    const [former, next] = [
      "only-for-tests-only-for-tests-only",
      "another secret of the same use, of forty",
    ];
    const wanted = { account_id: account.account_id, webhook_ids: [id], now: clock.now() };
    expect((await secretsInForce(api.db, createSealer(next), wanted)).get(id)).toEqual([]);
    await reseal(api.db, createSealer(next, [former]));
    expect((await secretsInForce(api.db, createSealer(next), wanted)).get(id)).toEqual([secret]);
    await reseal(api.db, createSealer(former, [next]));
  });

  test("changes the fields that a PUT names, and no others; it may be sent back as it was read", async () => {
    const { id } = await create({ description: "Old", max_in_flight: 2 });
    const before = await get(id);
    clock.advance(1000);
    const changed = shown(await send("PUT", `/webhooks/${id}`, { types: ["order.*"] }));
    const updated_at = clock.now().toISOString();
    expect(changed).toEqual({ ...before, types: ["order.*"], updated_at });
    expect(shown(await send("PUT", `/webhooks/${id}`, changed))).toEqual(changed);
    const cleared = shown(await send("PUT", `/webhooks/${id}`, { description: null }));
    expect(cleared).toEqual({ ...changed, description: null });
  });
});

describe("refused", () => {
  beforeAll(ownAccount);

  test("is every wrong field at once, and every unknown type by its place", async () => {
    const wrong = {
      url: "http://10.0.0.1/hooks",
      types: ["shipment.*", "shipments.*", "shipment.bought"],
      max_in_flight: 33,
      description: 7,
    };
    const { status, code, details } = refusal(await send("POST", "/webhooks", wrong));
    expect([status, code]).toEqual([422, "validation_failed"]);
    expect(Object.keys(details).sort()).toEqual(
      ["description", "max_in_flight", "types.1", "types.2", "url"].sort(),
    );
    for (const pattern of typePatterns)
      expect(details["types.1"]).toEqual([expect.stringContaining(pattern)]);
  });

  test.each([
    ["a private address", { url: "https://10.0.0.1/" }, "url"],
    ["an address of this machine in decimal", { url: "https://2130706433/" }, "url"],
    ["http", { url: "http://93.184.215.14/" }, "url"],
    ["a user and password", { url: "https://a:b@93.184.215.14/" }, "url"],
    ["another port", { url: "https://93.184.215.14:22/" }, "url"],
    ["no URL", { url: "hooks" }, "url"],
    ["a URL of 2,049 characters", { url: url.padEnd(2049, "x") }, "url"],
    ["a missing URL", { url: undefined }, "url"],
    ["no types", { types: [] }, "types"],
    ["types that are missing", { types: undefined }, "types"],
    ["a type twice", { types: ["*", "*"] }, "types"],
    ["a text for types", { types: "*" }, "types"],
    ["nothing in flight", { max_in_flight: 0 }, "max_in_flight"],
    ["a long description", { description: "x".repeat(201) }, "description"],
  ])("is %s, in a POST and in a PUT", async (_what, wrong, field) => {
    const { id } = await create();
    const body = { url, types: ["*"], ...wrong };
    const before = await get(id);
    for (const response of [
      await send("POST", "/webhooks", body),
      ...(Object.values(wrong)[0] === undefined
        ? []
        : [await send("PUT", `/webhooks/${id}`, wrong)]),
    ]) {
      const { status, details } = refusal(response);
      expect([status, Object.keys(details)]).toEqual([422, [field]]);
    }
    expect(await get(id)).toEqual(before);
    await send("DELETE", `/webhooks/${id}`);
  });

  test("is a field that a webhook does not have, in a PUT", async () => {
    const { id } = await create();
    const { status, details } = refusal(
      await send("PUT", `/webhooks/${id}`, { typs: ["*"], status: "off" }),
    );
    expect([status, Object.keys(details).sort()]).toEqual([422, ["status", "typs"]]);
  });

  test("is a 17th webhook with 409 `conflict`, also of twenty at once", async () => {
    await ownAccount();
    const made = await Promise.all(
      Array.from({ length: 20 }, () => send("POST", "/webhooks", { url, types: ["*"] })),
    );
    const refused = made.filter(({ statusCode }) => statusCode !== 201).map(refusal);
    expect(made.length - refused.length).toBe(16);
    for (const each of refused)
      expect(each).toMatchObject({ status: 409, code: "conflict", details: { webhooks_max: 16 } });
    const ids = made.flatMap((each) => (each.statusCode === 201 ? [shown(each).id] : []));
    await send("DELETE", `/webhooks/${ids[0]!}`);
    expect((await send("POST", "/webhooks", { url, types: ["*"] })).statusCode).toBe(201);
  });

  test("is another account's webhook, with the same bytes as none", async () => {
    const { id } = await create(
      {},
      await aToken(api, await anAccount(api), { scopes: ["webhooks:write"] }),
    );
    await ownAccount();
    for (const [method, rest, body] of [
      ["GET", "", undefined],
      ["PUT", "", { types: ["*"] }],
      ["DELETE", "", undefined],
      ["POST", "/rotate-secret", {}],
      ["POST", "/test", {}],
      ["POST", "/replay", { only: "all" }],
      ["GET", "/deliveries", undefined],
    ] as const) {
      const foreign = await send(method, `/webhooks/${id}${rest}`, body);
      const none = await send(method, `/webhooks/whk_01k6x3v2m4f8r9t0a1b2c3d4e5${rest}`, body);
      expect([foreign.statusCode, foreign.body], rest).toEqual([404, none.body]);
    }
  });
});

describe("the events of a webhook", () => {
  beforeAll(ownAccount);

  test("are those placed after it was made, each once, whatever is committed and placed meanwhile", async () => {
    await ownAccount();
    const { account_id } = account;
    await happen(api.db, account_id, "order.created");
    await placeAll(api.db);
    const { last_position: head } = await api.db
      .selectFrom("event_feeds")
      .select("last_position")
      .where("account_id", "=", account_id)
      .executeTakeFirstOrThrow();
    await happen(api.db, account_id, "batch.completed");
    const placing = placeAll(api.db);
    const made = await Promise.all([1, 2, 3, 4].map(() => create()));
    await placing;
    await happen(api.db, account_id, "order.fulfilled");
    await placeAll(api.db);
    for (const { id, since_position } of made) {
      const types = (await deliveriesOf(id)).map(({ event_type }) => event_type);
      expect([since_position, types]).toEqual(
        since_position === String(head)
          ? [String(head), ["batch.completed", "order.fulfilled"]]
          : [String(head + 1), ["order.fulfilled"]],
      );
    }
  });

  test("are cancelled when it is disabled, and none is made until it is enabled", async () => {
    await ownAccount();
    const { id } = await create();
    await happen(api.db, account.account_id, "order.created", "order.fulfilled");
    await placeAll(api.db);
    const { health } = await get(id);
    expect([health.pending, health.oldest_pending_at]).toEqual([2, expect.any(String)]);
    await api.db
      .updateTable("webhooks")
      .set({ failing_since: clock.now(), failure_count: 7, is_failing_told: true })
      .where("id", "=", id)
      .execute();
    const disabled = shown(await send("PUT", `/webhooks/${id}`, { status: "disabled" }));
    expect(disabled).toMatchObject({
      status: "disabled",
      disabled_reason: "requested",
      health: { pending: 0 },
    });
    await happen(api.db, account.account_id, "batch.completed");
    await placeAll(api.db);
    expect((await deliveriesOf(id)).map(({ status }) => status)).toEqual([
      "cancelled",
      "cancelled",
    ]);
    const enabled = shown(await send("PUT", `/webhooks/${id}`, { status: "enabled" }));
    expect(enabled).toMatchObject({
      status: "enabled",
      disabled_reason: null,
      health: { pending: 0, failing_since: null },
    });
    const row = await api.db
      .selectFrom("webhooks")
      .select(["failure_count", "is_failing_told"])
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    expect(row).toEqual({ failure_count: 0, is_failing_told: false });
    await happen(api.db, account.account_id, "order.created");
    await placeAll(api.db);
    expect(await deliveriesOf(id)).toHaveLength(3);
  });

  test("are never pending for one that is disabled or deleted while they are placed", async () => {
    for (let round = 0; round < 5; round++) {
      await ownAccount();
      const [disabled, deleted] = [await create(), await create()];
      for (let each = 0; each < 5; each++)
        await happen(api.db, account.account_id, "order.created", "batch.completed");
      await Promise.all([
        placeAll(api.db),
        send("PUT", `/webhooks/${disabled.id}`, { status: "disabled" }),
        send("DELETE", `/webhooks/${deleted.id}`),
        placeAll(api.db),
      ]);
      for (const { id } of [disabled, deleted])
        expect((await deliveriesOf(id)).filter(({ status }) => status === "pending")).toEqual([]);
    }
  });
});

describe("POST /webhooks/{id}/rotate-secret", () => {
  beforeAll(ownAccount);
  const rotate = (id: string, body?: unknown, headers = {}) =>
    send("POST", `/webhooks/${id}/rotate-secret`, body, headers);

  test("shows a new secret once; the old one signs beside it for a day unless told otherwise", async () => {
    const { id, secret: old } = await create();
    const key = { "idempotency-key": "rotate" };
    const first = await rotate(id, undefined, key);
    expect((await rotate(id, undefined, key)).body).toBe(first.body);
    const { secret } = shown(first);
    const old_secrets_expire_at = new Date(clock.now().getTime() + 24 * hourMs).toISOString();
    expect([first.statusCode, shown(first)]).toEqual([200, { id, secret, old_secrets_expire_at }]);
    expect(await secretsOf(id)).toEqual([secret, old]);
    clock.advance(24 * hourMs - 1);
    expect(await secretsOf(id)).toEqual([secret, old]);
    clock.advance(1);
    expect(await secretsOf(id)).toEqual([secret]);
  });

  test("without an overlap ends the old secrets at once and deletes them", async () => {
    const { id } = await create();
    await rotate(id, { overlap_hours: 168 });
    const { secret } = shown(await rotate(id, { overlap_hours: 0 }));
    expect(await secretsOf(id)).toEqual([secret]);
    const rows = await api.db
      .selectFrom("webhook_secrets")
      .select("id")
      .where("webhook_id", "=", id)
      .execute();
    expect(rows).toHaveLength(1);
  });

  test("keeps no old secret once its overlap is over", async () => {
    const { id } = await create();
    await rotate(id, { overlap_hours: 1 });
    const stored = async () => {
      await sweepSecrets(api.db, clock.now());
      const of = api.db.selectFrom("webhook_secrets").select("id").where("webhook_id", "=", id);
      return (await of.execute()).length;
    };
    clock.advance(hourMs - 1);
    expect(await stored()).toBe(2);
    clock.advance(1);
    expect(await stored()).toBe(1);
  });

  test("never lengthens an overlap, and is 409 for more than five secrets", async () => {
    const { id, secret: first } = await create();
    const second = shown(await rotate(id, { overlap_hours: 1 })).secret;
    const third = shown(await rotate(id, { overlap_hours: 2 })).secret;
    clock.advance(hourMs);
    expect(await secretsOf(id)).toEqual([third, second]);
    expect(await secretsOf(id)).not.toContain(first);
    for (let more = 0; more < 3; more++) expect((await rotate(id)).statusCode).toBe(200);
    expect(refusal(await rotate(id))).toMatchObject({ status: 409, code: "conflict" });
    expect((await rotate(id, { overlap_hours: 0 })).statusCode).toBe(200);
  });

  test.each([-1, 169, 1.5, "24"])("refuses an overlap of %j hours", async (overlap_hours) => {
    const { id } = await create();
    const { status, details } = refusal(await rotate(id, { overlap_hours }));
    expect([status, Object.keys(details)]).toEqual([422, ["overlap_hours"]]);
    await send("DELETE", `/webhooks/${id}`);
  });
});

describe("POST /webhooks/{id}/test", () => {
  beforeAll(ownAccount);
  const ask = (id: string, body?: unknown) => send("POST", `/webhooks/${id}/test`, body);

  test("makes a delivery of a sample that is due now, and stands in no feed", async () => {
    const { id } = await create({ types: ["order.*"] });
    const response = await ask(id);
    const { data } = response.json<{ data: { id: string; event_id: string } }>();
    expect([response.statusCode, data]).toMatchObject([
      202,
      {
        webhook_id: id,
        type: "webhook.test",
        trigger: "test",
        status: "pending",
        attempt_count: 0,
      },
    ]);
    const { sample } = await api.db
      .selectFrom("deliveries")
      .select("sample")
      .where("id", "=", data.id)
      .executeTakeFirstOrThrow();
    expect(sample).toMatchObject({
      id: data.event_id,
      type: "webhook.test",
      api_version: "v5",
      environment: "test",
      subject_id: id,
      cursor: "0",
      actor: { type: "token" },
      data: { webhook_id: id },
    });
    const events = await api.db
      .selectFrom("recorded_events")
      .select("id")
      .where("id", "=", data.event_id)
      .execute();
    expect(events).toEqual([]);
    const { due_at } = await api.db
      .selectFrom("webhooks")
      .select("due_at")
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    expect(due_at).not.toBeNull();
  });

  test("sends a sample of any type, and no pattern or unknown one", async () => {
    const { id } = await create();
    const purchased = (await ask(id, { type: "shipment.purchased" })).json<{ data: Shown }>();
    expect(purchased.data).toMatchObject({ type: "shipment.purchased", trigger: "test" });
    for (const type of ["shipment.*", "shipment.bought", 7])
      expect(Object.keys(refusal(await ask(id, { type })).details)).toEqual(["type"]);
  });

  test("is 409 while the webhook is disabled", async () => {
    const { id } = await create();
    await send("PUT", `/webhooks/${id}`, { status: "disabled" });
    expect(refusal(await ask(id))).toMatchObject({
      status: 409,
      code: "conflict",
      details: { status: "disabled", disabled_reason: "requested" },
    });
    expect(await deliveriesOf(id)).toEqual([]);
  });
});
