import { afterAll, beforeAll, expect, test } from "vitest";
import type { Carrier } from "../../src/carriers/carrier.ts";
import { outcomeOf } from "../client.ts";
import { readJournal } from "../invariants.ts";
import { carriersWith } from "../other-carriers.ts";
import { aLabelled, cancel, scheduled, showPickup, steered } from "../pickups.ts";
import { anAccount, aPlatform, must, type World } from "../world.ts";

/** Carriers that have one pickup for an address, under one number, and cancel all of it at once. */

let world: World;
let change: (carrier: Carrier) => Carrier = (carrier) => carrier;
beforeAll(async () => {
  const changed = (carrier: Carrier): Carrier => ({
    ...carrier,
    ...(carrier.pickups && {
      pickups: {
        ...carrier.pickups,
        schedule: (request, signal) => change(carrier).pickups!.schedule(request, signal),
        lookUp: (sent, signal) => change(carrier).pickups!.lookUp(sent, signal),
      },
    }),
  });
  world = await aPlatform({}, { carriers: carriersWith({}, changed) });
});
afterAll(() => world.close());

const cancelled = async () =>
  (await readJournal(world)).filter(({ operation }) => operation === "pickup_cancel");

test("the carrier's pickup is cancelled with the last one under its number, whichever account requested it", async () => {
  const [one, other] = [await anAccount(world), await anAccount(world)];
  const from = { ...steered("sim:shared_pickup=*"), address1: "1 Shared Street" };
  const first = await scheduled(one, await aLabelled(one, "ups", from));
  const second = await scheduled(other, await aLabelled(other, "ups", from));
  const number = first.carriers[0]!.confirmation_number;
  expect(second.carriers[0]!.confirmation_number).toBe(number);

  const before = (await cancelled()).length;
  expect(must(await cancel(one, first.id), 200).data.status).toBe("cancelled");
  expect(await cancelled()).toHaveLength(before);
  expect((await showPickup(other, second.id)).status).toBe("confirmed");
  expect(must(await cancel(other, second.id), 200).data.status).toBe("cancelled");
  expect(await cancelled()).toHaveLength(before + 2);
});

test("two that are cancelled at once both reach the carrier", async () => {
  const account = await anAccount(world);
  const from = { ...steered("sim:shared_pickup=*"), address1: "2 Shared Street" };
  const ids = [];
  for (let each = 0; each < 2; each++)
    ids.push((await scheduled(account, await aLabelled(account, "ups", from))).id);
  const before = (await cancelled()).length;
  const replies = await Promise.all(ids.map((id) => cancel(account, id)));
  expect(replies.map(outcomeOf)).toEqual(["200", "200"]);
  expect(await cancelled()).toHaveLength(before + 2);
});

test("a pickup that the carrier moves to another day is cancelled, and its shipments are free", async () => {
  change = (carrier) => ({
    ...carrier,
    pickups: {
      ...carrier.pickups!,
      async schedule(request, signal) {
        return { ...(await carrier.pickups!.schedule(request, signal)), date: "2031-01-02" };
      },
      async lookUp(sent, signal) {
        const found = await carrier.pickups!.lookUp(sent, signal);
        return found && { ...found, date: "2031-01-02" };
      },
    },
  });
  const account = await anAccount(world);
  const id = await aLabelled(account, "ups");
  const before = (await cancelled()).length;
  const refused = await account.post("/pickups", { shipment_ids: [id] });
  change = (carrier) => carrier;
  expect(outcomeOf(refused)).toBe("502 carrier_error");
  expect(await cancelled()).toHaveLength(before + 1);
  expect((await account.show(id)).pickup_id).toBeNull();
});
