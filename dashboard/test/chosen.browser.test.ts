import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { nextBusinessDay } from "../../server/src/domain/time/business-days.ts";
import { momentOf } from "../../server/src/domain/time/wall-clock.ts";
import { days, schedule, serviceOf } from "../../server/test/pickups.ts";
import { ottawa } from "../../server/test/shipments.ts";
import { aPlatform, must } from "../../server/test/world.ts";
import { violations } from "./axe.ts";
import { bar, families, press } from "./families.ts";
import { hasChromium, startScreens, type Screens } from "./world.ts";

/** UPS still comes today then, but only to whom is open after five. */
const day = days().next;
const afternoon = momentOf(`${day}T15:29`, "America/Toronto").getTime();
const began = Date.now();
const clock = { now: () => new Date(afternoon + Date.now() - began) };

describe.skipIf(!hasChromium)("in Chromium", () => {
  let screens: Screens;
  beforeAll(async () => {
    screens = await startScreens(() => aPlatform({}, { clock }));
  });
  afterAll(() => screens.close());
  const { family, choose } = families(() => screens);

  test("another filter leaves nothing chosen", async () => {
    await family("Other", 2);
    const page = await choose("Other", 2);
    await page.getByRole("tab", { name: /^Draft/ }).click();
    await bar(page, 2).waitFor({ state: "detached" });
    await page.getByText("Other 0").waitFor();
    expect(await page.locator("tbody input:checked").count()).toBe(0);
    await page.context().close();
  });

  test("the others stay chosen when one shipment is opened and left again, and are not when the filter was changed meanwhile", async () => {
    await family("Back", 3);
    const page = await choose("Back", 3);
    await page.locator("tbody input[type=checkbox]").nth(1).uncheck({ force: true });
    await bar(page, 2).waitFor();
    await page.getByText("Back 1").click();
    await page.getByRole("heading", { name: "To Back 1" }).waitFor();
    await page.goBack();
    await bar(page, 2).waitFor();
    expect(await page.locator("tbody input:checked").count()).toBe(2);
    await page.getByRole("tab", { name: /^Draft/ }).click();
    await bar(page, 2).waitFor({ state: "detached" });
    await page.getByRole("tab", { name: "All" }).click();
    await page.getByText("Back 0").waitFor();
    expect(await page.locator("tbody input:checked").count()).toBe(0);
    await page.locator("tbody input[type=checkbox]").first().check({ force: true });
    await bar(page, 1).waitFor();
    await page.reload();
    await page.getByText("Back 0").waitFor();
    expect(await page.locator("tbody input:checked").count()).toBe(0);
    await page.context().close();
  });

  test("reading all that match can be given up, and what was chosen before stays chosen", async () => {
    await family("Slow", 60);
    const page = await choose("Slow", 50);
    // No answer comes for as long as the test lasts.
    await page.route(/fields=id.*per_page=100|per_page=100.*fields=id/, () => undefined);
    await press(page, "Choose all 60 that match");
    await page.getByRole("progressbar", { name: "Reading all that match" }).waitFor();
    expect(await violations(page)).toEqual([]);
    await press(page, "Stop");
    await page.getByRole("button", { name: "Choose all 60 that match" }).waitFor();
    await bar(page, 50).waitFor();
    await page.context().close();
  });

  test("a pickup is scheduled for the chosen shipments, and those that no carrier can fetch are named and left out", async () => {
    const names = ["ups", "ups", "draft", "taken", "other"];
    const ids = await family("Fetch", names.length);
    const [first, second, , taken, other] = ids as [string, string, string, string, string];
    for (const id of [first, second, taken, other])
      await screens.account.bought(id, { service: serviceOf.ups });
    must(await schedule(screens.account, { shipment_ids: [taken] }), 201);
    const page = await choose("Fetch", 5);
    // One parcel that waits at the same address is not chosen.
    await page
      .locator("tbody tr", { hasText: "Fetch 4" })
      .getByRole("checkbox")
      .uncheck({ force: true });
    await bar(page, 4).waitFor();
    await press(page, "Schedule a pickup");
    const form = page.getByRole("dialog", { name: "Pickup by UPS" });
    await form.getByText("2 of the 3 shipments that wait there").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByRole("heading", { name: "For the 4 shipments that you chose" }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByText("2 shipments left out:").waitFor();
    await page.getByText("It has no label.").waitFor();
    await page.getByText("A pickup is to fetch it already.").waitFor();
    await page.goBack();
    await bar(page, 4).waitFor();
    await page.goForward();
    await form.getByText(/, if you are open until 17:\d\d or later/).waitFor();
    await form.getByRole("button", { name: /^Schedule (for|the pickup)/ }).click();
    await page.getByText("The carrier comes.").waitFor();
    await page.getByText("No carrier can fetch any of them").waitFor();
    interface Made {
      date: string;
      shipment_ids: string[];
    }
    const { body } = await screens.account.get<{ data: Made[] }>("/pickups");
    expect(body.data[0]!.date).toBe(nextBusinessDay(day, ottawa));
    expect(body.data[0]!.shipment_ids.toSorted()).toEqual([first, second].toSorted());
    await page.getByRole("button", { name: "Show all that waits" }).click();
    await page.getByRole("button", { name: /^Schedule UPS at/ }).waitFor();
    await page.context().close();
  });
});
