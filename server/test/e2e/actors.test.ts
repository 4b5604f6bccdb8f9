import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { mintOperatorToken } from "../../src/resources/admin/service.ts";
import { mintForAccount } from "../../src/resources/tokens/service.ts";
import { createBatch, createMany, processBatch, untilProcessed } from "../batches.ts";
import { outcomeOf, type DataOf } from "../client.ts";
import { assertInvariants } from "../invariants.ts";
import { rule, untilRuleBought } from "../rules.ts";
import { aShipment, aSteeredShipment } from "../shipments.ts";
import { ahead, trackingUntil } from "../tracking.ts";
import { aPlatform, anAccount, must, type TestAccount, type World } from "../world.ts";

/**
 * The recorded actor of background work: the originator of the request where a worker continues it, and the
 * loop where it acts by itself. `acceptance/audited.test.ts` tests the records of requests.
 */

let world: World;
beforeAll(async () => {
  world = await aPlatform({
    WAYBILL_TRACKING_FIRST_LOOK_SECONDS_TEST: "0",
    WAYBILL_TRACKING_LOOK_SECONDS_TEST: "1",
    WAYBILL_REFUND_HOLD_DAYS_TEST: "0",
  });
});
afterAll(async () => {
  await assertInvariants(world);
  await world.close();
});

interface Line {
  what: string;
  actor: string | null;
  request_id: string | null;
}

/** The recorded actors of a subject's events, oldest first. */
async function events(subjectId: string): Promise<Line[]> {
  const { rows } = await sql<Line>`
    SELECT type AS what, actor, request_id FROM recorded_events WHERE subject_id = ${subjectId} ORDER BY id`.execute(
    world.db,
  );
  return rows;
}

async function attempts(subjectId: string): Promise<Line[]> {
  const { rows } = await sql<Line>`
    SELECT kind AS what, actor, request_id FROM attempts WHERE subject_id = ${subjectId} ORDER BY id`.execute(
    world.db,
  );
  return rows;
}

async function audited(accountId: string, action: string): Promise<(Line & { by: string })[]> {
  const { rows } = await sql<Line & { by: string }>`
    SELECT action AS what, actor, request_id FROM audit_log
    WHERE account_id = ${accountId} AND action = ${action} ORDER BY id`.execute(world.db);
  return rows;
}

async function actorOf({ token }: TestAccount): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM tokens WHERE token_hash = sha256(${token}::bytea)`.execute(world.db);
  return `token:${rows[0]!.id}`;
}

const as = (request_id: string) => ({ "x-request-id": request_id });

describe("work that a worker continues has its originator as actor", () => {
  test("labels of a batch: the batch, in the request that had it processed; its end: who had it processed", async () => {
    const account = await anAccount(world);
    const ids = await createMany(account, [aShipment(), aShipment()]);
    const { id } = await createBatch(account, ids);
    must(await processBatch(account, id, { service: "cheapest" }, as("process it")), 202);
    await untilProcessed(account, id);
    const by = { actor: await actorOf(account), request_id: "process it" };
    expect(await events(id)).toEqual([{ what: "batch.completed", ...by }]);
    const ofBatch = { actor: `batch:${id}`, request_id: "process it" };
    for (const shipment_id of ids) {
      expect(await attempts(shipment_id)).toEqual([{ what: "label_purchase", ...ofBatch }]);
      // The carrier may have scanned it since: that is an event of the tracking.
      expect((await events(shipment_id))[1]).toEqual({ what: "shipment.purchased", ...ofBatch });
    }
  });

  test("a label that a rule requests: the rule, in the request that created the shipment", async () => {
    const account = await anAccount(world);
    const { id: rule_id } = await rule(account, {
      actions: [{ type: "buy_label", max_total: 500 }],
    });
    const entry = aShipment({ service: "cheapest" });
    const reply = await account.post<DataOf<{ id: string }>>("/shipments", entry, as("make it"));
    const { id } = must(reply, 201).data;
    await untilRuleBought(account, id);
    const made = { actor: await actorOf(account), request_id: "make it" };
    const by = { actor: `rule:${rule_id}`, request_id: "make it" };
    expect(await attempts(id)).toEqual([{ what: "label_purchase", ...by }]);
    // The carrier may have scanned it since.
    expect((await events(id)).slice(0, 2)).toEqual([
      { what: "shipment.created", ...made },
      { what: "shipment.purchased", ...by },
    ]);
  });

  test("products of an import: the actor that sent the file", async () => {
    const account = await anAccount(world);
    const body = { format: "json", products: [{ sku: `MUG-${account.account_id}`, title: "Mug" }] };
    const path = "/imports/products";
    const { id } = must(
      await account.post<DataOf<{ id: string }>>(path, body, as("bring it")),
      202,
    ).data;
    await vi.waitFor(
      async () => {
        const { data } = must(await account.get<DataOf<{ status: string }>>(`/imports/${id}`), 200);
        expect(data.status).toBe("completed");
      },
      { timeout: 15_000, interval: 20 },
    );
    const by = { actor: await actorOf(account), request_id: "bring it" };
    expect(await events(body.products[0]!.sku)).toEqual([
      { what: "product.status_changed", ...by },
    ]);
  });

  test("a purchase that recovery found: the actor that purchased", async () => {
    const account = await anAccount(world);
    const { id } = await account.create(aSteeredShipment("sim:lost_answer"));
    const bought = await account.buy(id, { service: "cheapest" }, as("buy it"));
    expect(outcomeOf(bought)).toBe("409 purchase_pending");
    await vi.waitFor(async () => expect((await account.show(id)).status).toBe("purchased"), {
      timeout: 20_000,
      interval: 50,
    });
    const by = { actor: await actorOf(account), request_id: "buy it" };
    expect((await events(id))[1]).toEqual({ what: "shipment.purchased", ...by });
  });

  test("an attempt of the previous release, without an actor: recovery", async () => {
    const account = await anAccount(world);
    const { id } = await account.create(aSteeredShipment("sim:lost_answer"));
    expect(outcomeOf(await account.buy(id))).toBe("409 purchase_pending");
    await sql`UPDATE attempts SET actor = NULL, request_id = NULL WHERE subject_id = ${id}`.execute(
      world.db,
    );
    await vi.waitFor(async () => expect((await account.show(id)).status).toBe("purchased"), {
      timeout: 20_000,
      interval: 50,
    });
    const [, event] = await events(id);
    expect(event).toEqual({
      what: "shipment.purchased",
      actor: "system:outbound.recover",
      request_id: null,
    });
  });
});

describe("what a loop does by itself has the loop as actor", () => {
  test("scans: the loop of their carrier", async () => {
    const account = await anAccount(world);
    const { id } = await account.create(aShipment());
    const service = "purolator.ground";
    const { tracking_code } = await account.bought(id, { service });
    await ahead(world, 60);
    await trackingUntil(account, tracking_code!, ({ events: scans }) => scans.length > 0);
    const last = (await events(id)).at(-1);
    const actor = "system:tracking.purolator";
    expect(last).toEqual({ what: "tracking.updated", actor, request_id: null });
    await ahead(world, 0);
  });

  test("a refund that the carrier grants later: the loop that requests it", async () => {
    const account = await anAccount(world);
    const { id } = await account.create(aShipment());
    await account.bought(id);
    must(await account.post(`/shipments/${id}/void`, {}, as("void it")), 200);
    await vi.waitFor(async () => expect((await account.show(id)).refund?.status).toBe("approved"), {
      timeout: 15_000,
      interval: 50,
    });
    const told = (await events(id)).filter(({ what }) => /^(shipment\.voided|refund)/.test(what));
    expect(told).toEqual([
      { what: "shipment.voided", actor: await actorOf(account), request_id: "void it" },
      { what: "refund.approved", actor: "system:refunds.resolve", request_id: null },
    ]);
  });
});

describe("what an operator does has the operator as actor", () => {
  test("over HTTP: the token's name, which the audit log's response shows as before", async () => {
    const account = await anAccount(world);
    const path = `/accounts/${account.account_id}`;
    const changes: [string, Promise<{ status: number }>][] = [
      [
        "account.changed",
        world.operator.patch(path, { time_zone: "America/Toronto" }, as("account.changed")),
      ],
      [
        "account.settings_changed",
        world.operator.patch(
          `${path}/settings`,
          { show_tier_rates_api: true },
          as("account.settings_changed"),
        ),
      ],
      [
        "balance.adjusted",
        world.operator.post(
          `${path}/adjustments`,
          { amount: 5, description: "A gift" },
          { ...as("balance.adjusted"), "idempotency-key": "a gift" },
        ),
      ],
      [
        "payment_method.attached",
        world.operator.post(
          `${path}/payment-methods`,
          { id: "pm_new", brand: "visa", last4: "4242" },
          as("payment_method.attached"),
        ),
      ],
    ];
    for (const [action, done] of changes) {
      expect((await done).status, action).toBeLessThan(300);
      const line = { what: action, actor: "operator:test operator", request_id: action };
      expect(await audited(account.account_id, action), action).toContainEqual(line);
    }
    const removed = await world.operator.delete(
      `${path}/payment-methods/pm_new`,
      as("payment_method.detached"),
    );
    expect(removed.status).toBe(204);
    expect(await audited(account.account_id, "payment_method.detached")).toHaveLength(1);
    const shown = must(
      await world.operator.get<DataOf<{ action: string; actor: string }[]>>(`${path}/audit-log`),
      200,
    ).data;
    expect(shown.length).toBeGreaterThan(5);
    expect(new Set(shown.map(({ actor }) => actor))).toEqual(new Set(["test operator"]));
  });

  test("also for a change that concerns no account", async () => {
    const organization = { name: "New", owner_email: "new@example.com" };
    const created = must(
      await world.operator.post<DataOf<{ id: string }>>(
        "/organizations",
        organization,
        as("open it"),
      ),
      201,
    ).data;
    expect(await audited("operators", "organization.created")).toContainEqual({
      what: "organization.created",
      actor: "operator:test operator",
      request_id: "open it",
    });
    expect(created.id).toMatch(/^org_/);
  });

  test("in a shell: the shell", async () => {
    const { account_id } = await anAccount(world);
    await mintForAccount(world.db, { account_id, name: "By hand" });
    expect((await audited(account_id, "token.created")).at(-1)).toEqual({
      what: "token.created",
      actor: "operator:shell",
      request_id: null,
    });
    await mintOperatorToken(world.db, "ada");
    expect((await audited("operators", "operator_token.created")).at(-1)).toEqual({
      what: "operator_token.created",
      actor: "operator:shell",
      request_id: null,
    });
  });

  test("an entry from before kinds existed is shown unchanged", async () => {
    const { account_id } = await anAccount(world);
    await sql`INSERT INTO audit_log (account_id, id, actor, action, subject_id)
      VALUES (${account_id}, 'evt_zzz', 'ada', 'account.changed', ${account_id})`.execute(world.db);
    const { data } = must(
      await world.operator.get<DataOf<{ actor: string }[]>>(`/accounts/${account_id}/audit-log`),
      200,
    );
    expect(data[0]!.actor).toBe("ada");
  });
});
