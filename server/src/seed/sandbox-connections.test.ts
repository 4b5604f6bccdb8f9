import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aShipment, aSteeredShipment } from "../../test/shipments.ts";
import { testDatabase, type TestDatabase } from "../../test/setup/database.ts";
import { anAccount, anOperator, must } from "../../test/world.ts";
import { dialects } from "../carriers/dialects.ts";
import { readConfig, type Config } from "../config.ts";
import { startWaybill } from "../wiring/main.ts";

/** The connections of the sandbox that a start makes. */

let database: TestDatabase;
let data_dir: string;
let config: Config;
beforeAll(async () => {
  database = await testDatabase();
  data_dir = await mkdtemp(join(tmpdir(), "waybill-connected-"));
  config = readConfig({
    DATABASE_URL: database.url,
    PORT: "0",
    WAYBILL_DATA_DIR: data_dir,
    WAYBILL_SECRET: "a secret of forty characters for tests ab",
    WAYBILL_LOG_LEVEL: "silent",
    WAYBILL_DEMO: "off",
  });
});
afterAll(async () => {
  await database.close();
  await rm(data_dir, { recursive: true, force: true });
});

async function started(settings: Partial<Config> = {}) {
  const roles = { api: true, worker: false, is_data_loss_accepted: true };
  const { address: url, stop } = await startWaybill({ ...config, ...settings }, roles);
  return { url, stop, db: database.db, operator: await anOperator(database.db, url) };
}

const made = async () =>
  (
    await database.db.selectFrom("carrier_connections").selectAll().orderBy("carrier").execute()
  ).map(({ carrier, environment, account_id, is_default, unheard_policy }) => ({
    carrier,
    environment,
    account_id,
    is_default,
    unheard_policy,
  }));

test("with `simulated` a start makes no connections", async () => {
  await (await started({ sandbox_carriers: "simulated" })).stop();
  expect(await made()).toEqual([]);
});

test("a start connects each carrier that has an adapter, once, and its labels are bought in the carrier's own form", async () => {
  const waybill = await started();
  const connections = dialects.map(({ carrier }) => ({
    carrier,
    environment: "test",
    account_id: "platform",
    is_default: true,
    unheard_policy: "release_and_watch",
  }));
  expect(await made()).toEqual(connections);
  const account = await anAccount(waybill);
  const { id } = await account.create(aShipment());
  await account.rates(id);
  await account.bought(id, { service: "ups.standard" });
  const { id: refused } = await account.create(aSteeredShipment("sim:refuse"));
  await account.rates(refused);
  // UPS's own code; the simulator's own form has another.
  expect((await account.buy(refused, { service: "ups.standard" })).body).toMatchObject({
    error: { code: "carrier_error", details: { carrier_code: "120802" } },
  });
  // What the operator changed stays: those of a carrier that has any are left alone.
  must(
    await waybill.operator.patch(`/carrier-connections/${await idOf("usps")}`, switchedOff),
    200,
  );
  await waybill.stop();
  await (await started()).stop();
  expect(await made()).toEqual(connections);
});

const switchedOff = { status: "disabled" };

async function idOf(carrier: string): Promise<string> {
  const found = database.db
    .selectFrom("carrier_connections")
    .select("id")
    .where("carrier", "=", carrier);
  return (await found.executeTakeFirstOrThrow()).id;
}
