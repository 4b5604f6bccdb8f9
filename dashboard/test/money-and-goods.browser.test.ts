import { sql } from "kysely";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newId } from "../../server/src/domain/values/ids.ts";
import type { DataOf } from "../../server/test/client.ts";
import { must } from "../../server/test/world.ts";
import { at, hasChromium, startScreens, type Screens } from "./world.ts";

describe.skipIf(!hasChromium)("in Chromium", () => {
  let screens: Screens;
  beforeAll(async () => {
    screens = await startScreens();
    must(await screens.account.post("/credits/payment-methods", { card: "pm_card_visa" }), 201);
  });
  afterAll(() => screens.close());

  const topUps = async () => {
    const { body } = await screens.account.get<{ data: object[] }>(
      "/credits/transactions?type=top_up&per_page=100",
    );
    return body.data.length;
  };
  const openTopUp = async (page: Page, amount: string) => {
    await page.getByRole("button", { name: "Top up" }).click();
    await page.getByLabel("Amount").fill(amount);
    await page.keyboard.press("Tab");
  };
  const charge = (page: Page) => page.getByRole("button", { name: "Charge the card" });

  test("a top-up is refused with the card, and charged once however often it is pressed and its answer lost", async () => {
    const page = await screens.page({ role: "finance", expected: /402|Failed to load resource/ });
    await page.goto(at(screens, "/billing?part=cards"));
    await page.getByRole("button", { name: "Add a card" }).click();
    await page.getByRole("button", { name: /Visa that pays/ }).click();
    await page.getByRole("option", { name: /declined/ }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Add a card" }).click();
    await page.getByText("Visa ending in 0002").waitFor();
    const before = await topUps();
    await openTopUp(page, "50");
    const card = page.getByRole("dialog").getByRole("button", { name: /ending in/ });
    await card.click();
    await page.getByRole("option", { name: /0002/ }).click();
    await charge(page).click();
    await page.getByText("The card was declined; nothing was charged.").waitFor();
    expect(await topUps()).toBe(before);
    await card.click();
    await page.getByRole("option", { name: /4242/ }).click();
    // The server does it, and its answer does not arrive, as often as the page asks by itself.
    let isCut = true;
    await page.route("**/credits/top-up", async (route) => {
      if (!isCut) return route.continue();
      const headers = { ...(await route.request().allHeaders()), "sec-fetch-site": "same-origin" };
      await route.fetch({ headers });
      await route.abort("connectionreset");
    });
    await charge(page).dblclick();
    await page.getByText("The server cannot be reached").waitFor();
    await page.reload();
    isCut = false;
    await page.getByRole("button", { name: "Top up" }).click();
    await page.getByText("An earlier top-up from this form has had no answer").waitFor();
    expect(await page.getByLabel("Amount").inputValue()).toBe("50");
    await charge(page).click();
    await page.getByText("The balance was topped up.").waitFor();
    expect(await topUps()).toBe(before + 1);
    await page.context().close();
  });

  test("a bank that answers late is waited for, and the balance follows", async () => {
    const card = { card: "pm_card_lost_answer", is_default: true };
    must(await screens.account.post("/credits/payment-methods", card), 201);
    const before = await topUps();
    const page = await screens.page({ role: "finance" });
    await page.goto(at(screens, "/billing"));
    await openTopUp(page, "40");
    await charge(page).click();
    await page.getByText("The bank has not answered yet").waitFor();
    await page.getByText("The balance was topped up.").waitFor();
    expect(await topUps()).toBe(before + 1);
    await page.context().close();
  });

  test("a card is charged by itself as was chosen, and an amount below the threshold is named", async () => {
    const page = await screens.page({ role: "finance", expected: /422/ });
    await page.goto(at(screens, "/billing?part=cards"));
    await page.getByText("Charge a card when the balance is low").click();
    await page.getByLabel("When the balance falls below").fill("80");
    await page.getByLabel("Charge", { exact: true }).fill("60");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("must be at least the threshold").waitFor();
    await page.getByLabel("Charge", { exact: true }).fill("150");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();
    await page.reload();
    await page.getByLabel("When the balance falls below").waitFor();
    expect(await page.getByLabel("Charge", { exact: true }).inputValue()).toBe("150");
    const { data } = must(
      await screens.account.get<DataOf<{ auto_recharge: object }>>("/credits/balance"),
      200,
    );
    expect(data.auto_recharge).toMatchObject({ threshold: 80, amount: 150, status: "active" });
    await page.context().close();
  });

  test("a statement that is being made is waited for, and becomes a PDF", async () => {
    const { account, world } = screens;
    const id = newId("stm");
    const month_ago = new Date(Date.now() - 32 * 86_400_000);
    const number = month_ago.toISOString().slice(0, 7);
    // A month whose files are not due yet: the worker makes them when the test lets it.
    await sql`
      INSERT INTO statements (account_id, id, number, time_zone, ends_at, currency, status, after_sequence,
        through_sequence, opening_cents, closing_cents, created_at, due_at)
      VALUES (${account.account_id}, ${id}, ${number}, 'America/Toronto', ${month_ago}, 'CAD', 'generating', 0, 0,
        0, 0, now(), now() + interval '1 day')`.execute(world.db);
    const page = await screens.page({ role: "finance", expected: /409/ });
    await page.goto(at(screens, "/billing?part=statements"));
    const row = page.getByRole("row", { name: new RegExp(number) });
    await row.getByText("Being made").waitFor();
    const refused = page.waitForResponse((each) => each.status() === 409);
    await row.getByRole("button", { name: `PDF of ${number}` }).click();
    await refused;
    await sql`
      UPDATE statements SET due_at = now()
      WHERE account_id = ${account.account_id} AND id = ${id}`.execute(world.db);
    const link = row.getByRole("link", { name: `Open PDF of ${number}` });
    await link.waitFor();
    const path = String(await link.getAttribute("href"));
    const pdf = Buffer.from(await (await fetch(world.url + path)).arrayBuffer());
    expect(pdf.subarray(0, 5).toString()).toBe("%PDF-");
    await page.context().close();
  });

  test("the entries of a month add up to its statement", async () => {
    const page = await screens.page({ role: "finance" });
    await page.goto(at(screens, "/billing?part=statements"));
    const open = page.getByText("Open", { exact: true });
    await page.getByRole("row").filter({ has: open }).click();
    const dialog = page.getByRole("dialog");
    const amountOf = async (name: string) =>
      cents(await dialog.getByText(name, { exact: true }).locator("+ dd").innerText());
    const change = (await amountOf("Balance so far")) - (await amountOf("Opening balance"));
    await dialog.getByRole("button", { name: /^Show its/ }).click();
    await page
      .getByRole("row", { name: /Top-up/ })
      .first()
      .waitFor();
    expect(new URL(page.url()).search).toMatch(/from=\d{4}-\d\d-01&to=/);
    const amounts = await page.locator("tbody tr td:nth-child(6)").allInnerTexts();
    expect(amounts.map(cents).reduce((sum, each) => sum + each, 0)).toBe(change);
    await page.context().close();
  });

  const header = "Handle,Title,Vendor,Variant SKU,Variant Grams,Variant Price,COO";
  const tees = Array.from(
    { length: 30 },
    (_, index) => `tee-${index},"Men's cotton T-shirt, knitted",Maple Knits,TEE-${index},180,20,CA`,
  );

  test("an imported file of 30 products is approved in 30 presses of a key", async () => {
    const page = await screens.page({ role: "owner" });
    await page.goto(at(screens, "/products"));
    await page.getByRole("button", { name: "Import" }).first().click();
    await page.locator("input[type=file]").setInputFiles({
      name: "products.csv",
      mimeType: "text/csv",
      buffer: Buffer.from([header, ...tees, "bad,,,BAD-1,,,"].join("\n")),
    });
    await page.getByRole("button", { name: "Start the import" }).click();
    await page.getByText(/30 added, 0 updated/).waitFor();
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByRole("region", { name: /T-shirt/ }).waitFor();
    for (let count = 0; count < 30; count++) await page.keyboard.press("a");
    await page.getByText("Nothing waits for approval").waitFor();
    const { body } = await screens.account.get<{ data: { status: string }[] }>(
      "/products?per_page=100",
    );
    expect(body.data.map(({ status }) => status)).toEqual(Array(30).fill("Approved"));
    await page.context().close();
  });

  test("an approval of several stops at the first that is refused, and says which", async () => {
    const make = (sku: string) =>
      screens.account.post("/imports/products", {
        format: "json",
        products: [
          { sku, title: "Ceramic coffee mug", manufacturer: "Maple Clay", country_of_origin: "CA" },
        ],
      });
    for (const sku of ["MUG-1", "MUG-2", "MUG-3"]) must(await make(sku), 202);
    const waiting = async () => {
      const path = "/products?status=Pending%20Approval,Classified,Manufacturer%20Verified";
      return (await screens.account.get<{ data: object[] }>(path)).body.data.length;
    };
    await expect.poll(waiting).toBe(3);
    const page = await screens.page({ role: "owner", expected: /409/ });
    await page.goto(at(screens, "/products"));
    for (const sku of ["MUG-1", "MUG-2", "MUG-3"])
      await page.getByRole("checkbox", { name: `Select ${sku}` }).waitFor();
    // Meanwhile the manufacturer of one fails its verification.
    must(
      await screens.account.post("/products/verify-manufacturer", {
        sku: "MUG-2",
        country_of_origin: "Nowhere",
      }),
      200,
    );
    await page.getByText("Select all").click();
    await page.getByRole("button", { name: "Approve 3 selected" }).click();
    await page.getByText(/Stopped at MUG-2/).waitFor();
    await page.context().close();
  });

  test("a filter is counted while it is built, says what is wrong at its condition, and is kept", async () => {
    const page = await screens.page({ role: "owner", expected: /422/ });
    await page.goto(at(screens, "/filters"));
    await page.getByRole("button", { name: "New filter" }).first().click();
    await page.getByLabel("Name").fill("Shirts");
    await page.getByText(/match now/).waitFor();
    await page.getByRole("button", { name: /Field/ }).click();
    await page.getByRole("option", { name: "Item customs code" }).click();
    const value = page.getByLabel("Value", { exact: true });
    await value.fill("shirt");
    await page.getByRole("button", { name: "Save the filter" }).click();
    await page.getByText(/digits/).waitFor();
    expect(await page.evaluate("document.activeElement.name")).toBe("criteria.conditions.0.value");
    await value.fill("6109");
    await page.getByRole("button", { name: "Save the filter" }).click();
    await page.getByText("The filter was saved.").waitFor();
    await page.getByRole("row", { name: /Shirts/ }).waitFor();
    await page.context().close();
  });
});

/** "$1,000.00" or "−$3.50" as cents. */
function cents(text: string): number {
  const amount = Math.round(Number(text.replaceAll(/[^\d.]/g, "")) * 100);
  return /^[-−]/.test(text.trim()) ? -amount : amount;
}
