import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { outcomeOf, type DataOf, type Shipment } from "../client.ts";
import { assertInvariants } from "../invariants.ts";
import { aShipment, aSteeredShipment } from "../shipments.ts";
import { anAccount, aPlatform, must, type World } from "../world.ts";

/** Carriers that are called in their own forms, under a connection of the platform's (decision 27). */

let world: World;
beforeAll(async () => {
  world = await aPlatform();
  for (const connection of connections) {
    must(await world.operator.post("/carrier-connections", connection), 201);
  }
});
afterAll(async () => {
  await assertInvariants(world);
  await world.close();
});

const connections = [
  {
    carrier: "canada_post",
    environment: "test",
    name: "Canada Post",
    values: {
      customer_number: "2004381",
      contract_id: "42708517",
      contact_email: "shipping@example.com",
      contact_phone: "416-555-0100",
    },
    secrets: { username: "key", password: "planted_secret_1" },
  },
  {
    carrier: "purolator",
    environment: "test",
    name: "Purolator",
    values: { account_number: "9999999999", contact_phone: "416-555-0100" },
    secrets: { key: "key", password: "planted_secret_2" },
  },
];

describe.each([
  ["canada_post", "canada_post.expedited_parcel"],
  ["purolator", "purolator.express"],
])("%s", (_carrier, service) => {
  test("is quoted, sells a label with its file, and voids it", async () => {
    const account = await anAccount(world);
    const { id } = await account.create(aShipment());
    const bought = await account.bought(id, { service });
    expect(bought.label_status).toBe("ready");
    expect(await connectionOf(id)).toMatch(/^con_/);
    const file = await fetch(bought.label_url!);
    expect((await file.text()).slice(0, 5)).toBe("%PDF-");
    const { data } = must(await account.post<DataOf<Shipment>>(`/shipments/${id}/void`), 200);
    expect(data.status).toBe("voided");
  });

  test("a label whose answer is lost is found, and has its file", async () => {
    const account = await anAccount(world);
    const { id } = await account.create(aSteeredShipment("sim:lost_answer"));
    expect(outcomeOf(await account.buy(id, { service }))).toBe("409 purchase_pending");
    const found = await vi.waitFor(
      async () => {
        const shown = await account.show(id);
        expect(shown).toMatchObject({ status: "purchased", label_status: "ready" });
        return shown;
      },
      { timeout: 20_000, interval: 100 },
    );
    expect(found.tracking_code).toBeTruthy();
  });
});

/** That the purchase was made under. */
async function connectionOf(shipmentId: string): Promise<string | null> {
  const { rows } = await sql<{ connection_id: string | null }>`
    SELECT connection_id FROM shipments WHERE id = ${shipmentId}`.execute(world.db);
  return rows[0]?.connection_id ?? null;
}
