import { afterAll, beforeAll, expect, test } from "vitest";
import type { DataOf } from "../client.ts";
import { aFreight } from "../freight-shipments.ts";
import { readOperations, type Document } from "../operations.ts";
import { aLabelled, scheduled } from "../pickups.ts";
import { aShipment, ottawa } from "../shipments.ts";
import { aPlatform, anAccount, must, type TestAccount, type World } from "../world.ts";

/**
 * Every body that the document shows works as it stands, so that a reader may copy it; but for the ids of
 * shipments, for which a labelled one of the reader's own stands in.
 */

let world: World;
beforeAll(async () => {
  world = await aPlatform();
});
afterAll(() => world.close());

/** What a path names, made fresh for each example, in a state that the operation is for. */
const makers: Record<string, (account: TestAccount, operation: string) => Promise<string>> = {
  shipment_id: async (account, operation) => {
    if (operation === "cancelBooking") {
      const { id } = await account.create(aFreight());
      await account.bought(id);
      return id;
    }
    const { id } = await account.create(aShipment());
    if (operation === "voidShipment") await account.bought(id);
    return id;
  },
  batch_id: async (account) => {
    const { id } = await account.create(aShipment());
    const batch = { name: "Old", shipment_ids: [id] };
    return must(await account.post<DataOf<{ id: string }>>("/batches", batch), 201).data.id;
  },
  order_id: async (account) => {
    const { to_address, packages } = aShipment();
    const order = { order_number: "1", to_address, packages };
    return must(await account.post<DataOf<{ id: string }>>("/orders", order), 201).data.id;
  },
  pickup_id: async (account) => (await scheduled(account, await aLabelled(account))).id,
  filter_id: async (account) => {
    const conditions = [{ field: "tags", operator: "exists" }];
    const filter = { name: "Old", target: "shipments", criteria: { match: "all", conditions } };
    return must(await account.post<DataOf<{ id: string }>>("/filters", filter), 201).data.id;
  },
  sku: async (account) => {
    const product = { sku: "OLD/1", title: "Old" };
    must(await account.post<DataOf<unknown>>("/products", product), 201);
    return encodeURIComponent(product.sku);
  },
  rule_id: async (account) => {
    const actions = [{ type: "add_tag", tag: "seen" }];
    const rule = { name: "Old", trigger: "shipment.created", actions };
    return must(await account.post<DataOf<{ id: string }>>("/rules", rule), 201).data.id;
  },
  token_id: async (account) => {
    const token = { name: "Old", scopes: ["rates:read"] };
    return must(await account.post<DataOf<{ id: string }>>("/tokens", token), 201).data.id;
  },
};

async function withShipments(account: TestAccount, body: unknown): Promise<unknown> {
  const text = JSON.stringify(body);
  const id = /shp_[0-9a-z]{26}/;
  return id.test(text) ? JSON.parse(text.replace(id, await aLabelled(account))) : body;
}

async function aShop(): Promise<TestAccount> {
  const account = await anAccount(world);
  const path = `/accounts/${account.account_id}`;
  must(await world.operator.patch(path, { default_from_address: ottawa }), 200);
  must(await world.operator.patch(`${path}/settings`, { products_api_create: true }), 200);
  return account;
}

test("every example of the document succeeds as it is shown", async () => {
  const document = must(await (await aShop()).get<Document>("/openapi.json"), 200);
  const shown = readOperations(document).flatMap((operation) =>
    operation.examples.map((example) => ({ ...operation, example })),
  );
  expect(shown.length).toBeGreaterThan(10);
  for (const { name, method, path, parameters, example } of shown) {
    const account = await aShop();
    let filled = path;
    for (const parameter of parameters)
      filled = filled.replace(`{${parameter}}`, await makers[parameter]!(account, name));
    const send = account[method.toLowerCase() as "post" | "put" | "patch"];
    const reply = await send(filled, await withShipments(account, example.value));
    const said = `${name}, ${example.summary}: ${reply.bytes.toString().slice(0, 500)}`;
    expect(reply.status, said).toBeLessThan(300);
  }
});
