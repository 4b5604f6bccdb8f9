import { afterAll, beforeAll, expect, test } from "vitest";
import { outcomeOf, type DataOf, type Failure, type Reply, type Shipment } from "../client.ts";
import { shipmentLock, untilBackendWaits } from "../faults/moments.ts";
import { aFreight } from "../freight-shipments.ts";
import { assertInvariants } from "../invariants.ts";
import { aShipment, ottawa } from "../shipments.ts";
import { aPlatform, anAccount, must, type World } from "../world.ts";

/** Requests that void, cancel or delete one shipment at the same moment: each is answered by what the shipment is then. */

let world: World;
beforeAll(async () => {
  world = await aPlatform();
});
afterAll(async () => {
  await assertInvariants(world);
  await world.close();
});

type Request = () => Promise<Reply<unknown>>;

/** The replies to two requests that both read the shipment before the first of them changes it. */
async function bothAtOnce(
  shipmentId: string,
  [first, second]: [Request, Request],
): Promise<[Reply<unknown>, Reply<unknown>]> {
  const lock = shipmentLock(world.database_url, shipmentId);
  await lock.take();
  try {
    const earlier = first();
    await untilBackendWaits(world.db);
    const later = second();
    await untilBackendWaits(world.db, 2);
    await lock.release();
    return await Promise.all([earlier, later]);
  } finally {
    await lock.release();
  }
}

async function aDraft() {
  const account = await anAccount(world);
  const { id } = await account.create(aShipment());
  const path = `/shipments/${id}`;
  return {
    account,
    id,
    voids: () => account.post(`${path}/void`),
    deletes: () => account.delete(path),
    changes: () => account.put(path, { to_address: ottawa }),
  };
}

const bodyOf = (reply: Reply<unknown>) => (reply.body as DataOf<Shipment>).data;

test("two voids of a draft are both told that it is cancelled", async () => {
  const { id, voids } = await aDraft();
  const [first, second] = await bothAtOnce(id, [voids, voids]);
  expect([outcomeOf(first), outcomeOf(second)]).toEqual(["200", "200"]);
  expect(bodyOf(first)).toMatchObject({ id, status: "cancelled" });
  expect(bodyOf(second)).toEqual(bodyOf(first));
});

test("a void of a draft that is being deleted is 404", async () => {
  const { id, voids, deletes } = await aDraft();
  const [gone, voided] = await bothAtOnce(id, [deletes, voids]);
  expect([outcomeOf(gone), outcomeOf(voided)]).toEqual(["204", "404 not_found"]);
});

test("a draft that is being voided is deleted as a cancelled one", async () => {
  const { account, id, voids, deletes } = await aDraft();
  const [voided, gone] = await bothAtOnce(id, [voids, deletes]);
  expect([outcomeOf(voided), outcomeOf(gone)]).toEqual(["200", "204"]);
  expect(outcomeOf(await account.get(`/shipments/${id}`))).toBe("404 not_found");
});

test("a draft that is being changed is voided as it became", async () => {
  const { id, voids, changes } = await aDraft();
  const [changed, voided] = await bothAtOnce(id, [changes, voids]);
  expect([outcomeOf(changed), outcomeOf(voided)]).toEqual(["200", "200"]);
  expect(bodyOf(voided)).toMatchObject({
    status: "cancelled",
    to_address: { city: ottawa.city },
  });
});

/** Voided already, or asked of the carrier and not known yet: never a state that it has left. */
function expectLater(reply: Reply<unknown>, { id, status }: { id: string; status: string }): void {
  if (reply.status === 200) expect(reply.body).toMatchObject({ data: { id, status } });
  else
    expect(must(reply as Reply<Failure>, 409).error).toMatchObject({
      code: "purchase_pending",
      details: { shipment_id: id, status: "void_pending" },
    });
}

test.each(["void", "delete"] as const)(
  "a %s of a label that is being voided is told of that void, and refunds nothing more",
  async (kind) => {
    const opening = 50_000;
    const account = await anAccount(world, { balance_cents: opening });
    const { id } = await account.create(aShipment());
    await account.bought(id);
    const voids = () => account.post(`/shipments/${id}/void`);
    const deletes = () => account.delete(`/shipments/${id}`);
    const [first, later] = await bothAtOnce(id, [voids, kind === "void" ? voids : deletes]);
    expect(outcomeOf(first)).toBe("200");
    expectLater(later, { id, status: "voided" });
    await expect.poll(() => account.balanceCents()).toBe(opening);
  },
);

test("a cancellation of a booking that is being cancelled is told of that one", async () => {
  const account = await anAccount(world, { balance_cents: 500_000 });
  const { id } = await account.create(aFreight());
  await account.bought(id);
  const cancels = () => account.post(`/ltl/${id}/cancel`);
  const [first, later] = await bothAtOnce(id, [cancels, cancels]);
  expect(outcomeOf(first)).toBe("200");
  if (later.status === 200) expect(later.body).toEqual(first.body);
  else
    expect(must(later as Reply<Failure>, 409).error).toMatchObject({
      code: "purchase_pending",
      details: { shipment_id: id, status: "void_pending" },
    });
});
