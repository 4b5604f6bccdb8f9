import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { toCents } from "../../server/src/domain/values/money.ts";
import * as moments from "../../server/test/faults/moments.ts";
import { aServedPlatform, type ServedWorld } from "../../server/test/faults/served.ts";
import { assertInvariants } from "../../server/test/invariants.ts";
import { setDials } from "../../server/test/world.ts";
import { at, fillDesk, hasChromium, startScreens, type Screens } from "./world.ts";

/** The server dies while a label is bought on the desk, or the desk is left: one label, one debit, and a screen that says so. */

describe.skipIf(!hasChromium)("in Chromium", () => {
  let world: ServedWorld;
  let screens: Screens;
  beforeAll(async () => {
    world = await aServedPlatform({ WAYBILL_LEASE_SECONDS: "3" });
    screens = await startScreens(async () => world);
  });
  afterEach(() => setDials(world, {}));
  afterAll(() => screens.close());

  /** Opens the list and then the desk, so that there is something to go back to; presses the button, until the carrier is called. */
  async function buying(page: Page, street: string): Promise<void> {
    await page.goto(at(screens, "/shipments"));
    await page.getByRole("heading", { name: "Shipments" }).waitFor();
    await page.getByRole("link", { name: "Ship something" }).first().click();
    await fillDesk(page, { street });
    await setDials(world, { "*": { latency_ms: 800, operations: ["purchases"] } });
    await page.getByRole("button", { name: /^Buy for/ }).click();
    await moments.untilAttempted(world.db, { kind: "label_purchase" });
  }

  async function theShipment(): Promise<string> {
    const { id } = await world.db
      .selectFrom("shipments")
      .select("id")
      .where("account_id", "=", screens.account.account_id)
      .orderBy("id", "desc")
      .limit(1)
      .executeTakeFirstOrThrow();
    return id;
  }

  /** The last shipment's label is in the carriers' journal once, and what it cost was taken once. */
  async function expectOneLabel(balance_before_cents: number, count: number): Promise<void> {
    const shown = await screens.account.show(await theShipment());
    expect(shown.status).toBe("purchased");
    expect(await moments.soldLabels(world, shown.id)).toBe(1);
    const { balance, held } = await screens.account.balance();
    expect(held).toBe(0);
    expect(toCents(balance)).toBe(balance_before_cents - toCents(shown.cost!.total));
    interface List {
      data: { id: string }[];
    }
    const { body } = await screens.account.get<List>("/shipments?per_page=100");
    expect(body.data).toHaveLength(count);
    // The browser's calls are in no log of the test's.
    const { client_log: _, ...oracles } = world;
    await assertInvariants(oracles, 30);
  }

  test("the server is killed after the carrier sold the label: the desk waits, and ends with the one label", async () => {
    const page = await screens.page({ role: "shipper", expected: /Failed to load resource/ });
    const before = await screens.account.balanceCents();
    const lock = moments.balanceLock(world.database_url, screens.account.account_id);
    await buying(page, "1 Rue Saint-Paul");
    await lock.take();
    await moments.untilSold(world, await theShipment());
    await moments.untilBackendWaits(world.db);
    await world.kill();
    await page.getByText("No answer came").waitFor();
    await lock.release();
    await world.start();
    await page.getByText("The label is bought").waitFor({ timeout: 40_000 });
    await expectOneLabel(before, 1);
    await page.context().close();
  });

  test("the back button while a label is bought: the desk is left with a notice, and has the one label later", async () => {
    const page = await screens.page({ role: "shipper", expected: /409/ });
    const before = await screens.account.balanceCents();
    const lock = moments.balanceLock(world.database_url, screens.account.account_id);
    await buying(page, "2 Rue Saint-Paul");
    await lock.take();
    await page.goBack();
    await page.getByRole("heading", { name: "Shipments" }).waitFor();
    await page.getByText("The label is still being bought").waitFor();
    await lock.release();
    const id = await theShipment();
    await moments.untilStatus(world.db, id, "purchased");
    await page.goForward();
    await page.getByText("The label is bought").waitFor();
    await page.getByRole("link", { name: "Open the shipment" }).click();
    await page.waitForURL(`**/shipments/${id}`);
    await expectOneLabel(before, 2);
    await page.context().close();
  });

  test("a purchase that was left for days is not sent again: its key may be forgotten", async () => {
    const page = await screens.page({ role: "shipper" });
    const sent: string[] = [];
    page.on("request", (request) => {
      if (request.method() === "POST") sent.push(request.url());
    });
    await page.goto(at(screens, "/shipments/new"));
    await page.getByRole("heading", { name: "Ship something" }).waitFor();
    const kept = { key: "of last week", body: {}, sent_at: Date.now() - 7 * 86_400_000 };
    await page.evaluate(
      `sessionStorage.setItem("waybill.purchase.sandbox", ${JSON.stringify(JSON.stringify(kept))})`,
    );
    await page.reload();
    await page.getByText("was never answered here").waitFor();
    expect(sent.filter((url) => url.endsWith("/labels"))).toEqual([]);
    await page.context().close();
  });
});
