import { afterAll, beforeAll, expect, test } from "vitest";
import {
  countOutcomes,
  outcomeOf,
  type Failure,
  type ListOf,
  type Row,
  type Shipment,
} from "../client.ts";
import { aShipment, halifax, parcel } from "../shipments.ts";
import { aPlatform, anAccount, must, type World } from "../world.ts";

/** `POST /shipments` with the array of spec 4.1: every row is independent (decision 6). */

let world: World;
beforeAll(async () => {
  world = await aPlatform();
});
afterAll(async () => {
  await world.close();
});

interface Bulk {
  data: Row[];
  meta: { total: number; created: number; failed: number };
  error?: Failure["error"];
}

const noPackages = { ...aShipment(), packages: [], reference: "no packages" };

test("valid rows are created, invalid ones are returned at their index with every failing field", async () => {
  const account = await anAccount(world);
  const wrong = {
    reference: "two faults",
    to_address: { ...halifax, postal_code: "M5V 1A1", country_code: "CA" },
    from_address: halifax,
    packages: [parcel, { ...parcel, weight: -1 }],
  };
  const rows = [
    aShipment({ reference: "one" }),
    wrong,
    "no object",
    aShipment({ reference: "two" }),
    noPackages,
  ];
  const { data, meta } = must(await account.post<Bulk>("/shipments", rows), 201);
  expect(meta).toEqual({ total: 5, created: 2, failed: 3 });
  expect(data.map(({ index, status }) => ({ index, status }))).toEqual([
    { index: 0, status: "created" },
    { index: 1, status: "error" },
    { index: 2, status: "error" },
    { index: 3, status: "created" },
    { index: 4, status: "error" },
  ]);
  expect(data[1]).toMatchObject({ reference: "two faults", error: { code: "validation_failed" } });
  const { details } = (data[1] as Extract<Row, { status: "error" }>).error;
  expect(Object.keys(details).toSorted()).toEqual(["packages.1.weight", "to_address.postal_code"]);
  const listed = must(await account.get<ListOf<Shipment>>("/shipments"), 200).data;
  expect(listed.map(({ reference }) => reference).toSorted()).toEqual(["one", "two"]);
});

test("when no row is valid the response is 422 with the rows beside the error", async () => {
  const account = await anAccount(world);
  const refused = must(await account.post<Bulk>("/shipments", [noPackages, 7]), 422);
  expect(refused.error!.code).toBe("validation_failed");
  expect(refused.meta).toEqual({ total: 2, created: 0, failed: 2 });
  expect(refused.data.map(({ status }) => status)).toEqual(["error", "error"]);
  expect(must(await account.get<ListOf<Shipment>>("/shipments"), 200).data).toEqual([]);
});

test("one call takes 1 to 500 rows", async () => {
  const account = await anAccount(world);
  const rows = Array.from({ length: 501 }, () => aShipment());
  expect(outcomeOf(await account.post("/shipments", rows))).toBe("422 too_many_rows");
  expect(outcomeOf(await account.post("/shipments", []))).toBe("422 validation_failed");
  const { data, meta } = must(await account.post<Bulk>("/shipments", rows.slice(1)), 201);
  expect(meta.created).toBe(500);
  const ids = data.map((row) => (row.status === "created" ? row.data.id : ""));
  expect(new Set(ids).size).toBe(500);
});

test("a key makes bulk creation happen once, however often and however concurrently it is sent", async () => {
  const account = await anAccount(world);
  const rows = Array.from({ length: 20 }, (_row, index) => aShipment({ reference: `R${index}` }));
  const send = () => account.post<Bulk>("/shipments", rows, { "idempotency-key": "bulk-1" });
  const replies = await Promise.all(Array.from({ length: 15 }, send));
  expect(countOutcomes(replies)).toEqual({ "201": 15 });
  expect(new Set(replies.map(({ bytes }) => bytes.toString())).size).toBe(1);
  const page = must(await account.get<ListOf<Shipment>>("/shipments?page=1"), 200);
  expect(page.meta["total"]).toBe(20);
});

test("a bare object is one shipment, or one plain 422 with its own paths", async () => {
  const account = await anAccount(world);
  const refused = must(await account.post<Failure>("/shipments", noPackages), 422);
  expect(Object.keys(refused.error.details)).toEqual(["packages"]);
  expect(await account.create(aShipment())).toMatchObject({ status: "draft" });
});
