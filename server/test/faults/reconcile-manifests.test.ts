import { once } from "node:events";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { outcomeOf, type DataOf, type ListOf, type Manifest } from "../client.ts";
import { assertInvariants, readJournal } from "../invariants.ts";
import {
  newYork,
  parcelHandedTo,
  servicesHandedOver,
  showManifest,
  type HandingCarrier,
} from "../manifests.ts";
import { connectTo, plantedSecrets } from "../real-connections.ts";
import { actionsOf, reborn, reconcileHere, twoLives, type TwoLives } from "../set-back.ts";
import type { Review } from "../reviews.ts";
import { startCli } from "../shell.ts";
import { boston } from "../shipments.ts";
import { anAccount, must, setDials, type TestAccount, type World } from "../world.ts";
import { tableLock, untilAttempted, untilBackendWaits } from "./moments.ts";

/**
 * A platform is set back that had handed labels over since its backup: no carrier lists manifests, the journal beside
 * the database has them.
 */

let lives: TwoLives;
let shop: TestAccount;
beforeEach(async () => {
  lives = await twoLives();
});
afterEach(() => lives.close());

const anAccountAt = (carrier: HandingCarrier) =>
  anAccount(lives.first, {
    balance_cents: 100_000,
    currency: carrier === "usps" ? "USD" : "CAD",
  });

const draft = async (carrier: HandingCarrier, address2: string | null = null) =>
  (await shop.create(parcelHandedTo(carrier, address2))).id;

async function aLabel(carrier: HandingCarrier, address2: string | null = null): Promise<string> {
  const id = await draft(carrier, address2);
  await shop.bought(id, { service: servicesHandedOver[carrier] });
  return id;
}

const handOver = (carrier: HandingCarrier, shipment_ids: string[], key = "hand over") =>
  shop.post<DataOf<Manifest>>("/manifests", { carrier, shipment_ids }, { "idempotency-key": key });

async function setBack(): Promise<World> {
  const second = await lives.setBack();
  shop = reborn(second, shop);
  return second;
}

const madeThere = async (world: World) =>
  (await readJournal(world)).filter(({ operation }) => operation === "manifest");

test.each(["canada_post", "purolator", "usps"] as const)(
  "a manifest of %s that was made since is shown with its labels, which are on no second one",
  async (carrier) => {
    await connectTo(lives.first, carrier);
    shop = await anAccountAt(carrier);
    const known = await aLabel(carrier);
    const later = await draft(carrier);
    await lives.backUp();
    await shop.bought(later, { service: servicesHandedOver[carrier] });
    const made = must(await handOver(carrier, [known, later]), 201).data;

    const second = await setBack();
    const expected = (outcome: string) => [
      `label was missing here: rebook, ${outcome}`,
      `manifest was missing here: rebook, ${outcome}`,
    ];
    const dry = await reconcileHere(second, { is_dry_run: true });
    expect(actionsOf(dry)).toEqual(expected("planned"));
    expect((await shop.get(`/manifests/${made.id}`)).status).toBe(404);
    const report = await reconcileHere(second);
    expect(actionsOf(report)).toEqual(expected("done"));
    expect(report.is_resolved).toBe(true);

    const { data: all } = must(await shop.get<ListOf<Manifest>>("/manifests"), 200);
    expect(all.map(({ id }) => id)).toEqual([made.id]);
    const shown = await showManifest(shop, made.id);
    expect(shown).toMatchObject({ status: "created", created_at: made.created_at });
    expect(shown.parts).toEqual(made.parts);
    // USPS returns its document once.
    expect(shown.documents).toHaveLength(carrier === "usps" ? 0 : 1);
    expect(outcomeOf(await handOver(carrier, [known], "again"))).toBe("409 conflict");
    expect(must(await handOver(carrier, [known, later]), 201).data.id).toBe(made.id);
    expect((await reconcileHere(second)).findings).toEqual([]);
    expect(await madeThere(second)).toHaveLength(1);
    await assertInvariants(second);
  },
);

test("of a carrier that lists its labels the manifest is recorded, too, with those of its parts that were made", async () => {
  shop = await anAccountAt("canada_post");
  const known = await aLabel("canada_post", "sim:refuse");
  const later = await draft("canada_post");
  await lives.backUp();
  await shop.bought(later, { service: servicesHandedOver.canada_post });
  const made = must(await handOver("canada_post", [known, later]), 201).data;
  expect(made.parts.map(({ status }) => status)).toEqual(["failed", "created"]);

  const second = await setBack();
  const report = await reconcileHere(second);
  expect(actionsOf(report)).toEqual([
    "label was missing here: rebook, done",
    "manifest was missing here: rebook, done",
  ]);
  expect(report.is_resolved).toBe(true);
  const shown = await showManifest(shop, made.id);
  expect(shown).toMatchObject({ status: "created", shipment_ids: [later] });
  expect(shown.documents).toHaveLength(1);
  // What was refused is free.
  expect(outcomeOf(await handOver("canada_post", [known], "again"))).toBe("502 carrier_error");
  await assertInvariants(second);
});

test("one whose answer is lost is found at its carrier, and one that was never made is failed", async () => {
  shop = await anAccountAt("canada_post");
  const lost = await aLabel("canada_post", "sim:lost_answer");
  const vain = await aLabel("canada_post", "sim:error=canada_post");
  await lives.backUp();
  const asked = must(await handOver("canada_post", [lost]), 201).data;
  const unmade = must(await handOver("canada_post", [vain], "in vain"), 201).data;

  const second = await setBack();
  const expected = (outcome: string) =>
    Array.from(
      { length: 2 },
      () => `manifest was sent without a known answer: look_up, ${outcome}`,
    );
  expect(actionsOf(await reconcileHere(second, { is_dry_run: true }))).toEqual(expected("planned"));
  const report = await reconcileHere(second);
  expect(actionsOf(report)).toEqual(expected("its outcome is found out next"));
  expect(report.is_resolved).toBe(true);
  expect(await showManifest(shop, asked.id)).toMatchObject({
    status: "created",
    shipment_ids: [lost],
  });
  expect(await showManifest(shop, unmade.id)).toMatchObject({ status: "failed", shipment_ids: [] });
  expect(await madeThere(second)).toHaveLength(1);
  await assertInvariants(second);
});

test("what its carrier cannot tell is an operator's to decide, and its labels are handed over by no other", async () => {
  await connectTo(lives.first, "usps");
  shop = await anAccountAt("usps");
  const id = await aLabel("usps", "sim:lost_answer");
  await lives.backUp();
  const asked = must(await handOver("usps", [id]), 201).data;

  const second = await setBack();
  const report = await reconcileHere(second);
  expect(actionsOf(report)).toEqual([
    "manifest was sent without a known answer: look_up, its outcome is found out next",
  ]);
  expect(report.is_resolved).toBe(true);
  expect(outcomeOf(await handOver("usps", [id], "again"))).toBe("409 conflict");
  const { data: open } = must(
    await second.operator.get<{ data: Review[] }>("/reviews?status=open"),
    200,
  );
  const stands = { decision: "stands", manifest: { carrier_manifest_id: "9475 0001" } };
  must(await second.operator.post(`/reviews/${open[0]!.id}`, stands), 200);
  expect(await showManifest(shop, asked.id)).toMatchObject({
    status: "created",
    shipment_ids: [id],
    parts: [{ manifest_number: "9475 0001" }],
  });
});

test("one whose answer came after the backup needs no operator, whose review does not know it", async () => {
  await connectTo(lives.first, "usps");
  shop = await anAccountAt("usps");
  const id = await aLabel("usps");
  await setDials(lives.first, { usps: { latency_ms: 3_000, operations: ["purchases"] } });
  const making = handOver("usps", [id]);
  await untilAttempted(lives.first.db, { kind: "manifest" });
  await lives.backUp();
  const made = must(await making, 201).data;

  const second = await setBack();
  const report = await reconcileHere(second);
  expect(actionsOf(report)).toContain(
    "manifest was made, which its review does not know: rebook, done",
  );
  expect(report.is_resolved).toBe(true);
  const shown = await showManifest(shop, made.id);
  expect([shown.status, shown.parts]).toEqual(["created", made.parts]);
  await assertInvariants(second);
});

test("killed while it records one, and run again, it has recorded it once", async () => {
  await connectTo(lives.first, "usps");
  shop = await anAccountAt("usps");
  const id = await aLabel("usps");
  await lives.backUp();
  const made = must(await handOver("usps", [id]), 201).data;

  const second = await setBack();
  // Its event is what the end of an attempt writes, and its beginning does not.
  const events = tableLock(second.database_url, { table: "event_outbox", against: "writes" });
  await events.take();
  const settings = { WAYBILL_LEASE_SECONDS: "2" };
  const command = ["reconcile", "--json", "--accept-data-loss"];
  const running = startCli(command, { ...second, settings });
  const ending = once(running, "exit");
  await vi.waitFor(() => untilAttempted(second.db, { kind: "manifest" }), { timeout: 20_000 });
  await untilBackendWaits(second.db);
  running.kill("SIGKILL");
  await ending;
  await events.release();
  expect((await showManifest(shop, made.id)).status).toBe("creating");
  const report = await vi.waitFor(
    async () => {
      const again = await reconcileHere(second);
      expect(again.is_resolved).toBe(true);
      return again;
    },
    { timeout: 60_000, interval: 500 },
  );
  expect(actionsOf(report)).not.toContain("manifest was missing here: rebook, done");
  const shown = await showManifest(shop, made.id);
  expect([shown.status, shown.parts]).toEqual(["created", made.parts]);
  expect(await madeThere(second)).toHaveLength(1);
  await assertInvariants(second);
});

test("labels that are not here are on none here: a manifest of others is recorded, one of them alone a person's", async () => {
  shop = await anAccountAt("canada_post");
  const known = await aLabel("canada_post");
  await lives.backUp();
  const [unknown, alone] = [await aLabel("canada_post"), await aLabel("canada_post")];
  const both = must(await handOver("canada_post", [known, unknown]), 201).data;
  must(await handOver("canada_post", [alone], "alone"), 201);

  const second = await setBack();
  const report = await reconcileHere(second);
  expect(actionsOf(report)).toEqual([
    "label was missing here, and its shipment is not known here: void, done",
    "label was missing here, and its shipment is not known here: void, done",
    "manifest was missing here, and none of its labels is here: by_hand, left",
    "manifest was missing here; of its 2 labels 1 are not here: rebook, done",
  ]);
  expect(report.is_resolved).toBe(false);
  expect((await showManifest(shop, both.id)).shipment_ids).toEqual([known]);
  const left = report.findings.find(({ action }) => action === "by_hand")!;
  expect(left.manifest!.number).toBeTruthy();
  expect((await reconcileHere(second, { accepted: [left.reference] })).is_resolved).toBe(true);
});

test("a manifest waits for its labels while its carrier cannot be asked for them", async () => {
  shop = await anAccountAt("canada_post");
  const id = await draft("canada_post");
  await lives.backUp();
  await shop.bought(id, { service: servicesHandedOver.canada_post });
  const made = must(await handOver("canada_post", [id]), 201).data;

  const second = await setBack();
  await setDials(second, { canada_post: { error_rate: 1, operations: ["look_ups"] } });
  const report = await reconcileHere(second);
  expect(actionsOf(report)).toContain(
    "manifest was missing here, and its labels are not settled here yet: wait, left",
  );
  await setDials(second, {});
  expect((await reconcileHere(second)).is_resolved).toBe(true);
  expect((await showManifest(shop, made.id)).shipment_ids).toEqual([id]);
});

test("without the journal its carrier is left to a person", async () => {
  shop = await anAccountAt("canada_post");
  must(await handOver("canada_post", [await aLabel("canada_post")]), 201);
  await lives.backUp();
  const second = await setBack();
  await rm(join(second.data_dir, "journal"), { recursive: true });
  const report = await reconcileHere(second);
  expect(actionsOf(report)).toEqual([
    "party cannot list its manifests: compare them with those here: by_hand, left",
  ]);
  expect((await reconcileHere(second, { accepted: ["canada_post"] })).is_resolved).toBe(true);
});

test("the journal names of a manifest what was handed over, and nobody's name, street or secret", async () => {
  await connectTo(lives.first, "usps");
  shop = await anAccountAt("usps");
  const id = await aLabel("usps");
  const made = must(await handOver("usps", [id]), 201).data;
  const folder = join(lives.first.data_dir, "journal");
  const names = await readdir(folder, { recursive: true });
  const files = names.filter((name) => name.endsWith(".jsonl"));
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), "utf8")));
  const lines = texts.join("").split("\n");
  const noted = lines.filter((line) => line.includes('"effect":"manifest"'));
  expect(noted).toHaveLength(2);
  for (const word of [made.id, id, made.parts[0]!.manifest_number!])
    expect(noted.join("")).toContain(word);
  const secrets = Object.values(plantedSecrets.usps);
  const people = [newYork, boston].flatMap(({ name, address1, phone }) => [name, address1, phone!]);
  for (const word of [...secrets, ...people]) expect(noted.join("")).not.toContain(word);
});
