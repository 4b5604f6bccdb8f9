import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { nextBusinessDay } from "../../server/src/domain/time/business-days.ts";
import { momentOf } from "../../server/src/domain/time/wall-clock.ts";
import { aLabelled, days } from "../../server/test/pickups.ts";
import { ottawa } from "../../server/test/shipments.ts";
import { at, hasChromium, startScreens, type Screens } from "./world.ts";

/** A business day on which carriers take no pickups any more. */
const day = days().next;
const afternoon = momentOf(`${day}T17:30`, "America/Toronto").getTime();
const began = Date.now();
const clock = { now: () => new Date(afternoon + Date.now() - began) };

describe.skipIf(!hasChromium)("in Chromium", () => {
  let screens: Screens;
  beforeAll(async () => {
    screens = await startScreens({ clock });
  });
  afterAll(() => screens.close());

  test("past the cutoff a pickup is offered and made for the next business day, at the fee that was shown", async () => {
    const id = await aLabelled(screens.account, "ups");
    const page = await screens.page({ role: "shipper", expected: /422/ });
    const before = await screens.account.balance();
    await page.goto(at(screens, "/pickups"));
    await page.getByText("Too late for today").waitFor();
    await page.getByRole("button", { name: /^Schedule UPS at/ }).click();
    const dialog = page.getByRole("dialog");
    expect(await dialog.getByLabel("Today").count()).toBe(0);
    await dialog.getByLabel("Another day").click({ force: true });
    await dialog.getByLabel("Date").fill(day);
    await dialog.getByLabel("For the driver").fill("Ring twice");
    await dialog.getByRole("button", { name: /^Schedule for/ }).click();
    await dialog.getByText(/takes pickups for the same day until/).waitFor();
    expect(await dialog.getByLabel("For the driver").inputValue()).toBe("Ring twice");
    await dialog.getByLabel("Next business day").click({ force: true });
    const button = dialog.getByRole("button", { name: /^Schedule for/ });
    const shown = Number((await button.textContent())!.replace(/[^0-9.]/g, ""));
    await button.click();
    await page.getByText("The carrier comes.").waitFor();
    await page.getByText("Nothing waits").waitFor();
    const { body } = await screens.account.get<{ data: Made[] }>("/pickups");
    const [made] = body.data;
    expect(made).toMatchObject({ date: nextBusinessDay(day, ottawa), instructions: "Ring twice" });
    expect(made!.shipment_ids).toEqual([id]);
    expect(made!.cost.total).toBe(shown);
    const { balance } = await screens.account.balance();
    expect(before.balance - balance).toBeCloseTo(shown, 2);
    await page.getByRole("button", { name: /^Cancel the pickup on/ }).click();
    await page.getByRole("button", { name: "Cancel the pickup", exact: true }).click();
    await page.getByText("The pickup is cancelled.").waitFor();
    await page.getByRole("button", { name: /^Schedule UPS at/ }).waitFor();
    expect((await screens.account.balance()).balance).toBe(before.balance);
    await page.context().close();
  });
});

interface Made {
  date: string;
  instructions: string;
  shipment_ids: string[];
  cost: { total: number };
}
