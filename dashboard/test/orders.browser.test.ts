import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { order, showOrder } from "../../server/test/orders.ts";
import { at, hasChromium, startScreens, type Screens } from "./world.ts";

/** Orders: shipped in parts, held, changed, and what is left of them. */

describe.skipIf(!hasChromium)("in Chromium", () => {
  let screens: Screens;
  beforeAll(async () => {
    screens = await startScreens();
  });
  afterAll(() => screens.close());

  test("a part of an order is shipped, bought and voided, and what is left is right after each", async () => {
    const { id } = await order(screens.account, { order_number: "PART-1" });
    const page = await screens.page({ role: "shipper", expected: /422/ });
    await page.goto(at(screens, "/orders"));
    await page.getByText("PART-1").click();
    const left = (item: string) =>
      page.getByRole("row", { name: item }).getByRole("cell").last().textContent();
    await page.getByRole("row", { name: "Cup" }).waitFor();
    expect([await left("Cup"), await left("Bowl")]).toEqual(["2", "1"]);

    await page.getByRole("button", { name: "Ship", exact: true }).click();
    await page.getByLabel("Quantity of Cup").fill("1");
    await page.getByLabel("Quantity of Bowl").fill("0");
    // The order's parcels hold all of it.
    await page.getByRole("button", { name: "Create the shipment" }).click();
    await page.getByText(/weight is required/).waitFor();
    await page.getByLabel("Weight of the parcel").fill("0.4");
    await page.getByRole("button", { name: "Create the shipment" }).click();
    await page.waitForURL(/\/shipments\/shp_/);
    const made = await screens.account.show(page.url().split("/").at(-1)!);
    const [cup] = made.items;
    expect(made.packages).toMatchObject([
      { weight: 0.4, weight_unit: "kg", declared_value: cup!.value, currency: cup!.currency },
    ]);
    const menu = page.getByRole("navigation").getByRole("link", { name: /^Orders/ });
    expect(await menu.innerText()).toMatch(/1$/);
    await page.getByRole("button", { name: /^Buy for/ }).click();
    await page.getByRole("button", { name: "Print the label" }).waitFor();
    await expect.poll(() => menu.innerText(), { timeout: 5000 }).toBe("Orders");
    const shipment = page.url();
    await page.goto(at(screens, `/orders/${id}`));
    await page.getByText("Partly shipped").waitFor();
    expect([await left("Cup"), await left("Bowl")]).toEqual(["1", "1"]);

    await page.goto(shipment);
    await page.getByRole("button", { name: "Void the label" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Void the label" }).click();
    await page.getByText("The label is void.").waitFor();
    await page.goto(at(screens, `/orders/${id}`));
    await page.getByText("To ship", { exact: true }).first().waitFor();
    expect([await left("Cup"), await left("Bowl")]).toEqual(["2", "1"]);
    await page.context().close();
  });

  test("an order is held, released and changed, and a wrong field is named", async () => {
    const { id } = await order(screens.account, { order_number: "HOLD-1" });
    const page = await screens.page({ role: "shipper", expected: /422/ });
    await page.goto(at(screens, `/orders/${id}`));
    await page.getByRole("button", { name: "Put on hold" }).click();
    await page.getByText("The order is on hold.").waitFor();
    expect((await showOrder(screens.account, id)).status).toBe("on_hold");
    // The order is read anew beside the message.
    const ship = page.getByRole("button", { name: "Ship", exact: true });
    await ship.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Release" }).click();
    await ship.waitFor();

    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByLabel("Postal code").fill("nowhere");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("dialog").locator(".text-danger").first().waitFor();
    await page.getByLabel("Postal code").fill("B3J 1S4");
    await page.getByLabel("Notes").fill("Ring twice");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("The order is changed.").waitFor();
    await page.getByText("Ring twice").waitFor();
    expect(await showOrder(screens.account, id)).toMatchObject({
      notes: "Ring twice",
      to_address: { postal_code: "B3J 1S4" },
    });
    await page.context().close();
  });

  test("the list of orders is searched and kept by state in the URL", async () => {
    await order(screens.account, { order_number: "FIND-7788" });
    const page = await screens.page({ role: "viewer" });
    await page.goto(at(screens, "/orders"));
    await page.getByRole("searchbox").fill("FIND-7788");
    await page.waitForURL(/q=FIND-7788/);
    await expect.poll(() => page.locator("tbody tr").count()).toBe(1);
    await page.getByRole("tab", { name: "On hold" }).click();
    await page.getByText("No order fits").waitFor();
    expect(page.url()).toContain("status=on_hold");
    await page.context().close();
  });
});
