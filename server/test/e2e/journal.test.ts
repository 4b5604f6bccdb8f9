import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { outcomeOf, type Failure } from "../client.ts";
import { assertInvariants, readJournal } from "../invariants.ts";
import { aLabelOf, handOver } from "../manifests.ts";
import { connectTo } from "../real-connections.ts";
import { aShipment } from "../shipments.ts";
import { anAccount, aPlatform, must, type World } from "../world.ts";

/** The journal of what carriers cannot list: what is not noted is not sent. */

const service = "ups.standard";

let world: World;
beforeEach(async () => {
  world = await aPlatform();
  await connectTo(world, "ups");
});
afterEach(async () => {
  await assertInvariants(world);
  await world.close();
});

test("while it cannot be written a purchase is refused before it is sent, its money is free, and the key buys afterwards", async () => {
  const account = await anAccount(world);
  const { id } = await account.create(aShipment());
  const before = await account.balanceCents();
  // A file stands where its folder should.
  const place = join(world.data_dir, "journal");
  await writeFile(place, "");
  const key = { "idempotency-key": "unnoted" };
  const refused = await account.buy(id, { service }, key);
  expect(outcomeOf(refused)).toBe("503 unavailable");
  expect(refused.headers["retry-after"]).toBeDefined();
  expect((refused.body as unknown as Failure).error.message).toContain("nothing was sent");
  expect((await account.show(id)).status).toBe("draft");
  expect((await account.balance()).held).toBe(0);
  expect(await account.balanceCents()).toBe(before);
  expect(await readJournal(world)).toEqual([]);
  // Its carrier lists what it sold, and needs no journal.
  const other = await account.create(aShipment());
  await account.bought(other.id, { service: "fedex.ground" });

  await rm(place);
  must(await account.buy(id, { service }, key), 201);
  expect((await readJournal(world)).filter(({ carrier }) => carrier === "ups")).toHaveLength(1);
});

test("while it cannot be written a manifest is refused before it is sent, and the key makes it afterwards", async () => {
  const account = await anAccount(world);
  const id = await aLabelOf(account);
  const place = join(world.data_dir, "journal");
  await writeFile(place, "");
  const key = { "idempotency-key": "unnoted manifest" };
  const made = async () =>
    (await readJournal(world)).filter(({ operation }) => operation === "manifest");
  const refused = await handOver(account, [id], key);
  expect(outcomeOf(refused)).toBe("503 unavailable");
  expect((refused.body as unknown as Failure).error.message).toContain("nothing was sent");
  expect(await made()).toEqual([]);

  await rm(place);
  expect(must(await handOver(account, [id], key), 201).data.shipment_ids).toEqual([id]);
  expect(await made()).toHaveLength(1);
});
