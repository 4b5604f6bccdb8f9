import { expect, onTestFinished, test } from "vitest";
import { testApi } from "../../test/api.ts";
import { normaliseAddress } from "../domain/addresses/address-rules.ts";
import { createDemoOrganization } from "../resources/admin/service.ts";
import { shop } from "./demo-shipments.ts";
import { seedDemo } from "./seed.ts";

/** Where others can reach the API, a demo exists only by an explicit setting (decision 24). */

async function aStart(settings: Record<string, string>, { has_demo }: { has_demo: boolean }) {
  const api = await testApi({ routes: [], settings });
  onTestFinished(() => api.close());
  const input = { ...shop, default_from_address: normaliseAddress(shop.from_address) };
  if (has_demo) await createDemoOrganization(api.platform, input, () => {});
  const seeded = seedDemo(api.platform, () => {});
  const organizations = async () =>
    (await api.db.selectFrom("organizations").select("id").execute()).length;
  return { seeded, organizations };
}

test.each([
  ["local", "0.0.0.0"],
  ["off", "0.0.0.0"],
  ["local", "192.0.2.7"],
])("with WAYBILL_DEMO=%s on %s a database that has the demo is refused", async (demo, host) => {
  const { seeded } = await aStart({ WAYBILL_DEMO: demo, HOST: host }, { has_demo: true });
  await expect(seeded).rejects.toThrow(`HOST is ${host}, which others can reach`);
});

test.each([
  ["on", "0.0.0.0"],
  ["local", "127.0.0.1"],
  ["off", "127.0.0.1"],
])("with WAYBILL_DEMO=%s on %s it is served as it is", async (demo, host) => {
  const { seeded, organizations } = await aStart(
    { WAYBILL_DEMO: demo, HOST: host },
    { has_demo: true },
  );
  expect(await seeded).toBeNull();
  expect(await organizations()).toBe(1);
});

test.each([
  ["local", "0.0.0.0"],
  ["off", "127.0.0.1"],
])("with WAYBILL_DEMO=%s on %s an empty database stays empty", async (demo, host) => {
  const { seeded, organizations } = await aStart(
    { WAYBILL_DEMO: demo, HOST: host },
    { has_demo: false },
  );
  expect(await seeded).toBeNull();
  expect(await organizations()).toBe(0);
});
