import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { wallClock } from "../../src/domain/time/wall-clock.ts";
import { countOutcomes, outcomeOf, type DataOf, type ListOf, type Manifest } from "../client.ts";
import { aFreight } from "../freight-shipments.ts";
import { assertInvariants, readJournal } from "../invariants.ts";
import { aLabelOf, handOver, showManifest } from "../manifests.ts";
import { aShipment, halifax, ottawa } from "../shipments.ts";
import { anAccount, aPlatform, must, type TestAccount, type World } from "../world.ts";

/** Labels are handed over to a carrier that wants it, each of them once (decision 27). */

let world: World;
beforeAll(async () => {
  world = await aPlatform();
});
afterAll(async () => {
  await assertInvariants(world);
  await world.close();
});

const manifestsIn = async () =>
  (await readJournal(world)).filter(({ operation }) => operation === "manifest");

async function manifestEvents(account: TestAccount): Promise<unknown[]> {
  const { rows } = await sql<{ type: string; data: object }>`
    SELECT type, data FROM recorded_events WHERE account_id = ${account.account_id} AND type LIKE 'manifest.%'
    ORDER BY id`.execute(world.db);
  return rows;
}

test("labels are on one manifest, whose document can be read, and an event tells it", async () => {
  const account = await anAccount(world);
  const ids = [await aLabelOf(account), await aLabelOf(account)];
  const reply = await handOver(account, ids);
  const made = must(reply, 201).data;
  expect(made).toMatchObject({ carrier: "canada_post", status: "created", shipment_ids: ids });
  expect(reply.headers["location"]).toMatch(new RegExp(`/manifests/${made.id}$`));
  expect(made.id).toMatch(/^man_/);
  expect(made.documents.map(({ type, format }) => [type, format])).toEqual([["manifest", "pdf"]]);
  const paper = await fetch(made.documents[0]!.url);
  expect((await paper.text()).slice(0, 5)).toBe("%PDF-");
  expect(await showManifest(account, made.id)).toMatchObject({ id: made.id, parts: made.parts });
  expect(await manifestEvents(account)).toEqual([
    {
      type: "manifest.created",
      data: {
        manifest_id: made.id,
        status: "created",
        carrier: "canada_post",
        shipment_ids: ids,
      },
    },
  ]);
});

test("manifests are listed, the newest first, page by page", async () => {
  const account = await anAccount(world);
  const made: string[] = [];
  for (let each = 0; each < 3; each++)
    made.unshift(must(await handOver(account, [await aLabelOf(account)]), 201).data.id);
  const first = must(await account.get<ListOf<Manifest>>("/manifests?per_page=2"), 200);
  const next = must(await account.get<ListOf<Manifest>>(first.links.next!), 200);
  expect([...first.data, ...next.data].map(({ id }) => id)).toEqual(made);
});

test("another account's manifest is as missing as one that never was", async () => {
  const [mine, theirs] = [await anAccount(world), await anAccount(world)];
  const { id } = must(await handOver(theirs, [await aLabelOf(theirs)]), 201).data;
  const [foreign, unknown] = [
    await mine.get(`/manifests/${id}`),
    await mine.get("/manifests/man_00000000000000000000000000"),
  ];
  expect(foreign.status).toBe(404);
  expect(foreign.bytes).toEqual(unknown.bytes);
});

test("a key replays the same bytes, and hands nothing over twice", async () => {
  const account = await anAccount(world);
  const ids = [await aLabelOf(account)];
  const key = { "idempotency-key": randomUUID() };
  const before = (await manifestsIn()).length;
  const first = await handOver(account, ids, key);
  const again = await handOver(account, ids, key);
  expect(must(first, 201).data.status).toBe("created");
  expect(again.bytes).toEqual(first.bytes);
  expect(await manifestsIn()).toHaveLength(before + 1);
});

test("twenty manifests of one label at once: it is on one", async () => {
  const account = await anAccount(world);
  const id = await aLabelOf(account);
  const before = (await manifestsIn()).length;
  const replies = await Promise.all(Array.from({ length: 20 }, () => handOver(account, [id])));
  expect(countOutcomes(replies)).toEqual({ 201: 1, "409 conflict": 19 });
  expect(await manifestsIn()).toHaveLength(before + 1);
});

test("of a day are the labels that were bought on it by the account's time zone, and are on none", async () => {
  const account = await anAccount(world);
  const zone = "Pacific/Kiritimati";
  must(await account.put("/account", { time_zone: zone }), 200);
  const [handed, void_, open, earlier, other] = [
    await aLabelOf(account),
    await aLabelOf(account),
    await aLabelOf(account),
    await aLabelOf(account),
    await aLabelOf(account, ottawa, "purolator.ground"),
  ];
  must(await handOver(account, [handed]), 201);
  must(await account.post(`/shipments/${void_}/void`), 200);
  await sql`UPDATE shipments SET purchased_at = purchased_at - interval '24 hours'
    WHERE id = ${earlier}`.execute(world.db);
  // Kiritimati's day, which is tomorrow in most of the world.
  const now = new Date();
  const date = wallClock(now, zone).slice(0, 10);
  const yesterday = wallClock(new Date(now.getTime() - 86_400_000), zone).slice(0, 10);
  const ofDay = (day: string, carrier = "canada_post") =>
    account.post<DataOf<Manifest>>("/manifests", { carrier, date: day });
  expect(must(await ofDay(date), 201).data.shipment_ids).toEqual([open]);
  expect(must(await ofDay(yesterday), 201).data.shipment_ids).toEqual([earlier]);
  expect(must(await ofDay(date, "purolator"), 201).data.shipment_ids).toEqual([other]);
  const none = await ofDay(date);
  expect(none.status).toBe(422);
  expect(Object.keys(errorOf(none).details)).toEqual(["date"]);
  await sql`UPDATE shipments SET purchased_at = purchased_at + interval '24 hours'
    WHERE id = ${earlier}`.execute(world.db);
});

test("labels from two places are two parts, of which one may fail", async () => {
  const account = await anAccount(world);
  const here = await aLabelOf(account);
  const refused = { ...halifax, address2: "sim:refuse" };
  const there = await aLabelOf(account, refused);
  const made = must(await handOver(account, [here, there]), 201).data;
  expect(made).toMatchObject({ status: "created", shipment_ids: [here] });
  expect(made.parts).toMatchObject([
    { status: "created", shipment_ids: [here], error: null },
    { status: "failed", shipment_ids: [there], manifest_number: null },
  ]);
  expect(made.parts[1]!.error).toMatchObject({ code: "carrier_error" });
  // It is free again.
  expect(outcomeOf(await handOver(account, [there]))).toBe("502 carrier_error");
});

test("what its carrier refuses is 502, and its shipments are free again", async () => {
  const account = await anAccount(world);
  const id = await aLabelOf(account, { ...ottawa, address2: "sim:refuse" });
  for (let time = 0; time < 2; time++) {
    const refused = await handOver(account, [id]);
    expect(outcomeOf(refused)).toBe("502 carrier_error");
    expect(errorOf(refused).details).toMatchObject({
      carrier: "canada_post",
      carrier_code: "manifest_refused",
      retryable: false,
    });
  }
  const types = (await manifestEvents(account)).map((event) => (event as { type: string }).type);
  expect(types).toEqual(["manifest.failed", "manifest.failed"]);
});

test("a lost answer is looked up: the same id is creating and then created, for the same key", async () => {
  const account = await anAccount(world);
  const id = await aLabelOf(account, { ...ottawa, address2: "sim:lost_answer" });
  const key = { "idempotency-key": randomUUID() };
  const first = must(await handOver(account, [id], key), 201).data;
  expect(first).toMatchObject({ status: "creating", shipment_ids: [id], documents: [] });
  // It is not handed over a second time meanwhile.
  expect(outcomeOf(await handOver(account, [id]))).toBe("409 conflict");
  await vi.waitFor(
    async () => expect((await showManifest(account, first.id)).status).toBe("created"),
    { timeout: 20_000, interval: 100 },
  );
  const replayed = await handOver(account, [id], key);
  expect(must(replayed, 201).data).toMatchObject({ id: first.id, status: "created" });
  expect((await handOver(account, [id], key)).bytes).toEqual(replayed.bytes);
});

test("a document that was lost here is fetched from its carrier again", async () => {
  const account = await anAccount(world);
  const made = must(await handOver(account, [await aLabelOf(account)]), 201).data;
  await rm(join(world.data_dir, "files", account.account_id, "manifests"), { recursive: true });
  const paper = await fetch(made.documents[0]!.url);
  expect(paper.status).toBe(200);
  expect((await paper.text()).slice(0, 5)).toBe("%PDF-");
});

describe("refused before any carrier is asked:", () => {
  const errorsOf = async (account: TestAccount, body: object) => {
    const reply = await account.post<DataOf<Manifest>>("/manifests", body);
    return [outcomeOf(reply), Object.keys(errorOf(reply).details).sort()];
  };

  test.each([
    ["a carrier without manifests", { carrier: "ups", date: "2026-10-05" }, ["carrier"]],
    ["an unknown carrier", { carrier: "pigeon", date: "2026-10-05" }, ["carrier"]],
    ["neither ids nor a date", { carrier: "usps" }, ["shipment_ids"]],
    [
      "ids and a date",
      { carrier: "usps", shipment_ids: ["shp_1"], date: "2026-10-05" },
      ["date", "shipment_ids.0"],
    ],
    ["a day that there is not", { carrier: "usps", date: "2026-02-30" }, ["date"]],
    ["no ids", { carrier: "usps", shipment_ids: [] }, ["shipment_ids"]],
    [
      "an id twice, and no carrier",
      { shipment_ids: ["shp_1", "shp_1"] },
      ["carrier", "shipment_ids", "shipment_ids.0"],
    ],
    [
      "unknown ids beside what is no id, each at its place",
      { carrier: "canada_post", shipment_ids: ["shp_x", 5, "shp_y", ""] },
      ["shipment_ids.0", "shipment_ids.1", "shipment_ids.2", "shipment_ids.3"],
    ],
  ])("%s", async (_name, body, paths) => {
    const account = await anAccount(world);
    expect(await errorsOf(account, body)).toEqual(["422 validation_failed", paths]);
  });

  test("another account's shipment, and a label of another carrier", async () => {
    const [mine, theirs] = [await anAccount(world), await anAccount(world)];
    const shipment_ids = [await aLabelOf(theirs), await aLabelOf(mine, ottawa, "ups.standard")];
    expect(await errorsOf(mine, { carrier: "canada_post", shipment_ids })).toEqual([
      "422 validation_failed",
      ["shipment_ids.0", "shipment_ids.1"],
    ]);
  });

  test("freight, and what has no label", async () => {
    const account = await anAccount(world, { balance_cents: 500_000 });
    const freight = await account.create(aFreight());
    expect(outcomeOf(await handOver(account, [freight.id]))).toBe("409 not_courier");
    const draft = await account.create(aShipment());
    expect(outcomeOf(await handOver(account, [draft.id]))).toBe("409 not_labelled");
  });

  test("a void label, named", async () => {
    const account = await anAccount(world);
    const [id, other] = [await aLabelOf(account), await aLabelOf(account)];
    must(await account.post(`/shipments/${id}/void`), 200);
    const refused = await handOver(account, [id, other]);
    expect(outcomeOf(refused)).toBe("409 conflict");
    expect(errorOf(refused).details).toMatchObject({ shipment_ids: [id] });
  });

  test("a label that is on a manifest, named", async () => {
    const account = await anAccount(world);
    const [id, other] = [await aLabelOf(account), await aLabelOf(account)];
    const made = must(await handOver(account, [id]), 201).data;
    const refused = await handOver(account, [id, other]);
    expect(outcomeOf(refused)).toBe("409 conflict");
    expect(errorOf(refused).details).toEqual({ shipment_ids: [id], manifest_ids: [made.id] });
    expect(must(await handOver(account, [other]), 201).data.shipment_ids).toEqual([other]);
  });

  test("a token that may not change shipments", async () => {
    const account = await anAccount(world, { scopes: ["shipments:read"] });
    expect(outcomeOf(await handOver(account, ["shp_1"]))).toBe("403 scope_missing");
    expect((await account.get("/manifests")).status).toBe(200);
  });
});

function errorOf(reply: { body: unknown }): { details: Record<string, unknown> } {
  return (reply.body as { error: { details: Record<string, unknown> } }).error;
}
