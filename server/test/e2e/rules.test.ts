import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { batchNamed, errorsOf, processBatch, showBatch, untilProcessed } from "../batches.ts";
import { outcomeOf, type DataOf, type Failure, type ListOf, type Row } from "../client.ts";
import { aFreight } from "../freight-shipments.ts";
import { assertInvariants } from "../invariants.ts";
import { order, shipped, showOrder } from "../orders.ts";
import {
  rule,
  runsOf,
  runsOn,
  untilRuleBought,
  when,
  type Rule,
  type RuleTested,
} from "../rules.ts";
import { aShipment, aSteeredShipment, boston, ottawa, type ItemEntry } from "../shipments.ts";
import { aPlatform, anAccount, must, type TestAccount, type World } from "../world.ts";

/** Rules at work, from the order to the label and back, through the API alone. */

let world: World;
beforeAll(async () => {
  world = await aPlatform();
});
afterAll(async () => {
  await assertInvariants(world);
  await world.close();
});

async function aShop(): Promise<TestAccount> {
  const account = await anAccount(world);
  const settings = { default_from_address: ottawa };
  must(await world.operator.patch(`/accounts/${account.account_id}`, settings), 200);
  return account;
}

async function theBatch(account: TestAccount, name: string) {
  const found = await batchNamed(account, name);
  expect(found).toHaveLength(1);
  return found[0]!;
}

describe("codes of customs lines that a rule fills in", () => {
  const bare = { title: "Wool scarf", quantity: 1, value: 40, currency: "CAD" } as ItemEntry;
  const abroad = () => aShipment({ to_address: boston, items: [bare, { ...bare, title: "Hat" }] });
  const codes = { hs_code: "610910", country_of_origin: "CA" };
  const missing = ["items.0.hs_code", "items.1.hs_code"];

  test("need not be sent: a shipment is validated as all rules leave it", async () => {
    const shop = await aShop();
    await rule(shop, { actions: [{ type: "set_customs", hs_code: codes.hs_code }] });
    await rule(shop, { actions: [{ type: "set_customs", country_of_origin: "CA" }] });
    const kept = await shop.create(abroad());
    expect(kept.items).toMatchObject([codes, codes]);
    const rows = must(await shop.post<DataOf<Row[]>>("/shipments", [abroad(), abroad()]), 201);
    expect(rows.data.map(({ status }) => status)).toEqual(["created", "created"]);
    const sold = await shop.post<DataOf<{ shipment_id: string }>>("/labels", {
      ...abroad(),
      service: "cheapest",
    });
    expect((await shop.show(must(sold, 201).data.shipment_id)).items).toMatchObject([codes, codes]);
    const { id } = await order(shop, { to_address: boston, items: [bare] });
    expect((await shipped(shop, id)).items).toMatchObject([codes]);
  });

  test("are missing when no rule gives them, and no action of rules then counts", async () => {
    const shop = await aShop();
    await rule(shop, {
      actions: [
        { type: "set_customs", country_of_origin: "CA" },
        { type: "add_to_batch", name: "Never" },
      ],
    });
    for (const path of ["/shipments", "/labels"]) {
      const sent = { ...abroad(), service: "cheapest" };
      const refused = must(await shop.post<Failure>(path, sent), 422);
      expect(Object.keys(refused.error.details), path).toEqual(missing);
    }
    const { data } = must(
      await shop.post<DataOf<Row[]>>("/shipments", [abroad(), aShipment()]),
      201,
    );
    expect(data).toMatchObject([
      {
        status: "error",
        error: { code: "validation_failed", details: { [missing[0]!]: [expect.any(String)] } },
      },
      { status: "created" },
    ]);
    const ids = (await theBatch(shop, "Never")).shipment_ids;
    expect(ids).toEqual([(data[1] as { data: { id: string } }).data.id]);
    expect(await runsOf(shop, "/rules/runs")).toHaveLength(1);
    const bad = { ...abroad(), packages: [] };
    const all = must(await shop.post<Failure>("/shipments", bad), 422);
    expect(Object.keys(all.error.details)).toEqual(
      expect.arrayContaining(["packages", "items.0.hs_code", "items.0.country_of_origin"]),
    );
  });

  test.each(["hs_code", "country_of_origin"] as const)(
    "are missed when rules give all but the %s",
    async (field) => {
      const shop = await aShop();
      const { [field]: _left, ...given } = codes;
      await rule(shop, { actions: [{ type: "set_customs", ...given }] });
      const refused = must(await shop.post<Failure>("/shipments", abroad()), 422);
      expect(Object.keys(refused.error.details)).toEqual([`items.0.${field}`, `items.1.${field}`]);
    },
  );

  test("are shown as filled in by a rule's test", async () => {
    const shop = await aShop();
    const { id } = await rule(shop, { actions: [{ type: "set_customs", ...codes }] });
    const tested = await shop.post<DataOf<RuleTested>>(`/rules/${id}/test`, { shipment: abroad() });
    expect(must(tested, 200).data).toMatchObject({ matched: true, status: "applied" });
  });
});

describe("a rule that moves the border", () => {
  const item = { title: "Wool scarf", quantity: 1, value: 40, currency: "CAD" } as ItemEntry;
  const moving = { type: "set_from_address", address: boston };
  const codes = { type: "set_customs", hs_code: "610910", country_of_origin: "CA" };

  test("fails where it leaves a shipment without the codes that it now needs, which is created as it was sent", async () => {
    const shop = await aShop();
    const { id } = await rule(shop, { actions: [moving] });
    const sent = aShipment({ items: [item] });
    const created = await shop.create(sent);
    expect(created.from_address.country_code).toBe("CA");
    expect(codesOf(created)).toContain("rule_failed");
    const [run] = await runsOf(shop, `/rules/runs?shipment_id=${created.id}`);
    expect(run).toMatchObject({ status: "failed", error: { code: "validation_failed" } });
    expect(Object.keys(run!.error!.details)).toEqual(
      expect.arrayContaining(["items.0.hs_code", "items.0.country_of_origin"]),
    );
    const tested = await shop.post<DataOf<RuleTested>>(`/rules/${id}/test`, { shipment: sent });
    expect(must(tested, 200).data).toMatchObject({ matched: true, status: "failed" });
  });

  test("acts where another one gives the codes", async () => {
    const shop = await aShop();
    await rule(shop, { actions: [moving] });
    await rule(shop, { actions: [codes] });
    const created = await shop.create(aShipment({ items: [item] }));
    expect(created.from_address.country_code).toBe("US");
    expect(created.items).toMatchObject([{ hs_code: "610910", country_of_origin: "CA" }]);
  });
});

test("a run shows what a rule changed, in the fields and amounts of the API", async () => {
  const shop = await aShop();
  await rule(shop, { actions: [{ type: "set_service", strategy: "cheapest", max_total: 20 }] });
  const created = await shop.create(aShipment());
  const [run] = await runsOf(shop, `/rules/runs?shipment_id=${created.id}`);
  expect(run!.changes.map(({ field, after }) => [field, after])).toEqual([
    ["service", "cheapest"],
    ["price_cap", { service: "cheapest", max_total: 20 }],
  ]);
  const texts = created.messages.map((each) => (each as { text: string }).text);
  expect(texts).toEqual([expect.stringMatching(/set service, price_cap\.$/)]);
  const timeline = must(
    await shop.get<ListOf<{ kind: string; title: string }>>(`/shipments/${created.id}/timeline`),
    200,
  );
  const { title } = timeline.data.find(({ kind }) => kind === "rule")!;
  expect(title).toMatch(/ chose cheapest, for at most 20\.00$/);
});

const codesOf = (shipment: { messages: object[] }) =>
  shipment.messages.map((each) => (each as { code: string }).code);

test("an imported order is sent by rules, fulfilled by a batch, voided, and can be deleted", async () => {
  const shop = await aShop();
  const chooses = await rule(shop, {
    trigger: "order.created",
    criteria: when("requested_service", "contains", "standard"),
    actions: [
      { type: "set_service", service: "canada_post.expedited_parcel" },
      { type: "add_tag", tag: "domestic" },
      { type: "add_to_batch", name: "Tonight" },
    ],
  });
  await rule(shop, {
    criteria: when("declared_value", "gte", 50),
    actions: [
      { type: "add_add_on", add_on: "protection" },
      { type: "add_tag", tag: "protected" },
    ],
  });
  const imported = await order(shop, { requested_service: "Standard Shipping" });
  expect(imported).toMatchObject({
    requested_service: "canada_post.expedited_parcel",
    tags: ["domestic"],
  });

  const { id } = await shipped(shop, imported.id);
  const draft = await shop.show(id);
  const batch = await theBatch(shop, "Tonight");
  expect(draft).toMatchObject({
    service: "canada_post.expedited_parcel",
    add_ons: ["protection"],
    tags: ["protected"],
    batch_id: batch.id,
  });
  expect(codesOf(draft)).toEqual(["rule_applied", "rule_applied"]);
  expect(batch).toMatchObject({ status: "open", shipment_ids: [id] });
  const [orderRun] = await runsOf(shop, `/rules/runs?order_id=${imported.id}`);
  expect(orderRun).toMatchObject({
    rule_id: chooses.id,
    status: "applied",
    order_id: imported.id,
    changes: expect.arrayContaining([
      expect.objectContaining({ field: "tags", before: [], after: ["domestic"] }),
    ]) as unknown,
  });

  must(await processBatch(shop, batch.id, {}), 202);
  expect(await untilProcessed(shop, batch.id)).toMatchObject({ status: "completed" });
  const bought = await shop.show(id);
  expect(bought).toMatchObject({ status: "purchased", service: "canada_post.expedited_parcel" });
  expect(bought.selected_rate).toMatchObject({
    add_ons: expect.arrayContaining([
      expect.objectContaining({ code: "protection", selected: true }),
    ]) as unknown,
  });
  expect(await showOrder(shop, imported.id)).toMatchObject({ status: "fulfilled" });

  must(await shop.post(`/shipments/${id}/void`), 200);
  expect(await showOrder(shop, imported.id)).toMatchObject({ status: "unfulfilled" });
  must(await shop.delete(`/orders/${imported.id}`), 204);
});

test("rules act alike on shipments made alone, in bulk, from orders and with their label", async () => {
  const shop = await aShop();
  const { id: rule_id } = await rule(shop, {
    actions: [{ type: "set_reference", reference: "R" }],
  });
  const alone = await shop.create(aShipment());
  const rows = must(
    await shop.post<DataOf<Row[]>>("/shipments", [aShipment(), aShipment()]),
    201,
  ).data.map((row) => (row.status === "created" ? row.data : null));
  const fromOrder = await shipped(shop, (await order(shop)).id);
  const body = { ...aShipment(), service: "cheapest" };
  const { shipment_id } = must(
    await shop.post<DataOf<{ shipment_id: string }>>("/labels", body),
    201,
  ).data;
  const withLabel = await shop.show(shipment_id);
  for (const each of [alone, ...rows, fromOrder, withLabel])
    expect(each).toMatchObject({ reference: "R" });
  const { run_count, last_run_at } = must(
    await shop.get<DataOf<Rule>>(`/rules/${rule_id}`),
    200,
  ).data;
  expect(run_count).toBe(5);
  expect(Date.parse(last_run_at!)).toBeGreaterThan(Date.now() - 60_000);
  expect(await runsOf(shop, `/rules/${rule_id}/runs`)).toHaveLength(5);
});

test("a service that a rule excludes is among the excluded services, and cannot be bought", async () => {
  const shop = await aShop();
  await rule(shop, {
    name: "No UPS",
    actions: [
      { type: "exclude_carrier", carrier: "ups" },
      { type: "exclude_service", service: "canada_post.priority" },
    ],
  });
  const { id } = await shop.create(aShipment());
  for (const rates of [
    await shop.rates(id),
    must(await shop.post<Awaited<ReturnType<typeof shop.rates>>>("/rates", aShipment()), 200),
  ]) {
    const offered = rates.data.map(({ service }) => service);
    expect(offered.length).toBeGreaterThan(3);
    expect(offered.filter((service) => service.startsWith("ups."))).toEqual([]);
    const filtered = rates.meta.excluded_services.filter(
      ({ reason }) => reason === "filtered_by_rule",
    );
    expect(filtered.map(({ service }) => service)).toContain("canada_post.priority");
    expect(filtered.filter(({ carrier }) => carrier === "ups").length).toBeGreaterThan(0);
    expect(filtered[0]!.message).toContain("No UPS");
  }
  const refused = await shop.buy(id, { service: "canada_post.priority" });
  expect(refused.status).toBe(422);
  expect(refused.body).toMatchObject({
    error: { code: "unserviceable", details: { reason: "filtered_by_rule" } },
  });
});

describe("a label that a rule buys", () => {
  test("is bought once after the creation, within its cap, and the shipment shows it", async () => {
    const shop = await aShop();
    const { id: rule_id } = await rule(shop, { actions: [{ type: "buy_label", max_total: 100 }] });
    const before = await shop.balanceCents();
    const { id } = await shop.create(aShipment());
    const shipment = await untilRuleBought(shop, id);
    expect(shipment).toMatchObject({ status: "purchased" });
    expect(codesOf(shipment)).toEqual(["rule_applied", "label_bought_by_rule"]);
    expect(before - (await shop.balanceCents())).toBe(Math.round(shipment.cost!.total * 100));
    expect(await runsOn(shop, id)).toMatchObject([
      { rule_id, status: "applied", purchase: { status: "bought", max_total: 100 } },
    ]);
  });

  test("is bought at its cap to the cent, and not a cent above it", async () => {
    const shop = await aShop();
    const { data } = await shop.rates((await shop.create(aShipment())).id);
    const { total } = data[0]!;
    const caps = { enough: total, short: Math.round(total * 100 - 1) / 100 };
    for (const [tag, max_total] of Object.entries(caps))
      await rule(shop, {
        criteria: when("tags", "contains", tag),
        actions: [{ type: "buy_label", max_total }],
      });
    const enough = await shop.create(aShipment({ tags: ["enough"] }));
    const short = await shop.create(aShipment({ tags: ["short"] }));
    expect((await untilRuleBought(shop, enough.id)).cost?.total).toBe(total);
    expect((await untilRuleBought(shop, short.id)).status).toBe("draft");
    expect(await shop.balanceCents()).toBe(100_000 - Math.round(total * 100));
  });

  test("is not bought above its cap, and not when the carrier refuses", async () => {
    const shop = await aShop();
    await rule(shop, {
      criteria: when("tags", "contains", "frugal"),
      actions: [{ type: "buy_label", max_total: 0.5 }],
      stop_processing: true,
    });
    await rule(shop, { actions: [{ type: "buy_label", max_total: 100 }] });
    const frugal = await shop.create(aShipment({ tags: ["frugal"] }));
    const refused = await shop.create(aSteeredShipment("sim:refuse"));
    for (const [{ id }, code] of [
      [frugal, "rate_changed"],
      [refused, "carrier_error"],
    ] as const) {
      const shipment = await untilRuleBought(shop, id);
      expect(shipment.status).toBe("draft");
      expect(codesOf(shipment)).toEqual(["rule_applied", "label_not_bought_by_rule"]);
      expect(await runsOn(shop, id)).toMatchObject([
        { purchase: { status: "not_bought", error: { code } } },
      ]);
    }
    expect(await shop.balanceCents()).toBe(100_000);
  });

  test("is left to the call that buys it, and to the batch that another rule chose", async () => {
    const shop = await aShop();
    await rule(shop, { priority: 1, actions: [{ type: "buy_label", max_total: 100 }] });
    await rule(shop, { priority: 2, actions: [{ type: "add_to_batch", name: "Later" }] });
    const { id } = await shop.create(aShipment());
    const [buys, batches] = await runsOn(shop, id);
    expect(buys).toMatchObject({ status: "applied", purchase: { max_total: 100 } });
    expect(batches).toMatchObject({ status: "failed", error: { code: "not_applicable" } });
    const body = { ...aShipment(), service: "cheapest" };
    const { shipment_id } = must(
      await shop.post<DataOf<{ shipment_id: string }>>("/labels", body),
      201,
    ).data;
    expect(codesOf(await shop.show(shipment_id))).not.toContain("label_bought_by_rule");
    await untilRuleBought(shop, id);
  });
});

test("a shipment on hold is not bought until the hold is lifted, and is not put on hold again", async () => {
  const shop = await aShop();
  await rule(shop, { trigger: "shipment.before_purchase", actions: [{ type: "hold" }] });
  const { id } = await shop.create(aShipment());
  expect(outcomeOf(await shop.buy(id))).toBe("409 on_hold");
  const held = await shop.show(id);
  expect([held.on_hold, held.status]).toEqual([true, "draft"]);
  expect(outcomeOf(await shop.buy(id))).toBe("409 on_hold");
  must(await shop.put(`/shipments/${id}`, { on_hold: false }), 200);
  await shop.bought(id);
  expect(await runsOn(shop, id)).toHaveLength(1);
});

test("a rule that rejects is named, alone and in a row, and nothing is created", async () => {
  const shop = await aShop();
  const { id: rule_id, name } = await rule(shop, {
    criteria: when("tags", "contains", "stop"),
    actions: [{ type: "reject", message: "Not from this shop." }],
  });
  const error = {
    code: "rejected_by_rule",
    message: "Not from this shop.",
    details: { rule_id, rule_name: name },
  };
  const alone = await shop.post<Failure>("/shipments", aShipment({ tags: ["stop"] }));
  expect([alone.status, alone.body]).toEqual([422, { error }]);
  const rows = must(
    await shop.post<DataOf<Row[]>>("/shipments", [aShipment(), aShipment({ tags: ["stop"] })]),
    201,
  ).data;
  expect(rows).toMatchObject([{ status: "created" }, { status: "error", error }]);
  const list = must(await shop.get<DataOf<object[]>>("/shipments"), 200).data;
  expect(list).toHaveLength(1);
  expect(await runsOf(shop, `/rules/${rule_id}/runs`)).toMatchObject([
    { status: "rejected", changes: [] },
    { status: "rejected", changes: [] },
  ]);
});

test("a batch's rules act on each of its shipments, and a refusal is the item's", async () => {
  const shop = await aShop();
  await rule(shop, {
    trigger: "batch.before_process",
    criteria: when("tags", "contains", "stop"),
    actions: [{ type: "reject", message: "Not by batch." }],
  });
  await rule(shop, {
    trigger: "batch.before_process",
    actions: [{ type: "set_service", strategy: "cheapest" }],
  });
  await rule(shop, {
    trigger: "shipment.created",
    actions: [{ type: "add_to_batch", name: "Friday" }],
  });
  const good = await shop.create(aShipment());
  const bad = await shop.create(aShipment({ tags: ["stop"] }));
  const batch = await theBatch(shop, "Friday");
  expect(batch.shipment_ids).toEqual([good.id, bad.id]);
  must(await processBatch(shop, batch.id, {}), 202);
  expect(await untilProcessed(shop, batch.id)).toMatchObject({
    status: "completed_with_errors",
    success_count: 1,
  });
  expect((await errorsOf(shop, batch.id)).get(bad.id)).toMatchObject({
    code: "rejected_by_rule",
    message: "Not by batch.",
  });
  expect(await shop.show(good.id)).toMatchObject({ status: "purchased" });
  // The batch is not open any more: the next shipment begins another of the name.
  const next = await shop.create(aShipment());
  expect(next.batch_id).not.toBe(batch.id);
  expect((await showBatch(shop, next.batch_id!)).name).toBe("Friday");
});

test("a weight that a rule adds before a purchase is added once, however often the purchase is tried", async () => {
  const shop = await aShop();
  await rule(shop, {
    trigger: "shipment.before_purchase",
    priority: 1,
    actions: [{ type: "add_weight", weight: 100, weight_unit: "g" }],
    stop_processing: true,
  });
  await rule(shop, {
    trigger: "shipment.before_purchase",
    priority: 2,
    actions: [{ type: "add_tag", tag: "never" }],
  });
  const { id } = await shop.create(aSteeredShipment("sim:refuse"));
  expect(outcomeOf(await shop.buy(id))).toBe("502 carrier_error");
  expect(outcomeOf(await shop.buy(id))).toBe("502 carrier_error");
  const { packages, tags } = await shop.show(id);
  expect(packages[0]).toMatchObject({ weight: 1.5, weight_unit: "kg" });
  expect(tags).toEqual([]);
});

test("a rule that cannot act leaves the shipment unchanged, and its run states why", async () => {
  const shop = await aShop();
  await rule(shop, {
    actions: [
      { type: "add_tag", tag: "never" },
      { type: "set_service", service: "canada_post.expedited_parcel" },
    ],
  });
  await rule(shop, {
    actions: [{ type: "set_from_address", address: { ...ottawa, name: "Depot" } }],
  });
  const { id, service, tags, from_address } = await shop.create(aFreight());
  expect([service, tags, from_address.name]).toEqual([null, [], "Depot"]);
  expect(await runsOn(shop, id)).toMatchObject([
    { status: "failed", changes: [], error: { message: expect.stringContaining("LTL") as string } },
    { status: "applied" },
  ]);
  expect(codesOf(await shop.show(id))).toEqual(["rule_failed", "rule_applied"]);
});

test("a price that rose above a rule's cap is not bought, even where the caller accepts it", async () => {
  const parcel = aSteeredShipment("sim:price_up");
  const service = "canada_post.expedited_parcel";
  const shop = await aShop();
  const free = await shop.create(parcel);
  const { details } = (must(await shop.buy(free.id, { service }), 409) as unknown as Failure).error;
  const { expected_total, total } = details as Record<string, number>;
  await rule(shop, { actions: [{ type: "set_service", service, max_total: expected_total }] });
  const { id } = await shop.create(parcel);
  const refused = must(await shop.buy(id, { expected_total: total! }), 422) as unknown as Failure;
  expect(refused.error).toMatchObject({
    code: "unserviceable",
    details: { reason: "filtered_by_rule", max_total: expected_total },
  });
  expect(await shop.show(id)).toMatchObject({ status: "draft" });
  must(await shop.buy(free.id, { service, expected_total: total! }), 201);
});

test("a service that a rule caps is not bought above the cap, unless another service is named", async () => {
  const shop = await aShop();
  await rule(shop, { actions: [{ type: "set_service", strategy: "fastest", max_total: 1 }] });
  const { id } = await shop.create(aShipment());
  const refused = await shop.buy(id, {});
  expect(refused.body).toMatchObject({
    error: { code: "unserviceable", details: { reason: "filtered_by_rule", max_total: 1 } },
  });
  await shop.bought(id, { service: "cheapest" });
});
