import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { outcomeOf, type DataOf, type Failure } from "../client.ts";
import { anOrder, order } from "../orders.ts";
import { aRule } from "../rules.ts";
import { aShipment, ottawa } from "../shipments.ts";
import { aPlatform, anAccount, must, type TestAccount, type World } from "../world.ts";

/** What all responses have in common: the location of what was created, and the 404. */

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await aPlatform();
  account = await anAccount(world);
});
afterAll(() => world.close());

describe("what a 201 created", () => {
  const named = { name: "All of it", criteria: { match: "all", conditions: [] as object[] } };
  named.criteria.conditions.push({ field: "type", operator: "eq", value: "courier" });
  const calls: [path: string, body: object][] = [
    ["/shipments", aShipment()],
    ["/orders", anOrder()],
    ["/labels", { ...aShipment(), service: "cheapest" }],
    ["/filters", { ...named, target: "shipments" }],
    ["/rules", aRule()],
    ["/tokens", { name: "Rates", scopes: ["rates:read"] }],
    ["/credits/top-up", { amount: 10 }],
  ];

  test.each(calls)("by POST %s is at its Location, in a replay as well", async (path, body) => {
    const headers = { "idempotency-key": `location of ${path}` };
    const created = await account.post<DataOf<Record<string, string>>>(path, body, headers);
    const { data } = must(created, 201);
    const { location } = created.headers;
    const id = data["id"] ?? data["shipment_id"];
    expect(location).toMatch(new RegExp(`^${account.base_url}/[a-z/]+/${id}$`));
    must(await account.get(location as string), 200);
    const again = await account.post(path, body, headers);
    expect(again.headers["idempotent-replay"]).toBe("true");
    expect(again.headers.location).toBe(location);
  });

  test("under another resource is at its Location, too", async () => {
    const { id } = await order(account, { from_address: ottawa });
    const shipped = await account.post<DataOf<{ id: string }>>(`/orders/${id}/shipments`);
    const shipment = must(shipped, 201).data.id;
    expect(shipped.headers.location).toBe(`${account.base_url}/shipments/${shipment}`);
    const bought = await account.buy(shipment);
    expect(bought.headers.location).toBe(`${account.base_url}/labels/${shipment}`);
    const ids = { name: "Tonight", shipment_ids: [(await account.create(aShipment())).id] };
    const batch = await account.post<DataOf<{ id: string }>>("/batches", ids);
    expect(batch.headers.location).toBe(`${account.base_url}/batches/${must(batch, 201).data.id}`);
    const begun = await account.post(`/batches/${batch.body.data.id}/process`, {
      service: "cheapest",
    });
    expect([begun.status, begun.headers["retry-after"]]).toEqual([202, "2"]);
  });

  test("in bulk has no one location", async () => {
    const created = await account.post("/shipments", [aShipment(), aShipment()]);
    expect([created.status, created.headers.location]).toEqual([201, undefined]);
  });
});

test("an unknown path is reported as such; an unknown record is like another account's", async () => {
  const other = await anAccount(world);
  const { id } = await other.create(aShipment());
  const foreign = await account.get<Failure>(`/shipments/${id}`);
  const missing = await account.get<Failure>("/shipments/shp_01k6x3v2m4f8r9t0a1b2c3d4e5");
  expect(foreign.bytes.equals(missing.bytes)).toBe(true);
  for (const path of ["/Shipments", "//shipments", "/shipments/", "/carriers-and-more", ""]) {
    const unknown = await account.get<Failure>(path);
    expect(outcomeOf(unknown), path).toBe("404 not_found");
    expect(unknown.body.error.message, path).toContain("no such path");
    expect(unknown.body.error.message).toContain("/docs");
  }
  expect(missing.body.error.message).not.toContain("path");
});

test("a request for a statement's file by its type is redirected to it", async () => {
  interface Statement {
    id: string;
    status: string;
  }
  const { data } = must(await account.get<DataOf<Statement[]>>("/billing/statements"), 200);
  const path = `/billing/statements/${data[0]!.id}/transactions.csv`;
  // The running month's has no file yet.
  expect(outcomeOf(await account.get(path, { accept: "text/csv" }))).toBe(
    "409 statement_not_ready",
  );
  expect(outcomeOf(await account.get(path, { accept: "application/pdf" }))).toBe(
    "406 not_acceptable",
  );
  // Its month is over, and a worker runs.
  const { id } = data[0]!;
  await sql`UPDATE statements SET due_at = now() WHERE id = ${id}`.execute(world.db);
  const ready = async () => {
    const read = await account.get<DataOf<Statement>>(`/billing/statements/${id}`);
    return must(read, 200).data.status;
  };
  await expect.poll(ready, { timeout: 30_000 }).toBe("ready");
  for (const [file, accept, begins] of [
    ["transactions.csv", "text/csv", "transaction_id,"],
    ["pdf", "application/pdf", "%PDF-"],
  ] as const) {
    const sent = await account.get(`/billing/statements/${id}/${file}`, { accept });
    expect([sent.status, sent.bytes.length], file).toEqual([303, 0]);
    // The link needs no token, and a client that follows it sends none to another host.
    const found = await fetch(String(sent.headers["location"]));
    expect([found.status, found.headers.get("content-type")?.split(";")[0]]).toEqual([200, accept]);
    expect((await found.text()).replace("\ufeff", "").startsWith(begins), file).toBe(true);
    const link = must(
      await account.get<DataOf<{ url: string }>>(`/billing/statements/${id}/${file}`),
      200,
    );
    expect(new URL(link.data.url).pathname).toBe(
      new URL(String(sent.headers["location"])).pathname,
    );
  }
});

describe("a wrong body", () => {
  test("is filed under body, and the message names what is wrong", async () => {
    const refused = must(await account.post<Failure>("/shipments", '"parcel"'), 422);
    expect(refused.error).toEqual({
      code: "validation_failed",
      message: "body must be an object.",
      details: { body: ["body must be an object."] },
    });
  });

  test("of a pickup states the notation of times", async () => {
    const refused = must(
      await account.post<Failure>("/pickups", { shipment_ids: ["x"], ready_time: "9am" }),
      422,
    );
    expect(refused.error.details["ready_time"]).toEqual([
      "ready_time must be a time of day such as 09:00.",
    ]);
  });

  test("has at most 20 metadata keys of 1 to 40 characters", async () => {
    const at = async (metadata: object) =>
      account.post<Failure>("/shipments", aShipment({ metadata: metadata as never }));
    must(await at({ ["k".repeat(40)]: "v".repeat(500) }), 201);
    for (const wrong of [{ ["k".repeat(41)]: 1 }, { "": 1 }, { k: "v".repeat(501) }, { k: {} }])
      expect(outcomeOf(await at(wrong)), JSON.stringify(wrong)).toBe("422 validation_failed");
    const refused = must(await at({ ["k".repeat(41)]: 1 }), 422);
    expect(refused.error.details).toEqual({
      metadata: ["metadata has a key that must have at most 40 characters."],
    });
    const orders = await account.post("/orders", anOrder({ metadata: { ["k".repeat(41)]: 1 } }));
    expect(outcomeOf(orders)).toBe("422 validation_failed");
  });
});

describe("a country that is written out", () => {
  const parcelTo = (country_code: string) => aShipment({ to_address: { ...ottawa, country_code } });

  test.each([
    ["Canada", "CA"],
    ["CAN", "CA"],
    ["états-unis", "US"],
    ["UK", "GB"],
  ])("as %s is one message that says %s, and no problem derived from it", async (text, code) => {
    const refused = must(await account.post<Failure>("/shipments", parcelTo(text)), 422);
    const path = "to_address.country_code";
    expect(Object.keys(refused.error.details)).toEqual([path]);
    expect((refused.error.details as Record<string, string[]>)[path]![0]).toContain(code);
  });

  test("is corrected where an address is validated, which reports every code", async () => {
    interface Validation {
      status: string;
      address: Record<string, string>;
      changes: object[];
      messages: { code: string }[];
    }
    const validated = async (changes: object) =>
      must(
        await account.post<DataOf<Validation>>("/addresses/validate", { ...ottawa, ...changes }),
        200,
      ).data;
    const both = await validated({ country_code: "Canada", province_code: "Ontario" });
    expect(both).toMatchObject({ status: "corrected", address: { country_code: "CA" } });
    expect(both.changes).toEqual([
      { field: "province_code", from: "Ontario", to: "ON" },
      { field: "country_code", from: "Canada", to: "CA" },
    ]);
    expect(both.messages.map(({ code }) => code)).toEqual([
      "country_normalized",
      "province_normalized",
    ]);
    const nowhere = await validated({ country_code: "Narnia" });
    expect(nowhere).toMatchObject({ status: "invalid", changes: [] });
    expect(nowhere.address["country_code"]).toBe("Narnia");
  });
});

test("filters and rules have their keys in one order, whether created, read or replaced", async () => {
  const criteria = {
    match: "any",
    conditions: [
      { field: "type", operator: "eq", value: "courier" },
      {
        match: "all",
        conditions: [
          { field: "total_weight", operator: "gt", value: { value: 10, unit: "kg" } },
          {
            field: "total_weight",
            operator: "between",
            value: [
              { unit: "kg", value: 1 },
              { value: 2, unit: "kg" },
            ],
          },
        ],
      },
    ],
  };
  const moves = { type: "set_from_address", address: { ...ottawa } };
  const calls: [path: string, body: object][] = [
    ["/filters", { name: "One order", target: "shipments", criteria }],
    [
      "/rules",
      aRule({ criteria, actions: [{ type: "set_service", strategy: "cheapest" }, moves] }),
    ],
  ];
  const keysIn = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(keysIn);
    if (typeof value !== "object" || value === null) return null;
    return Object.entries(value).map(([key, inner]) => [key, keysIn(inner)]);
  };
  for (const [path, body] of calls) {
    const created = must(await account.post<DataOf<{ id: string }>>(path, body), 201);
    const own = `${path}/${created.data.id}`;
    const read = must(await account.get<DataOf<object>>(own), 200);
    expect(keysIn(read), path).toEqual(keysIn(created));
    const replaced = must(await account.put<DataOf<object>>(own, read.data), 200);
    expect(keysIn(replaced), path).toEqual(keysIn(read));
  }
});
