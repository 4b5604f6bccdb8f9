import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createMany, errorsOf, processBatch, processed, untilProcessed } from "../batches.ts";
import { outcomeOf, type Failure } from "../client.ts";
import { aFreight } from "../freight-shipments.ts";
import { rule, runsOn, untilRuleBought } from "../rules.ts";
import { aSteeredShipment, aShipment, halifax } from "../shipments.ts";
import { anAccount, aPlatform, must, setDials, type World } from "../world.ts";

/**
 * A carrier that is down during a purchase says nothing about the shipment (decision 8): 502, never
 * stored for the key, so that the same call buys once the carrier is back.
 */

let world: World;
beforeAll(async () => {
  world = await aPlatform();
});
afterAll(() => world.close());

const service = "canada_post.expedited_parcel";

describe("a purchase whose carrier is down", () => {
  test.each([
    ["a service whose carrier fails", "sim:error=canada_post", service, "carrier_error"],
    ["a service whose carrier hangs", "sim:timeout=canada_post", service, "carrier_timeout"],
    ["a strategy while every carrier fails", "sim:error=*", "cheapest", "carrier_error"],
    ["the fastest while every carrier fails", "sim:error=*", "fastest", "carrier_error"],
  ])(
    "is 502 of %s, and the same key buys once it is well",
    async (_name, steering, chosen, code) => {
      const account = await anAccount(world);
      const { id } = await account.create(aSteeredShipment(steering));
      const key = { "idempotency-key": "one purchase" };
      const refused = await account.buy(id, { service: chosen }, key);
      expect(outcomeOf(refused)).toBe("502 carrier_error");
      const { details } = (refused.body as unknown as Failure).error;
      expect(details).toMatchObject({
        carrier: expect.any(String) as string,
        carrier_code: code,
        carrier_message: expect.stringMatching(/500|answer|time/) as string,
        retryable: true,
        service: chosen,
      });
      expect(details["excluded_services"]).toContainEqual(
        expect.objectContaining({ service, reason: code, retryable: true }),
      );
      must(await account.put(`/shipments/${id}`, { to_address: halifax }), 200);
      const bought = await account.buy(id, { service: chosen }, key);
      expect([outcomeOf(bought), bought.headers["idempotent-replay"]]).toEqual(["201", undefined]);
      expect(await account.balanceCents()).toBeLessThan(100_000);
    },
  );

  test("is 502 when carriers rate-limit the platform, and when freight carriers time out", async () => {
    const account = await anAccount(world);
    const [parcel, freight] = await createMany(account, [aShipment(), aFreight()]);
    await setDials(world, { "*": { error_rate: 1, error_status: 429, operations: ["quotes"] } });
    const replies = [await account.buy(parcel!, { service }), await account.buy(freight!)];
    await setDials(world, {});
    for (const reply of replies) {
      expect(outcomeOf(reply)).toBe("502 carrier_error");
      expect((reply.body as unknown as Failure).error.details).toMatchObject({ retryable: true });
    }
  });

  test("is 422 when every carrier has answered and none offers a service for the shipment", async () => {
    const account = await anAccount(world);
    const [none, one] = await createMany(account, [
      aSteeredShipment("sim:no_lane=*"),
      aSteeredShipment("sim:no_lane=canada_post"),
    ]);
    expect(outcomeOf(await account.buy(none!))).toBe("422 unserviceable");
    const key = { "idempotency-key": "no lane" };
    expect(outcomeOf(await account.buy(one!, { service }, key))).toBe("422 unserviceable");
    const again = await account.buy(one!, { service }, key);
    expect(again.headers["idempotent-replay"]).toBe("true");
  });

  test("buys an offered service when only some carriers are down", async () => {
    const account = await anAccount(world);
    const { id } = await account.create(aSteeredShipment("sim:error=canada_post"));
    expect((await account.bought(id)).rate.carrier.code).not.toBe("canada_post");
  });
});

test("a strategy that no stored rate fits quotes again, since a carrier may have been down then", async () => {
  const account = await anAccount(world);
  const { id } = await account.create(aSteeredShipment("sim:error=*"));
  expect((await account.rates(id)).data).toEqual([]);
  must(await account.put(`/shipments/${id}`, { to_address: halifax }), 200);
  await account.bought(id, { service: "cheapest_tracked" });
});

test("a batch reports such a shipment as retryable, and then buys it", async () => {
  const account = await anAccount(world);
  const [named, cheapest, closed] = await createMany(account, [
    aSteeredShipment("sim:error=canada_post", { service }),
    aSteeredShipment("sim:error=*"),
    aSteeredShipment("sim:no_lane=*"),
  ]);
  const batch = await processed(account, [named!, cheapest!, closed!]);
  const errors = await errorsOf(account, batch.id);
  expect(errors.get(named!)).toMatchObject({
    code: "carrier_error",
    stage: "rating",
    carrier: "canada_post",
    retryable: true,
  });
  expect(errors.get(cheapest!)).toMatchObject({
    code: "carrier_error",
    stage: "rating",
    retryable: true,
  });
  expect(errors.get(closed!)).toMatchObject({
    code: "unserviceable",
    stage: "rating",
    retryable: false,
  });
  for (const id of [named, cheapest])
    must(await account.put(`/shipments/${id}`, { to_address: halifax }), 200);
  must(await processBatch(account, batch.id), 202);
  expect(await untilProcessed(account, batch.id)).toMatchObject({ success_count: 2 });
});

test("a rule that could not buy for it reports the carrier's code", async () => {
  const account = await anAccount(world);
  await rule(account, { actions: [{ type: "buy_label", max_total: 200 }] });
  const { id } = await account.create(aSteeredShipment("sim:error=*"));
  await untilRuleBought(account, id);
  const [run] = await runsOn(account, id);
  expect(JSON.stringify(run)).toContain('"code":"carrier_error"');
  expect(JSON.stringify(run)).toContain('"retryable":true');
});
