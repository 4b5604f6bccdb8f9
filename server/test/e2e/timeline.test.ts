import { afterAll, beforeAll, expect, test } from "vitest";
import { assertInvariants } from "../invariants.ts";
import { rule } from "../rules.ts";
import { aSteeredShipment } from "../shipments.ts";
import { timelineOf } from "../timelines.ts";
import { aPlatform, anAccount, type World } from "../world.ts";

let world: World;
beforeAll(async () => {
  world = await aPlatform();
});
afterAll(async () => {
  await assertInvariants(world);
  await world.close();
});

test("a failed purchase", async () => {
  const account = await anAccount(world);
  await rule(account, {
    name: "Cheapest",
    trigger: "shipment.before_purchase",
    actions: [{ type: "set_service", service: "canada_post.expedited_parcel" }],
  });
  const { id } = await account.create(aSteeredShipment("sim:refuse"));
  await account.rates(id);
  await account.buy(id, { service: "canada_post.expedited_parcel" });
  const { data, meta } = await timelineOf(account, `/shipments/${id}`);
  console.log(JSON.stringify(data, null, 1), meta);
  expect(data).toEqual([]);
});
