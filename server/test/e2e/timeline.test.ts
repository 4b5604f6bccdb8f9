import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { newId } from "../../src/domain/values/ids.ts";
import { mintForAccount } from "../../src/resources/tokens/service.ts";
import { createBatch, createMany, processBatch, untilProcessed } from "../batches.ts";
import { outcomeOf, type DataOf } from "../client.ts";
import { assertInvariants } from "../invariants.ts";
import { order, shipped } from "../orders.ts";
import { rule, untilRuleBought } from "../rules.ts";
import { aShipment, aSteeredShipment, halifax, ottawa } from "../shipments.ts";
import {
  timelineOf,
  titlesOf,
  untilLogged,
  wholeTimeline,
  type Timeline,
  type TimelineEntry,
} from "../timelines.ts";
import { ahead, trackingUntil } from "../tracking.ts";
import { webhookReceiver } from "../webhook-receiver.ts";
import { aPlatform, anAccount, must, withToken, type TestAccount, type World } from "../world.ts";

/** What a timeline tells, for a person who knows nothing of how Waybill works. */

let world: World;
beforeAll(async () => {
  world = await aPlatform({
    WAYBILL_TRACKING_FIRST_POLL_SECONDS_TEST: "0",
    WAYBILL_TRACKING_POLL_SECONDS_TEST: "1",
    WAYBILL_REFUND_HOLD_DAYS_TEST: "0",
    WAYBILL_WEBHOOK_ALLOW: "127.0.0.0/8",
  });
});
afterAll(async () => {
  await assertInvariants(world);
  await world.close();
});

const as = (request_id: string) => ({ "x-request-id": request_id });
const expedited = "canada_post.expedited_parcel";

/** The same account, with a token of these scopes. */
async function withScopes({ account_id }: TestAccount, scopes: string[]): Promise<TestAccount> {
  const token = await mintForAccount(world.db, { account_id, name: "Few", scopes });
  return withToken(world, { account_id, environment: "test", token });
}

/** A purchase that the carrier refuses, told to a webhook, once all of it is written. */
async function aRefusedPurchase() {
  const account = await anAccount(world);
  const receiver = await webhookReceiver();
  onTestFinished(() => receiver.close());
  const webhook = await account.post<DataOf<{ id: string; secret: string }>>("/webhooks", {
    url: receiver.url,
    types: ["shipment.purchase_failed"],
  });
  receiver.trust(must(webhook, 201).data.secret);
  await rule(account, {
    name: "Cheapest",
    trigger: "shipment.before_purchase",
    actions: [{ type: "set_service", service: expedited }],
  });
  const reply = await account.post<DataOf<{ id: string }>>(
    "/shipments",
    aSteeredShipment("sim:refuse"),
    as("make it"),
  );
  const { id } = must(reply, 201).data;
  await account.rates(id);
  const bought = await account.buy(id, { service: expedited }, as("buy it"));
  expect(outcomeOf(bought)).toBe("502 carrier_error");
  await vi.waitFor(() => expect(receiver.received.length).toBe(1), {
    timeout: 15_000,
    interval: 20,
  });
  await vi.waitFor(
    async () => {
      const { data } = await timelineOf(account, `/shipments/${id}`);
      expect(titlesOf(data, "delivery")).toEqual([expect.stringContaining("delivered after")]);
    },
    { timeout: 15_000, interval: 50 },
  );
  const request = await untilLogged(account, "buy it");
  return { account, id, request, webhook_id: must(webhook, 201).data.id };
}

test("a failed purchase tells what was asked, which rule chose, what the carrier answered, and which money", async () => {
  const { account, id, webhook_id } = await aRefusedPurchase();
  const { data, meta } = await timelineOf(account, `/shipments/${id}`);
  const held = data.find(({ title }) => title.startsWith("Held"))!;
  const { amount } = held.details as { amount: number };
  const titles = titlesOf(data)
    .filter((title) => !/was asked for prices|^GET/.test(title))
    .map((title) => title.replaceAll(amount.toFixed(2), "<price>").replace(/\d+ ms/, "<time>"));
  expect(titles).toEqual([
    "POST /shipments was answered with 201",
    "A shipment was created (shipment.created)",
    "Carriers offered 22 services: Canada Post, Purolator, UPS, FedEx",
    `POST /labels/${id} was answered with 502 carrier_error`,
    `Rule “Cheapest” chose ${expedited}`,
    "Asked Canada Post for a label: Expedited Parcel, <price> CAD",
    "Held <price> CAD for the label",
    "Canada Post was asked for the label, and refused after <time>",
    "Canada Post refused the label: The carrier refuses this shipment (…).",
    "Released <price> CAD, held for the label: nothing was charged",
    "No label was issued; the held money is free again (shipment.purchase_failed)",
    `Webhook ${webhook_id} and shipment.purchase_failed: delivered after 1 attempt, answer 204`,
  ]);
  expect(titlesOf(data, "request")).toContain(`GET /rates/${id} was answered with 200`);
  expect(meta).toEqual({ complete_since: null, next_cursor: null });
  const purchase = data.slice(data.findIndex(({ kind }) => kind === "rule"));
  for (const { request_id, cause } of purchase)
    expect([request_id, cause]).toEqual(["buy it", { type: "request", id: "buy it" }]);
});

test("pages of any size have the same entries in the same order, each once", async () => {
  const { account, id } = await aRefusedPurchase();
  const { data } = await timelineOf(account, `/shipments/${id}`);
  expect(data.length).toBeGreaterThan(12);
  expect(new Set(data.map((each) => each.id)).size).toBe(data.length);
  const sizes = [1, 2, 3, data.length - 1, data.length, data.length + 1, 200];
  for (const limit of sizes)
    expect(await wholeTimeline(account, `/shipments/${id}`, limit), `${limit}`).toEqual(data);
});

test("nothing in a timeline says who somebody is or where", async () => {
  const { account, id } = await aRefusedPurchase();
  await sql`
    UPDATE attempts SET failure = jsonb_set(failure, '{message}', to_jsonb(${`${halifax.name} is not at ${halifax.address1}, call ${halifax.phone!}.`}::text))
    WHERE subject_id = ${id}`.execute(world.db);
  await vi.waitFor(async () => {
    const { numAffectedRows } = await sql`
      UPDATE events SET data = data || jsonb_build_object('message', ${halifax.name}::text) WHERE subject_id = ${id}`.execute(
      world.db,
    );
    expect(numAffectedRows).toBeGreaterThan(0n);
  });
  const said = JSON.stringify(await timelineOf(account, `/shipments/${id}`));
  expect(said).toContain("… is not at …, call ….");
  for (const { name, address1, phone } of [halifax, ottawa])
    for (const person of [name, address1, phone!]) expect(said).not.toContain(person);
});

test("bodies are shown to a token that may read the log, and to no other", async () => {
  const { account, id } = await aRefusedPurchase();
  const bodiesFor = async (reader: TestAccount) => {
    const { data } = await timelineOf(reader, `/shipments/${id}`);
    const refused = data.filter(({ title }) => /502 carrier_error|and refused/.test(title));
    return refused.map(({ details }) => (details as { response_body: unknown }).response_body);
  };
  expect(await bodiesFor(account)).toMatchObject([
    { error: { code: "carrier_error" } },
    { kind: "refused" },
  ]);
  expect(await bodiesFor(await withScopes(account, ["shipments:read"]))).toEqual([null, null]);
});

test("a token for freight alone does not see a parcel's timeline", async () => {
  const account = await anAccount(world);
  const { id } = await account.create(aShipment());
  const reader = await withScopes(account, ["ltl:read"]);
  expect(outcomeOf(await reader.get(`/shipments/${id}/timeline`))).toBe("403 scope_missing");
});

test("a cursor that is none and a limit out of bounds are refused at their parameters", async () => {
  const account = await anAccount(world);
  const { id } = await account.create(aShipment());
  for (const [query, field] of [
    ["after=0", "after"],
    ["after=%00", "after"],
    ["limit=0", "limit"],
    ["limit=201", "limit"],
  ] as const) {
    const reply = await account.get<{ error: { code: string; details: object } }>(
      `/shipments/${id}/timeline?${query}`,
    );
    expect([reply.status, Object.keys(reply.body.error.details)], query).toEqual([422, [field]]);
  }
});

test("a label that was bought, voided and refunded, and its scans", async () => {
  const account = await anAccount(world);
  const { id } = await account.create(aShipment());
  const { total } = (await account.rates(id)).data.find(({ service }) => service === expedited)!;
  await account.bought(id, { service: expedited });
  must(await account.post(`/shipments/${id}/void`, {}, as("void it")), 200);
  await vi.waitFor(async () => expect((await account.show(id)).refund?.status).toBe("approved"), {
    timeout: 15_000,
    interval: 50,
  });
  const { data } = await timelineOf(account, `/shipments/${id}`);
  const price = `${total.toFixed(2)} CAD`;
  expect(titlesOf(data, "attempt", "ledger")).toEqual([
    `Asked Canada Post for a label: Expedited Parcel, ${price}`,
    `Held ${price} for the label`,
    "Canada Post issued the label",
    `Charged ${price} for the label`,
    "Asked Canada Post to void the label",
    "Canada Post voided the label",
    `Refunded ${price}`,
  ]);
  const refund = data.find(({ title }) => title.startsWith("Refunded"))!;
  expect(refund.cause).toEqual({ type: "schedule", id: "refunds.resolve" });
  const parcel = await account.create(aShipment());
  const { tracking_code } = await account.bought(parcel.id, { service: "purolator.ground" });
  await ahead(world, 60);
  await trackingUntil(account, tracking_code!, ({ events }) => events.length > 0);
  const tracked = (await timelineOf(account, `/shipments/${parcel.id}`)).data;
  const scans = tracked.filter(({ kind }) => kind === "tracking");
  expect(scans[0]).toMatchObject({
    title: expect.stringMatching(/^Purolator: /) as unknown,
    cause: { type: "schedule", id: "tracking.purolator" },
    details: { tracking_code },
  });
  await ahead(world, 0);
});

describe("the cause is", () => {
  test("the batch that bought the label", async () => {
    const account = await anAccount(world);
    const [good, bad] = await createMany(account, [aShipment(), aSteeredShipment("sim:refuse")]);
    const { id } = await createBatch(account, [good!, bad!]);
    must(await processBatch(account, id, { service: expedited }, as("process it")), 202);
    await untilProcessed(account, id);
    const { data } = await timelineOf(account, `/shipments/${good!}`);
    const attempts = data.filter(({ kind }) => kind === "attempt");
    expect(attempts.map(({ cause }) => cause)).toEqual([
      { type: "batch", id },
      { type: "batch", id },
    ]);
    const { data: ofBatch } = await timelineOf(account, `/batches/${id}`);
    const done = ofBatch.filter(({ kind }) => kind !== "request");
    expect(titlesOf(done)).toEqual([
      expect.stringMatching(/^Every shipment of a batch has its label or its error/),
      "1 shipment got no label: carrier_error",
      expect.stringMatching(/^Bought 1 of 2 labels, for \d+\.\d\d CAD$/),
    ]);
    for (const { cause } of done) expect(cause).toEqual({ type: "batch", id });
  });

  test("the rule that asked for the label", async () => {
    const account = await anAccount(world);
    const { id: rule_id } = await rule(account, {
      name: "Buy",
      actions: [{ type: "buy_label", max_total: 500 }],
    });
    const { id } = await account.create(aShipment({ service: expedited }));
    await untilRuleBought(account, id);
    const { data } = await timelineOf(account, `/shipments/${id}`);
    const causeOf = (start: string) => data.find(({ title }) => title.startsWith(start))?.cause;
    expect(titlesOf(data, "rule")).toEqual([
      "Rule “Buy” asked for the label, for at most 500.00, and it was bought",
    ]);
    expect(causeOf("Rule")?.type).toBe("request");
    for (const start of ["Asked", "Held", "Charged", "A label was bought"])
      expect(causeOf(start), start).toEqual({ type: "rule", id: rule_id });
  });
});

test("an order tells what its shipments became, with a link to the timeline of each", async () => {
  const account = await anAccount(world);
  await rule(account, {
    name: "Tag",
    trigger: "order.created",
    actions: [{ type: "add_tag", tag: "vip" }],
  });
  const { id } = await order(account, { from_address: ottawa });
  const alone = (await timelineOf(account, `/orders/${id}`)).data;
  expect(titlesOf(alone, "event")).toEqual([expect.stringContaining("(order.created)")]);
  const shipment = await shipped(account, id);
  await account.bought(shipment.id, { service: expedited });
  const { data } = await timelineOf(account, `/orders/${id}`);
  expect(titlesOf(data, "rule")).toEqual(["Rule “Tag” changed tags"]);
  const types = data.flatMap(({ kind, details }) =>
    kind === "event" ? [(details as { type: string }).type] : [],
  );
  expect(types).toEqual(expect.arrayContaining(["order.created", "shipment.purchased"]));
  const bought = data.find(({ title }) => title.includes("shipment.purchased"))!;
  const { shipment_timeline: link } = bought.links as Record<string, string>;
  const linked = must(await account.get<Timeline>(link!.slice(account.base_url.length)), 200);
  expect(titlesOf(linked.data, "attempt").length).toBe(2);
});

test("a request tells what it did, and nothing that another request did", async () => {
  const { account, id, request } = await aRefusedPurchase();
  await account.buy(id, { service: expedited }, as("try again"));
  const { data } = await timelineOf(account, `/requests/${request}`);
  expect(data[0]!.id).toBe(request);
  const kinds = new Set(data.map(({ kind }) => kind));
  expect([...kinds].sort()).toEqual(
    ["request", "rule", "attempt", "ledger", "carrier_call", "event", "delivery"].sort(),
  );
  expect(titlesOf(data, "attempt").length).toBe(2);
  expect(new Set(data.map((each: TimelineEntry) => each.request_id))).toEqual(new Set(["buy it"]));
  expect(outcomeOf(await account.get(`/requests/${newId("req")}/timeline`))).toBe("404 not_found");
});

test("the operator's decision is told with the operator as its cause", async () => {
  const { account, id } = await aRefusedPurchase();
  await sql`
    UPDATE attempts SET decision = jsonb_build_object('decision', 'void', 'by', 'ada', 'note', 'secret', 'decided_at', now())
    WHERE subject_id = ${id}`.execute(world.db);
  const { data } = await timelineOf(account, `/shipments/${id}`);
  expect(data.filter(({ kind }) => kind === "operator")).toMatchObject([
    {
      title: "The operator decided that Canada Post issued no label",
      cause: { type: "operator", id: "ada" },
    },
  ]);
  expect(JSON.stringify(data)).not.toContain("secret");
});

describe("since when a timeline is complete", () => {
  test("after the last loss of lines, and not before", async () => {
    const account = await anAccount(world);
    const { id } = await account.create(aShipment());
    const at = new Date();
    await sql`
      INSERT INTO request_log_gaps (process_id, at, line_count) VALUES (${newId("prc")}, ${at}, 3)`.execute(
      world.db,
    );
    const { meta } = await timelineOf(account, `/shipments/${id}`);
    expect(meta.complete_since).toBe(at.toISOString());
    const later = await account.create(aShipment());
    expect((await timelineOf(account, `/shipments/${later.id}`)).meta.complete_since).toBeNull();
  });

  test("of what is old, for as long as the shortest-lived log is kept", async () => {
    const account = await anAccount(world);
    const { id } = await account.create(aShipment());
    const move = (days: number) =>
      sql`UPDATE shipments SET created_at = created_at + make_interval(days => ${days}) WHERE id = ${id}`.execute(
        world.db,
      );
    await move(-90);
    await sql`DELETE FROM request_log_gaps`.execute(world.db);
    await sql`UPDATE migration_checksums SET applied_at = now() - interval '1 year'`.execute(
      world.db,
    );
    const { meta } = await timelineOf(account, `/shipments/${id}`);
    await move(90);
    const days = (Date.now() - new Date(meta.complete_since!).getTime()) / 86_400_000;
    expect(days).toBeCloseTo(7, 2);
  });
});
