import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { outcomeOf, type Failure, type Reply } from "../client.ts";
import { undocumented } from "../documented-responses.ts";
import { aFreight } from "../freight-shipments.ts";
import { aShipment, aSteeredShipment } from "../shipments.ts";
import { aPlatform, anAccount, type TestAccount, type World } from "../world.ts";

/**
 * Compares the operations' real responses with the published document, as a standard validator reads it. The
 * client of every test checks each response in this way; here are errors of every form, each provoked.
 */

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await aPlatform();
  account = await anAccount(world);
});
afterAll(() => world.close());

const bad = { ...aShipment(), packages: [{ weight: -1, weight_unit: "stone" }] };
const batchOf = async (client: TestAccount) => {
  const { id } = await client.create(aShipment());
  const body = { name: "One", shipment_ids: [id] };
  const reply = await client.post<{ data: { id: string } }>("/batches", body);
  return { shipment_id: id, batch_id: reply.body.data.id };
};

/** By status and code: a call that gets that response. */
const provoked: Record<string, () => Promise<Reply<unknown>>> = {
  "400 malformed_json": () => account.post("/shipments", "{"),
  "400 invalid_idempotency_key": () => account.post("/shipments", [], { "idempotency-key": "" }),
  "401 unauthenticated": () => account.get("/shipments", { authorization: "Bearer none" }),
  "402 insufficient_credits": async () => {
    const poor = await anAccount(world, { balance_cents: 1 });
    return poor.buy((await poor.create(aShipment())).id);
  },
  "402 payment_failed": () =>
    account.post("/credits/top-up", { amount: 50, payment_method_id: "pm_card_declined" }),
  "403 scope_missing": async () =>
    (await anAccount(world, { scopes: ["ltl:read"] })).get("/credits/balance"),
  "404 not_found": () => account.get("/shipments/shp_none"),
  "406 not_acceptable": () => account.get("/shipments", { accept: "text/html" }),
  "415 unsupported_media_type": () =>
    account.post("/shipments", "a=1", { "content-type": "application/x-www-form-urlencoded" }),
  "409 idempotency_conflict": async () => {
    const key = { "idempotency-key": "one" };
    await account.post("/shipments", aShipment(), key);
    return account.post("/shipments", aShipment({ reference: "other" }), key);
  },
  "409 already_labelled": async () => {
    const { id } = await account.create(aShipment());
    await account.bought(id);
    return account.buy(id);
  },
  "409 rate_changed": async () =>
    account.buy((await account.create(aSteeredShipment("sim:price_up"))).id),
  "409 purchase_pending": async () =>
    account.buy((await account.create(aSteeredShipment("sim:lost_answer"))).id),
  "409 not_labelled": async () => account.get(`/labels/${(await account.create(aShipment())).id}`),
  "409 use_ltl_cancel": async () => {
    const { id } = await account.create(aFreight());
    await account.bought(id);
    return account.delete(`/shipments/${id}`);
  },
  "409 not_ltl": async () =>
    account.post(`/ltl/${(await account.create(aShipment())).id}/cancel`, {}),
  "409 shipment_in_use": async () => {
    const { shipment_id } = await batchOf(account);
    return account.post("/batches", { name: "Two", shipment_ids: [shipment_id] });
  },
  "409 batch_not_open": async () => {
    const { batch_id, shipment_id } = await batchOf(account);
    await account.post(`/batches/${batch_id}/process`, { service: "cheapest" });
    const path = `/batches/${batch_id}`;
    await expect
      .poll(async () => (await account.get<{ data: { status: string } }>(path)).body.data.status, {
        timeout: 30_000,
      })
      .toBe("completed");
    return account.post(`${path}/add-shipments`, { shipment_ids: [shipment_id] });
  },
  "409 order_in_use": async () => {
    const { to_address, packages } = aShipment();
    const order = { order_number: "1", to_address, packages };
    const { body } = await account.post<{ data: { id: string } }>("/orders", order);
    const { id } = await account.create(aShipment({ order_id: body.data.id }));
    await account.bought(id);
    return account.delete(`/orders/${body.data.id}`);
  },
  "409 filter_in_use": async () => {
    const conditions = [{ field: "tags", operator: "exists" }];
    const criteria = { match: "all", conditions };
    const filter = { name: "Tagged", target: "shipments", criteria };
    const { body } = await account.post<{ data: { id: string } }>("/filters", filter);
    const actions = [{ type: "add_tag", tag: "seen" }];
    const filter_id = body.data.id;
    await account.post("/rules", { name: "R", trigger: "shipment.created", filter_id, actions });
    return account.delete(`/filters/${filter_id}`);
  },
  "409 statement_not_ready": async () => {
    const list = await account.get<{ data: { id: string }[] }>("/billing/statements");
    return account.get(`/billing/statements/${list.body.data[0]!.id}/pdf`);
  },
  "422 validation_failed": () => account.post("/shipments", [bad, bad]),
  "422 too_many_rows": () => account.post("/shipments", Array(501).fill(bad)),
  "422 unserviceable": async () =>
    account.buy((await account.create(aSteeredShipment("sim:no_lane=*"))).id),
  "502 carrier_error": async () =>
    account.buy((await account.create(aSteeredShipment("sim:refuse"))).id),
};

describe("is answered as the document says", () => {
  test.each(Object.entries(provoked))("%s", async (outcome, provoke) => {
    // The client throws otherwise.
    expect(outcomeOf(await provoke())).toBe(outcome);
  });
});

describe("names what it is about in fields that the document has", () => {
  const inOneCall = (steering: string) =>
    account.post("/labels", { ...aSteeredShipment(steering), service: "cheapest" });
  const draft = async () => ({ shipment_ids: [(await account.create(aShipment())).id] });
  const freight = async () => ({ shipment_ids: [(await account.create(aFreight())).id] });
  const carrier = "canada_post";
  const cases: [string, string[], () => Promise<Reply<unknown>>][] = [
    ["422 unserviceable", ["shipment_id", "excluded_services"], () => inOneCall("sim:no_lane=*")],
    ["502 carrier_error", ["shipment_id", "excluded_services"], () => inOneCall("sim:error=*")],
    ["502 carrier_error", ["shipment_id"], () => inOneCall("sim:refuse")],
    ["409 rate_changed", ["shipment_id"], () => inOneCall("sim:price_up")],
    [
      "402 insufficient_credits",
      ["shipment_id"],
      async () => {
        const poor = await anAccount(world, { balance_cents: 1 });
        return poor.post("/labels", { ...aShipment(), service: "cheapest" });
      },
    ],
    ["409 not_labelled", ["statuses"], async () => account.post("/pickups", await draft())],
    ["409 not_courier", ["statuses"], async () => account.post("/pickups", await freight())],
    [
      "409 not_courier",
      ["statuses"],
      async () => account.post("/manifests", { carrier, ...(await freight()) }),
    ],
    [
      "409 conflict",
      ["order_id", "order_number", "source"],
      async () => {
        const { to_address, packages } = aShipment();
        const order = { order_number: "twice", to_address, packages };
        await account.post("/orders", order);
        return account.post("/orders", order);
      },
    ],
  ];
  test.each(cases)("%s: %j", async (outcome, fields, provoke) => {
    const reply = await provoke();
    expect([outcomeOf(reply), (reply.body as Failure).error.details]).toEqual([
      outcome,
      expect.objectContaining(
        Object.fromEntries(fields.map((field) => [field, expect.anything() as unknown])),
      ),
    ]);
  });
});

test("a bulk call without a valid row says so in each row, as the document has it", async () => {
  const reply = await account.post<Failure & { data: object[] }>("/shipments", [bad, {}, null]);
  expect([outcomeOf(reply), reply.body.data.length]).toEqual(["422 validation_failed", 3]);
  const orders = await account.post<Failure & { data: object[] }>("/orders", [{}, {}]);
  expect([outcomeOf(orders), orders.body.data.length]).toEqual(["422 validation_failed", 2]);
});

describe("is reported when the document does not state it", () => {
  const url = "/sandbox/api/v5/labels/shp_1";
  const of = (code: string, details: object = {}) => ({ error: { code, message: "No.", details } });
  const amounts = { required: 1, available: 0, currency: "CAD" };
  test.each([
    ["a status that is not stated", "GET", 502, of("carrier_error")],
    ["a code of another status", "POST", 409, of("not_found")],
    ["an unknown code", "POST", 409, of("tired")],
    ["details without what they need", "POST", 402, of("insufficient_credits")],
    [
      "details of another type",
      "POST",
      402,
      of("insufficient_credits", { ...amounts, required: "1" }),
    ],
    [
      "details with a field that is not named",
      "POST",
      402,
      of("insufficient_credits", { ...amounts, owed: 1 }),
    ],
    ["details of a code that has none", "POST", 409, of("idempotency_conflict", { key: "one" })],
    ["no error at all", "POST", 422, {}],
  ])("%s", (_case, method, status, body) => {
    expect(undocumented({ method, url, status, body })).toContain("docs/openapi.json");
  });

  test("and a documented one is not", () => {
    const body = of("insufficient_credits", amounts);
    expect(undocumented({ method: "POST", url, status: 402, body })).toBeNull();
    expect(
      undocumented({ method: "POST", url: "/api/admin/labels/1", status: 402, body }),
    ).toBeNull();
  });
});
