import { afterAll, beforeAll, expect, test } from "vitest";
import { adapterByConnection } from "../../src/carriers/adapter-by-connection.ts";
import { purolatorCarrier } from "../../src/carriers/purolator/adapter.ts";
import { purolatorOverSoap } from "../../src/carriers/purolator/purolator.ts";
import { carrierRegister, createCarriers } from "../../src/carriers/register.ts";
import { outcomeOf, type DataOf, type Manifest } from "../client.ts";
import { assertInvariants } from "../invariants.ts";
import { aLabelOf } from "../manifests.ts";
import { ottawa } from "../shipments.ts";
import { anAccount, aPlatform, must, type TestAccount, type World } from "../world.ts";

/** A carrier that hands over whatever is open under a contract, which accounts of one platform share. */

let world: World;
beforeAll(async () => {
  world = await aPlatform({}, { carriers: withLivePurolator });
  const connection = {
    carrier: "purolator",
    environment: "live",
    name: "Purolator",
    values: { account_number: "9999999999", contact_phone: "416-555-0100" },
    secrets: { key: "key", password: "planted_secret_2" },
  };
  must(await world.operator.post("/carrier-connections", connection), 201);
});
afterAll(async () => {
  await assertInvariants(world);
  await world.close();
});

/** Production's Purolator is in the simulator, too. */
function withLivePurolator(simulator_url: string) {
  const url = `${simulator_url}/dialects/purolator`;
  const real = purolatorCarrier(purolatorOverSoap, { live: url, test: url });
  return carrierRegister(
    createCarriers({ simulator_url }).all.map((carrier) =>
      carrier.descriptor.code === "purolator" ? adapterByConnection(carrier, real) : carrier,
    ),
  );
}

const aLabel = (account: TestAccount) => aLabelOf(account, ottawa, "purolator.express");
const handOver = (account: TestAccount, shipment_ids: string[]) =>
  account.post<DataOf<Manifest>>("/manifests", { carrier: "purolator", shipment_ids });

test("one account does not end the day of another", async () => {
  const environment = "live";
  const [mine, theirs] = [
    await anAccount(world, { environment }),
    await anAccount(world, { environment }),
  ];
  const [own, foreign] = [await aLabel(mine), await aLabel(theirs)];
  const refused = await handOver(mine, [own]);
  expect(outcomeOf(refused)).toBe("409 conflict");
  expect(refused.bytes.toString()).not.toContain(foreign);
  // It can still be voided, and then nothing of others is open.
  must(await theirs.post(`/shipments/${foreign}/void`), 200);
  expect(must(await handOver(mine, [own]), 201).data.shipment_ids).toEqual([own]);
  expect(must(await handOver(theirs, [await aLabel(theirs)]), 201).data.status).toBe("created");
});
