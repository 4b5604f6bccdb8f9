import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { anOperator, password } from "../../server/test/people.ts";
import {
  aLostPurchase,
  aPlatformOfBlindCarriers,
  openingCents,
} from "../../server/test/reviews.ts";
import { aShipment } from "../../server/test/shipments.ts";
import { hasChromium, startScreens, type Screens } from "./world.ts";

/** The operator's pages: an account found, stopped and corrected, and an unknown outcome decided. */

describe.skipIf(!hasChromium)("in Chromium", () => {
  let screens: Screens;
  beforeAll(async () => {
    screens = await startScreens(() => aPlatformOfBlindCarriers());
  });
  afterAll(() => screens.close());
  const at = (path: string) => `${screens.world.url}/app/operator${path}`;

  test("an operator signs in, finds an account by a tracking code, suspends it, and lifts it again", async () => {
    const { account, world } = screens;
    const { id } = await account.create(aShipment());
    const { tracking_code } = await account.bought(id);
    const { email } = await anOperator(world);
    const page = await screens.page({ role: "nobody", expected: /401/ });
    await page.goto(at(""));
    await page.getByRole("heading", { name: "Sign in as an operator" }).waitFor();
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password").fill(password);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Accounts" }).waitFor();
    await page.getByRole("searchbox").fill(tracking_code!);
    await page.waitForURL(/q=/);
    await expect.poll(() => page.locator("tbody tr").count()).toBe(1);
    await page.getByText(account.account_id).click();
    await page.getByRole("heading", { name: "Test Shop" }).waitFor();
    await page.getByRole("button", { name: "Suspend" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Suspend" }).click();
    await page.getByText("The account is suspended.").waitFor();
    expect((await account.get("/shipments")).status).toBe(403);
    await page.getByRole("button", { name: "Lift the suspension" }).click();
    await page
      .getByRole("alertdialog")
      .getByRole("button", { name: "Lift the suspension" })
      .click();
    await page.getByText("The account may go on.").waitFor();
    expect((await account.get("/shipments")).status).toBe(200);
    await page.context().close();
  });

  test("a balance is adjusted once, with its reason, though the first answer is lost", async () => {
    const { account } = screens;
    const before = await account.balanceCents();
    const page = await screens.page({ role: "operator", expected: /Failed to load resource/ });
    await page.goto(at(`/accounts/${account.account_id}`));
    await page.getByRole("button", { name: "Adjust the balance" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Amount").fill("-12.50");
    await dialog.getByLabel("Reason").fill("Credited twice in October");
    let isCut = true;
    await page.route("**/adjustments", async (route) => {
      if (!isCut) return route.continue();
      const headers = { ...(await route.request().allHeaders()), "sec-fetch-site": "same-origin" };
      await route.fetch({ headers });
      isCut = false;
      await route.abort("connectionreset");
    });
    const send = dialog.getByRole("button", { name: "Adjust the balance" });
    await send.click();
    await dialog.getByText("The server cannot be reached").waitFor();
    await send.click();
    await page.getByText("The balance was adjusted.").waitFor();
    expect(await account.balanceCents()).toBe(before - 1250);
    interface Lines {
      data: { description: string; amount: number }[];
    }
    const { body } = await account.get<Lines>("/credits/transactions?per_page=1");
    expect(body.data[0]).toMatchObject({ amount: -12.5, description: "Credited twice in October" });
    await page.context().close();
  });

  test("settings of an account are saved, and a wrong scope is named at its field", async () => {
    const { account, world } = screens;
    const page = await screens.page({ role: "operator", expected: /422/ });
    await page.goto(at(`/accounts/${account.account_id}`));
    await page.getByLabel("Standard: percent").fill("7.5");
    await page.getByLabel("Scopes that its tokens may have").fill("labels:print");
    await page.getByRole("button", { name: "Save" }).click();
    await page.locator("form [role=alert], form .text-danger").first().waitFor();
    await page.getByLabel("Scopes that its tokens may have").fill("labels:create rates:read");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("The settings are saved.").waitFor();
    interface Shown {
      data: { settings: { margins: object; token_ceiling: string[] } };
    }
    const { body } = await world.operator.get<Shown>(`/accounts/${account.account_id}`);
    expect(body.data.settings).toMatchObject({
      margins: { standard: { percent: 7.5 } },
      token_ceiling: ["labels:create", "rates:read"],
    });
    await page.context().close();
  });

  test("an unknown outcome is decided with what the carrier shows, its effect on the ledger seen before", async () => {
    const { account, id, sold, review } = await aLostPurchase(screens.world);
    const page = await screens.page({ role: "operator" });
    await page.goto(at("/reviews"));
    await page.getByText("Purchase of a label").click();
    await page.getByRole("heading", { name: "What is known" }).waitFor();
    await page.getByText(review.advice!).waitFor();
    await page
      .getByText(/The balance changes by .*What is held changes by/)
      .first()
      .waitFor();
    await page.getByLabel("It happened: it stands").check({ force: true });
    await page.getByLabel("Label’s id").fill(sold.label_id!);
    await page.getByLabel("Tracking code", { exact: true }).fill(sold.tracking_code!);
    await page.getByLabel("Reason").fill("Seen on the carrier's site");
    await page.getByRole("button", { name: "Decide" }).click();
    await page.getByText("The decision is made.").waitFor();
    await page.getByText("Seen on the carrier's site").waitFor();
    expect((await account.show(id)).status).toBe("purchased");
    expect(await account.balanceCents()).toBe(openingCents - Math.round(review.held! * 100));
    await page.context().close();
  });
});
