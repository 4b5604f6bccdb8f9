import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aShipment } from "../../server/test/shipments.ts";
import { must, type TestAccount } from "../../server/test/world.ts";
import { at, hasChromium, startScreens, type Screens } from "./world.ts";

describe.skipIf(!hasChromium)("in Chromium", () => {
  let screens: Screens;
  beforeAll(async () => {
    screens = await startScreens();
  });
  afterAll(() => screens.close());

  test("who may have none is told so, and adds an account of its own once the operator lets it", async () => {
    const page = await screens.page({ role: "owner", expected: /403|422/ });
    await page.goto(at(screens, "/settings/carriers/fedex"));
    await page.getByText("are not switched on for this account").waitFor();
    expect(await page.getByRole("button", { name: "Add an account" }).count()).toBe(0);
    await letHaveAccounts(screens);
    await page.goto(at(screens, "/settings/carriers"));
    await page.getByRole("row", { name: /FedEx/ }).click();
    await page.getByText("No account with FedEx").waitFor();

    await page.getByRole("button", { name: "Add an account" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Save" }).click();
    // Each failing field is named where it is.
    await dialog.getByText("name must").waitFor();
    await dialog.getByText("api_key is required").waitFor();
    await dialog.getByLabel("Name").fill("Our FedEx");
    await dialog.getByLabel("Account number").fill("A1B2C3");
    await dialog.getByLabel("API key").fill("sim_ours_0001");
    await dialog.getByRole("button", { name: "Save" }).click();
    await row(page, "Our FedEx").getByText("Not tested").waitFor();
    await row(page, "Our FedEx").getByText("Default").waitFor();
    expect(await page.content()).not.toContain("sim_ours_0001");
    expect(await page.evaluate("JSON.stringify(sessionStorage)")).not.toContain("sim_ours");

    await choose(page, "Our FedEx", "Test");
    await row(page, "Our FedEx").getByText("Active").waitFor();
    const billed = await ratesOf(screens.account, "fedex");
    expect(new Set(billed.map(({ billed_by }) => billed_by))).toEqual(new Set(["carrier"]));
    await page.context().close();
  });

  test("secrets that the carrier refuses do not take the place of those that work", async () => {
    await letHaveAccounts(screens);
    await anAccountWith(screens, "day_ross", "Freight");
    const page = await screens.page({ role: "owner", expected: /422/ });
    await page.goto(at(screens, "/settings/carriers/day_ross"));
    await choose(page, "Freight", "Replace the secrets");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("API key").fill("wrong_key");
    await dialog.getByRole("button", { name: "Replace the secrets" }).click();
    await dialog.getByRole("alert").waitFor();
    await dialog.getByLabel("API key").fill("sim_fresh_9876");
    await dialog.getByRole("button", { name: "Replace the secrets" }).click();
    await row(page, "Freight").getByText("9876").waitFor();
    await row(page, "Freight").getByText("Active").waitFor();
    await page.context().close();
  });

  test("one of two accounts is made the default, switched off, on again and deleted", async () => {
    await letHaveAccounts(screens);
    await anAccountWith(screens, "manitoulin", "First");
    await anAccountWith(screens, "manitoulin", "Second");
    const page = await screens.page({ role: "owner" });
    await page.goto(at(screens, "/settings/carriers/manitoulin"));
    await choose(page, "Second", "Make it the default");
    await row(page, "Second").getByText("Default").waitFor();
    expect(await row(page, "First").getByText("Default").count()).toBe(0);
    await choose(page, "First", "Switch off");
    await row(page, "First").getByText("Off").waitFor();
    await choose(page, "First", "Switch on");
    await row(page, "First").getByText("Off").waitFor({ state: "detached" });
    await choose(page, "First", "Delete");
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
    await row(page, "First").waitFor({ state: "detached" });
    const list = await screens.account.get<{ data: { name: string }[] }>(
      "/carrier-connections?carrier=manitoulin",
    );
    expect(list.body.data.map(({ name }) => name)).toEqual(["Second"]);
    await page.context().close();
  });

  test("a service that is switched off is in no rate, whatever another person switched meanwhile", async () => {
    const [first, second] = (await ratesOf(screens.account, "canada_post")).map(
      ({ service, service_name }) => ({ service, name: service_name }),
    );
    const page = await screens.page({ role: "owner" });
    await page.goto(at(screens, "/settings/carriers/canada_post"));
    await page.getByRole("switch", { name: first!.name }).waitFor();
    must(await screens.account.put("/account", { disabled_services: [second!.service] }), 200);
    await press(page, first!.name);
    await page.getByText(`${first!.name} is not offered any more.`).waitFor();
    const left = (await ratesOf(screens.account, "canada_post")).map(({ service }) => service);
    expect(left).not.toContain(first!.service);
    expect(left).not.toContain(second!.service);
    await press(page, second!.name);
    await page.getByText(`${second!.name} is offered.`).waitFor();
    const again = (await ratesOf(screens.account, "canada_post")).map(({ service }) => service);
    expect(again).toContain(second!.service);
    expect(again).not.toContain(first!.service);
    must(await screens.account.put("/account", { disabled_services: [] }), 200);
    await page.context().close();
  });

  test("a viewer sees accounts and services and can change neither; a shipper sees the services", async () => {
    await letHaveAccounts(screens);
    await anAccountWith(screens, "tforce_freight", "Theirs");
    const viewer = await screens.page({ role: "viewer" });
    await viewer.goto(at(screens, "/settings/carriers/tforce_freight"));
    await row(viewer, "Theirs").waitFor();
    expect(await viewer.getByRole("button", { name: /^(Add|Actions)/ }).count()).toBe(0);
    expect(await viewer.getByRole("switch").first().isDisabled()).toBe(true);
    await viewer.context().close();
    const shipper = await screens.page({ role: "shipper" });
    await shipper.goto(at(screens, "/settings/carriers/tforce_freight"));
    await shipper.getByRole("switch").first().waitFor();
    expect(await shipper.getByText("Theirs").count()).toBe(0);
    expect(await shipper.getByText("Your own accounts").count()).toBe(0);
    await shipper.context().close();
  });
});

const row = (page: Page, name: string) => page.getByRole("row", { name: new RegExp(name) });

const press = (page: Page, service: string) =>
  page
    .locator("label", { has: page.getByRole("switch", { name: service }) })
    .first()
    .click();

async function choose(page: Page, name: string, item: string): Promise<void> {
  await page.getByRole("button", { name: `Actions for ${name}` }).click();
  await page.getByRole("menuitem", { name: item, exact: true }).click();
}

async function letHaveAccounts({ world, account }: Screens): Promise<void> {
  const path = `/accounts/${account.account_id}/settings`;
  must(await world.operator.patch(path, { own_carrier_accounts: true }), 200);
}

async function anAccountWith({ account }: Screens, carrier: string, name: string): Promise<void> {
  const body = { carrier, name, secrets: { api_key: `sim_${name}_0001` } };
  must(await account.post("/carrier-connections", body), 201);
}

/** The rates of a carrier for a new parcel. */
async function ratesOf(account: TestAccount, carrier: string) {
  const { id } = await account.create(aShipment());
  const { data } = await account.rates(id);
  return data.filter((rate) => rate.carrier.code === carrier);
}
