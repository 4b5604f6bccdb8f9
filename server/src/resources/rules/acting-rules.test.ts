import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { call } from "../../../test/api.ts";
import { anOrder } from "../../../test/orders.ts";
import { when } from "../../../test/rules.ts";
import { aShipment, boston, halifax, notebooks, ottawa } from "../../../test/shipments.ts";
import { dataOf, rulesWorld, whole, type SavedResource, type RulesWorld } from "./rules-world.ts";

let world: RulesWorld;
beforeAll(async () => {
  world = await rulesWorld();
});
afterAll(() => world.close());

const send: RulesWorld["send"] = (...given) => world.send(...given);
const save: RulesWorld["save"] = (...given) => world.save(...given);
const aShop = () => world.aShop();
const ship: RulesWorld["ship"] = (...given) => world.ship(...given);

test("each action changes a shipment as stated, and its run has the previous values", async () => {
  const shop = await aShop();
  const depot = { ...ottawa, name: "Depot" };
  const { id: rule_id } = await save(
    {
      actions: [
        { type: "set_service", strategy: "cheapest" },
        {
          type: "set_package",
          length: 40,
          width: 30,
          height: 20,
          size_unit: "cm",
          package_type: "pak",
        },
        { type: "add_weight", weight: 100, weight_unit: "g" },
        { type: "add_add_on", add_on: "signature" },
        { type: "set_from_address", address: depot },
        {
          type: "set_customs",
          hs_code: "4820.10",
          country_of_origin: "ca",
          incoterm: "DDP",
          contents_type: "gift",
        },
        { type: "add_tag", tag: "new" },
        { type: "remove_tag", tag: "OLD" },
        { type: "set_reference", reference: "R-1" },
        { type: "add_to_batch", name: "Evening" },
        { type: "hold" },
      ],
    },
    shop,
  );
  const items = [{ title: "Mug", quantity: 1, value: 5 }];
  const kept = await ship(shop, { tags: ["old"], items });
  expect(kept).toMatchObject({
    service: "cheapest",
    packages: [
      { length: 40, size_unit: "cm", package_type: "pak", weight: 1.5, weight_unit: "kg" },
    ],
    add_ons: ["signature"],
    from_address: { name: "Depot" },
    return_address: { name: "Depot" },
    items: [{ hs_code: "482010", country_of_origin: "CA" }],
    incoterm: "DDP",
    contents_type: "gift",
    tags: ["new"],
    reference: "R-1",
    batch_id: expect.stringMatching(/^bat_/) as string,
    on_hold: true,
  });
  expect(dataOf(await send("GET", `/shipments/${kept.id}`, undefined, shop))).toMatchObject(kept);
  const [run] = dataOf<{ changes: { type: string; field: string; before: unknown }[] }[]>(
    await send("GET", `/rules/${rule_id}/runs`, undefined, shop),
  );
  expect(run).toMatchObject({ status: "applied", shipment_id: kept.id, order_id: null });
  const changed = run!.changes.map(({ type, field }) => `${type} ${field}`);
  expect(changed).toEqual(
    expect.arrayContaining([
      "set_service service",
      "set_package packages",
      "add_weight packages",
      "add_tag tags",
      "remove_tag tags",
      "add_to_batch batch_id",
      "hold on_hold",
    ]),
  );
  expect(run!.changes.find(({ type }) => type === "remove_tag")!.before).toEqual(["old", "new"]);
});

test("rules act by priority, see what others changed, and stop where one says so", async () => {
  const shop = await aShop();
  const tags = (tag: string) => [{ type: "add_tag", tag }];
  await save({ priority: 30, actions: tags("last") }, shop);
  await save(
    {
      priority: 20,
      criteria: when("tags", "contains", "first"),
      actions: tags("second"),
      stop_processing: true,
    },
    shop,
  );
  await save({ priority: 10, actions: tags("first") }, shop);
  await save({ priority: 1, enabled: false, actions: tags("never") }, shop);
  expect((await ship(shop))["tags"]).toEqual(["first", "second"]);
});

test("a rule that is changed through one process acts as changed in another at once", async () => {
  const shop = await aShop();
  const { id } = await save({ actions: [{ type: "add_tag", tag: "one" }] }, shop);
  const there = async () => {
    const reply = await call(world.beside, {
      token: shop,
      method: "POST",
      path: "/shipments",
      body: aShipment(),
    });
    return dataOf<SavedResource>(reply, 201)["tags"];
  };
  expect(await there()).toEqual(["one"]);
  await send(
    "PUT",
    `/rules/${id}`,
    { ...whole, criteria: null, actions: [{ type: "add_tag", tag: "two" }] },
    shop,
  );
  expect(await there()).toEqual(["two"]);
  await send("DELETE", `/rules/${id}`, undefined, shop);
  expect(await there()).toEqual([]);
});

test("a rule whose change would make a shipment invalid is not applied, and loses nothing", async () => {
  const shop = await aShop();
  await save(
    {
      actions: [
        { type: "add_tag", tag: "a" },
        { type: "set_from_address", address: boston },
      ],
    },
    shop,
  );
  const kept = await ship(shop);
  expect(kept).toMatchObject({ tags: [], from_address: { city: "Ottawa" } });
  const [run] = dataOf<object[]>(
    await send("GET", `/rules/runs?shipment_id=${kept.id}`, undefined, shop),
  );
  expect(run).toMatchObject({
    status: "failed",
    changes: [],
    error: { code: "validation_failed", details: { items: [expect.any(String)] } },
  });
  expect(kept["messages"]).toMatchObject([{ code: "rule_failed" }]);
});

describe("of an order", () => {
  test("a rule sets fields that the order has, and leaves the rest for its shipments", async () => {
    const shop = await aShop();
    await save(
      {
        trigger: "order.created",
        criteria: when("order_total", "gt", 100),
        actions: [
          { type: "set_service", service: "ups.standard", max_total: 30 },
          { type: "set_customs", hs_code: "691200", incoterm: "DDP" },
          { type: "add_add_on", add_on: "protection" },
          { type: "set_reference", reference: "VIP" },
          { type: "add_tag", tag: "vip" },
        ],
      },
      shop,
    );
    const make = async (entry: object) =>
      dataOf<SavedResource>(await send("POST", "/orders", { ...anOrder(), ...entry }, shop), 201);
    const order = await make({ totals: { total: 150 }, from_address: ottawa });
    expect(order).toMatchObject({
      requested_service: "ups.standard",
      tags: ["vip"],
      items: [{ hs_code: "691200" }, { hs_code: "691200" }],
    });
    expect(order).not.toHaveProperty("shipment_actions");
    const asOrdered = dataOf<SavedResource>(
      await send("POST", `/orders/${order.id}/shipments`, {}, shop),
      201,
    );
    const rest = { add_ons: ["protection"], reference: "VIP", incoterm: "DDP", tags: [] };
    expect(asOrdered).toMatchObject({ service: "ups.standard", ...rest });
    const chosen = await ship(shop, { order_id: order.id, service: "fastest" });
    expect(chosen).toMatchObject({ service: "fastest", ...rest });
    const small = await make({ totals: { total: 100 } });
    expect(small).toMatchObject({ requested_service: null, tags: [] });
  });

  test("a rule holds, or refuses by row, and its runs show it", async () => {
    const shop = await aShop();
    const held = await save(
      {
        trigger: "order.created",
        criteria: when("tags", "contains", "wait"),
        actions: [{ type: "hold" }],
      },
      shop,
    );
    await save(
      {
        trigger: "order.created",
        criteria: when("tags", "contains", "no"),
        actions: [{ type: "reject", message: "No." }],
      },
      shop,
    );
    const [first, second, third] = dataOf<
      { status: string; data?: SavedResource; error?: object }[]
    >(
      await send(
        "POST",
        "/orders",
        [anOrder({ tags: ["wait"] }), anOrder({ tags: ["no"] }), anOrder()],
        shop,
      ),
      201,
    );
    expect(first).toMatchObject({ status: "created", data: { status: "on_hold" } });
    expect(second).toMatchObject({
      status: "error",
      error: { code: "rejected_by_rule", message: "No." },
    });
    expect(third).toMatchObject({ status: "created", data: { status: "unfulfilled" } });
    const refused = await send("POST", `/orders/${first!.data!.id}/shipments`, {}, shop);
    expect(refused.statusCode).toBe(409);
    const runs = dataOf<object[]>(
      await send("GET", `/rules/runs?order_id=${first!.data!.id}`, undefined, shop),
    );
    expect(runs).toMatchObject([
      { rule_id: held.id, changes: [{ field: "status", before: "unfulfilled", after: "on_hold" }] },
    ]);
  });

  test("a rule does not run for an order whose number is taken", async () => {
    const shop = await aShop();
    const { id } = await save({ trigger: "order.created" }, shop);
    const entry = anOrder();
    dataOf(await send("POST", "/orders", entry, shop), 201);
    expect((await send("POST", "/orders", entry, shop)).statusCode).toBe(409);
    expect(dataOf(await send("GET", `/rules/${id}`, undefined, shop))).toMatchObject({
      run_count: 1,
    });
  });
});

test("five hundred shipments in one call are put into a batch that is found by its name, each once", async () => {
  const shop = await aShop();
  await save(
    {
      criteria: when("items.hs_code", "exists"),
      actions: [{ type: "add_to_batch", name: "Bulk" }],
    },
    shop,
  );
  const entries = Array.from({ length: 500 }, (_each, index) =>
    aShipment(index % 2 ? { items: [notebooks] } : { to_address: halifax }),
  );
  const response = await send("POST", "/shipments", entries, shop);
  const ids = dataOf<{ data: SavedResource }[]>(response, 201).flatMap(({ data }) =>
    data["batch_id"] === null ? [] : [data.id],
  );
  expect(ids).toHaveLength(250);
  const [batch] = dataOf<SavedResource[]>(await send("GET", "/batches", undefined, shop));
  expect(batch).toMatchObject({ name: "Bulk", status: "open", shipment_ids: ids });
});

test("two concurrent calls that begin a batch of one name fill one batch", async () => {
  const shop = await aShop();
  await save({ actions: [{ type: "add_to_batch", name: "Rush" }] }, shop);
  const made = await Promise.all(Array.from({ length: 12 }, () => ship(shop)));
  expect(new Set(made.map((each) => each["batch_id"])).size).toBe(1);
  const [batch] = dataOf<SavedResource[]>(await send("GET", "/batches", undefined, shop));
  expect(new Set(batch!["shipment_ids"] as string[])).toEqual(new Set(made.map(({ id }) => id)));
});
