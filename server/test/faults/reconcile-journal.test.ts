import { appendFile, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { outcomeOf } from "../client.ts";
import { assertInvariants, readJournal } from "../invariants.ts";
import { attemptsOf, lookNow } from "../other-carriers.ts";
import { cancel, scheduled, showPickup } from "../pickups.ts";
import { connectTo, plantedSecrets } from "../real-connections.ts";
import { actionsOf, reborn, reconcileHere, twoLives, type TwoLives } from "../set-back.ts";
import { aShipment, aSteeredShipment, halifax, ottawa } from "../shipments.ts";
import { anAccount, must, type TestAccount, type World } from "../world.ts";

/**
 * A platform is set back whose carrier cannot list what it sold: the journal beside the database is read like a list.
 */

const service = "ups.standard";
const keyed = (key: string) => ({ "idempotency-key": key });

let lives: TwoLives;
let shop: TestAccount;
beforeEach(async () => {
  lives = await twoLives();
  await connectTo(lives.first, "ups");
  shop = await anAccount(lives.first, { balance_cents: 100_000 });
});
afterEach(() => lives.close());

const draft = async (steering?: string) =>
  (await shop.create(steering ? aSteeredShipment(steering) : aShipment())).id;

async function setBack(): Promise<World> {
  const second = await lives.setBack();
  shop = reborn(second, shop);
  return second;
}

async function journalText({ data_dir }: World): Promise<{ paths: string[]; text: string }> {
  const folder = join(data_dir, "journal");
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const paths = names.filter((name) => name.endsWith(".jsonl")).map((name) => join(folder, name));
  return { paths, text: (await Promise.all(paths.map((path) => readFile(path, "utf8")))).join("") };
}

test("what it sold and voided is recorded as it happened, once, and an unheard purchase is left to an operator", async () => {
  const ids = {
    known: await draft(),
    bought: await draft(),
    voided: await draft(),
    refused: await draft("sim:refuse"),
    shown: await draft("sim:lost_answer"),
    unseen: await draft("sim:lost_answer;lag=ups:25"),
  };
  await shop.bought(ids.known, { service });
  await lives.backUp();
  must(await shop.post(`/shipments/${ids.known}/void`), 200);
  const bought = must(await shop.buy(ids.bought, { service }, keyed("buy")), 201).data;
  must(await shop.buy(ids.voided, { service }), 201);
  must(await shop.post(`/shipments/${ids.voided}/void`), 200);
  expect(outcomeOf(await shop.buy(ids.refused, { service }))).toBe("502 carrier_error");
  for (const id of [ids.shown, ids.unseen])
    expect(outcomeOf(await shop.buy(id, { service }))).toBe("409 purchase_pending");

  const second = await setBack();
  const expected = (outcome: string) => [
    `label was missing here, and voided since: nothing, left`,
    `label was missing here: rebook, ${outcome}`,
    `label was missing here: rebook, ${outcome}`,
    `label was sent without a known answer, and no lookup disproves it: leave_to_review, ${outcome}`,
    `label was voided, which was missing here: book_void, ${outcome}`,
  ];
  expect(actionsOf(await reconcileHere(second, { is_dry_run: true }))).toEqual(expected("planned"));
  const report = await reconcileHere(second);
  expect(actionsOf(report)).toEqual(expected("done"));
  expect(report.is_resolved).toBe(true);

  expect(await shop.show(ids.bought)).toMatchObject({
    status: "purchased",
    tracking_code: bought.tracking_code,
    cost: bought.cost,
  });
  expect((await shop.show(ids.known)).refund).toMatchObject({ status: "approved" });
  for (const id of [ids.voided, ids.refused])
    expect((await shop.show(id)).status, id).toBe("draft");
  expect((await shop.show(ids.unseen)).status).toBe("purchase_pending");
  expect(await attemptsOf(second.db, ids.unseen)).toMatchObject([{ status: "review" }]);
  expect((await reconcileHere(second)).findings).toEqual([]);

  // The money is held until the label shows, which settles it.
  await vi.waitFor(
    async () => {
      await lookNow(second.db, ids.unseen);
      expect((await shop.show(ids.unseen)).status).toBe("purchased");
    },
    { timeout: 40_000, interval: 500 },
  );
  await assertInvariants(second);
  const again = await shop.buy(ids.bought, { service }, keyed("buy"));
  expect(must(again, 201).data.tracking_code).toBe(bought.tracking_code);
  const sold = (await readJournal(second)).filter(({ operation }) => operation === "label");
  expect(sold).toHaveLength(5);
});

test("a label without a shipment that could have it is voided on the connection that it was bought on", async () => {
  await lives.backUp();
  must(await shop.post("/labels", { ...aShipment(), service }), 201);
  const second = await setBack();
  const report = await reconcileHere(second);
  expect(actionsOf(report)).toEqual([
    "label was missing here, and its shipment is not known here: void, done",
  ]);
  expect(report.is_resolved).toBe(true);
  await assertInvariants(second);
});

test("a pickup that it cannot list is recorded again, and a cancelled one is cancelled here", async () => {
  const ids = await Promise.all([1, 2, 3].map(() => draft()));
  for (const id of ids) await shop.bought(id, { service });
  const [kept, off, missing] = ids as [string, string, string];
  const asked = await scheduled(shop, off);
  await lives.backUp();
  must(await cancel(shop, asked.id), 200);
  const again = await scheduled(shop, missing);
  expect((await shop.show(kept)).status).toBe("purchased");

  const second = await setBack();
  const report = await reconcileHere(second);
  expect(actionsOf(report)).toEqual([
    "pickup was cancelled, which was missing here: book_call_off, done",
    "pickup was missing here: rebook, done",
  ]);
  expect(report.is_resolved).toBe(true);
  expect((await showPickup(shop, asked.id)).status).toBe("cancelled");
  const shown = await showPickup(shop, again.id);
  expect(shown).toMatchObject({ status: again.status, shipment_ids: [missing] });
  expect(shown.address.address1).toBe(ottawa.address1);
  await assertInvariants(second);
});

test("a journal that was torn by a power cut is read up to there", async () => {
  const id = await draft();
  await lives.backUp();
  await shop.bought(id, { service });
  const second = await setBack();
  const { paths } = await journalText(second);
  for (const path of paths) await appendFile(path, '{"step":"sent","effect":"lab');
  const report = await reconcileHere(second);
  expect(actionsOf(report)).toEqual(["label was missing here: rebook, done"]);
  expect(report.is_resolved).toBe(true);
});

test("without its journal the carrier is left to a person", async () => {
  const blind = [
    "party cannot list its pickups: compare them with those here: by_hand, left",
    "party cannot list what it sold: compare its labels with the shipments: by_hand, left",
  ];
  await shop.bought(await draft(), { service });
  await lives.backUp();
  await shop.bought(await draft(), { service });
  const second = await setBack();
  await rm(join(second.data_dir, "journal"), { recursive: true });
  const report = await reconcileHere(second);
  expect(actionsOf(report)).toEqual(blind);
  expect(report.is_resolved).toBe(false);
  expect((await reconcileHere(second, { accepted: ["ups"] })).is_resolved).toBe(true);
});

test("no secret and nobody's name or street is in the journal, and of the simulator's carriers nothing", async () => {
  await shop.bought(await draft(), { service: "fedex.ground" });
  expect((await journalText(lives.first)).text).toBe("");
  const id = await draft();
  const { tracking_code } = await shop.bought(id, { service });
  const { text } = await journalText(lives.first);
  expect(text.split("\n").filter(Boolean)).toHaveLength(2);
  expect(text).toContain(tracking_code);
  const secrets = Object.values(plantedSecrets.ups);
  const people = [ottawa, halifax].flatMap(({ name, address1, phone }) => [name, address1, phone!]);
  for (const word of [...secrets, ...people]) expect(text).not.toContain(word);
});
