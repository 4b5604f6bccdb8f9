import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { at, hasChromium, startScreens, type Screens } from "./world.ts";

const header = "Name,Address 1,City,Province,Postal code,Country,Weight (kg),Reference";

/** Thirty rows: one without a weight, one without a city, one with a postal code of nowhere. */
function aFile(): Buffer {
  const rows = Array.from({ length: 30 }, (_, index) => {
    const city = index === 11 ? "" : "Montréal";
    const weight = index === 4 ? "" : "1.2";
    const postal_code = index === 20 ? "99999" : "H2Y 1C6";
    return `Person ${index},${index + 1} Rue Notre-Dame Est,${city},QC,${postal_code},CA,${weight},CSV-${index}`;
  });
  return Buffer.from([header, ...rows].join("\n"));
}

describe.skipIf(!hasChromium)("in Chromium", () => {
  let screens: Screens;
  beforeAll(async () => {
    screens = await startScreens();
  });
  afterAll(() => screens.close());

  test("a file of 30 rows with 3 bad ones, left half-way and gone on with, becomes one PDF of 27 labels", async () => {
    const page = await screens.page({ role: "shipper", expected: /Failed to load resource/ });
    await page.goto(at(screens, "/batches/import"));
    await page.locator("input[type=file]").setInputFiles({
      name: "orders.csv",
      mimeType: "text/csv",
      buffer: aFile(),
    });
    // The server creates them once, and the page is closed before an answer arrives.
    let isDone = false;
    await page.route("**/api/v5/shipments", async (route) => {
      const headers = { ...(await route.request().allHeaders()), "sec-fetch-site": "same-origin" };
      if (!isDone) await route.fetch({ headers });
      isDone = true;
      await route.abort("connectionreset");
    });
    await page.getByRole("button", { name: "Check 30 rows" }).click();
    await expect.poll(() => isDone).toBe(true);
    const next = await page.context().newPage();
    await page.close();
    await finish(next);
    await next.context().close();
  });

  async function finish(page: Page): Promise<void> {
    page.setDefaultTimeout(20_000);
    await page.goto(at(screens, "/batches/import"));
    await page.getByText("orders.csv was not finished").waitFor();
    await page.getByRole("button", { name: "Go on" }).click();
    await page.getByText("27 rows ready").waitFor();
    await page.getByText("3 rows to mend").first().waitFor();
    await page.getByRole("button", { name: "Choose the service" }).click();
    await page.getByRole("button", { name: "Buy 27 labels" }).click();
    await page.getByRole("heading", { name: "Labels of orders.csv" }).waitFor();
    const link = page.getByRole("link", { name: "Open the file" });
    await link.waitFor({ timeout: 60_000 });
    const { body } = await screens.account.get<{ data: { status: string }[] }>(
      "/shipments?per_page=100",
    );
    expect(body.data.map(({ status }) => status)).toEqual(Array(27).fill("purchased"));
    const path = String(await link.getAttribute("href"));
    const pdf = Buffer.from(await (await fetch(screens.world.url + path)).arrayBuffer());
    expect(pdf.subarray(0, 5).toString()).toBe("%PDF-");
    expect(pdf.toString("latin1").match(/\/Type\s*\/Page\b/g) ?? []).toHaveLength(27);
  }
});
