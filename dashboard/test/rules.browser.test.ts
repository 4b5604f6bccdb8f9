import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rule, when, type Rule } from "../../server/test/rules.ts";
import { aShipment, boston, notebooks } from "../../server/test/shipments.ts";
import { must } from "../../server/test/world.ts";
import { at, hasChromium, startScreens, type Screens } from "./world.ts";

describe.skipIf(!hasChromium)("in Chromium", () => {
  let screens: Screens;
  beforeAll(async () => {
    screens = await startScreens();
    await screens.account.create(aShipment({ reference: "AT-HOME" }));
    await screens.account.create(
      aShipment({ reference: "ABROAD", to_address: boston, items: [notebooks] }),
    );
  });
  afterAll(() => screens.close());

  const save = (page: Page) => page.getByRole("button", { name: "Save the rule" }).click();
  const saved = async (id: string) =>
    must(await screens.account.get<{ data: Rule }>(`/rules/${id}`), 200).data;

  test("a rule is built, tried, saved and applied, and the shipment's timeline says so", async () => {
    const page = await screens.page({ role: "owner", expected: /422/ });
    await page.goto(at(screens, "/rules"));
    await page.getByRole("link", { name: "New rule" }).first().click();
    await page.getByLabel("Name").fill("Domestic");
    await page.getByRole("button", { name: "Remove: Choose the service" }).click();
    await page.getByRole("button", { name: "Add an action" }).click();
    await page.getByRole("menuitem", { name: "Add a tag" }).click();
    // Without a tag the action is not complete: the dry run says so, and so does the field when it is saved.
    await page.getByText("Not complete yet:").waitFor();
    await save(page);
    await expect.poll(() => page.evaluate("document.activeElement.name")).toBe("actions.0.tag");
    await page.getByLabel("Tag", { exact: true }).fill("domestic");
    const dryRun = page.getByRole("list", { name: "Dry run" });
    const line = (name: string) => dryRun.getByRole("button", { name: new RegExp(name) });
    await line("AT-HOME.*Matches").waitFor();
    await line("ABROAD.*Does not match").waitFor();
    await line("AT-HOME").click();
    await dryRun.getByText("Holds:").first().waitFor({ state: "attached" });
    await dryRun.getByText("Would change", { exact: true }).waitFor();
    await dryRun.getByText("domestic").waitFor();
    // What is not saved is there after a reload.
    await page.reload();
    await page.getByText("Your changes from before are here").waitFor();
    await save(page);
    await page.getByText("The rule was saved.").waitFor();
    await page.waitForURL(/\/rules\/rul_/);
    const shipment = await screens.account.create(aShipment());
    expect(shipment.tags).toEqual(["domestic"]);
    await page.goto(at(screens, `/shipments/${shipment.id}`));
    await page.getByText(/Rule “Domestic”/).waitFor();
    await page.getByRole("link", { name: "Rules" }).click();
    await page.getByText("1 run", { exact: false }).waitFor();
    await page.getByRole("link", { name: "Domestic" }).click();
    const runs = page.getByRole("list", { name: "Runs" });
    await runs.getByText("Applied").waitFor();
    await runs.getByRole("link", { name: shipment.id }).waitFor();
    await page.context().close();
  });

  test("a rule that another person saved meanwhile is shown as a difference, and neither change is lost", async () => {
    const { id } = await rule(screens.account, { name: "Old name", enabled: false });
    const page = await screens.page({ role: "owner" });
    await page.goto(at(screens, `/rules/${id}`));
    await page.getByLabel("Name").fill("My name");
    const theirs = { ...(await saved(id)), name: "Their name", priority: 7 };
    must(await screens.account.put(`/rules/${id}`, theirs), 200);
    await save(page);
    const dialog = page.getByRole("dialog", { name: "The rule was changed meanwhile" });
    await dialog.getByText("Their name").waitFor();
    expect(await saved(id)).toMatchObject({ name: "Their name", priority: 7 });
    await dialog.getByRole("button", { name: "Save as chosen" }).click();
    await page.getByText("The rule was saved.").waitFor();
    expect(await saved(id)).toMatchObject({ name: "My name", priority: 7 });
    await page.context().close();
  });

  test("rules are moved by keys and by drag, and act in the order that is shown", async () => {
    const trigger = "shipment.before_purchase";
    const criteria = when("tags", "contains", "never");
    for (const name of ["First", "Second", "Third"])
      await rule(screens.account, { name, trigger, criteria });
    const page = await screens.page({ role: "owner" });
    await page.goto(at(screens, "/rules"));
    const list = page.getByRole("list", { name: /Before any label is bought/ });
    const order = async () => (await list.getByRole("link").allTextContents()).join(" ");
    const stored = async () => {
      const { body } = await screens.account.get<{ data: Rule[] }>("/rules?per_page=100");
      return body.data
        .filter((each) => each.trigger === trigger)
        .sort((one, other) => one.priority - other.priority)
        .map(({ name }) => name)
        .join(" ");
    };
    await list.getByRole("button", { name: /Move Third/ }).focus();
    await page.keyboard.press("ArrowUp");
    await expect.poll(order).toBe("First Third Second");
    await expect.poll(stored).toBe("First Third Second");
    await list
      .getByRole("button", { name: /Move First/ })
      .dragTo(list.getByRole("link", { name: "Second" }));
    await expect.poll(order).toBe("Third Second First");
    await expect.poll(stored).toBe("Third Second First");
    await page.context().close();
  });
});
