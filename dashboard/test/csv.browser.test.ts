import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { violations } from "./axe.ts";
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

interface Rate {
  service: string;
  total: number;
  estimated_delivery_days: number | null;
}

/** The amounts of money on the page, by their names. */
async function amounts(page: Page): Promise<Record<string, number>> {
  const lines = await page.locator("dl > div").all();
  const read = lines.map(async (line) => [
    await line.locator("dt").innerText(),
    Number((await line.locator("dd").innerText()).replace(/[^0-9.-]/g, "")),
  ]);
  return Object.fromEntries(await Promise.all(read)) as Record<string, number>;
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

  test("the total is of the labels that have a price, by the service of their own or the one that is chosen", async () => {
    const page = await screens.page({ role: "shipper", expected: /Failed to load resource/ });
    await page.goto(at(screens, "/batches/import"));
    const rows = ["", "canada_post.priority", ""].map(
      (service, index) => `Ada ${index},1 Rue Notre-Dame,Montréal,QC,H2Y 1C6,CA,1,${service}`,
    );
    const head = "Name,Address 1,City,Province,Postal code,Country,Weight (kg),Service";
    const buffer = Buffer.from([head, ...rows].join("\n"));
    const file = { name: "three.csv", mimeType: "text/csv", buffer };
    await page.locator("input[type=file]").setInputFiles(file);
    await page.getByRole("button", { name: "Check 3 rows" }).click();
    await page.getByText("3 rows ready").waitFor();
    const asked: string[] = [];
    await page.route("**/rates/shp_*", async (route) => {
      asked.push(route.request().url());
      if (asked.length > 1) return route.continue();
      await route.fulfill({ status: 500, json: { error: { code: "internal", message: "No." } } });
    });
    await page.getByRole("button", { name: "Choose the service" }).click();
    await page.getByText("1 label is not priced yet.").waitFor();
    await page.getByText("Total of 2 with tax").waitFor();
    await page.getByText("1 by its own service").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: "Ask for its price" }).click();
    await page.getByText("Left after that").waitFor();
    expect(asked).toHaveLength(4);
    const totalOf = async (strategy: string) => {
      await page.getByLabel(strategy, { exact: true }).click({ force: true });
      return (await amounts(page))["Total with tax"]!;
    };
    const { data } = (await (await page.request.get(asked[1]!)).json()) as { data: Rate[] };
    const { data: own } = (await (await page.request.get(asked[2]!)).json()) as { data: Rate[] };
    const named = [...data, ...own].find(({ service }) => service === "canada_post.priority")!;
    const cheapest = data[0]!.total;
    const quickest = Math.min(...data.map((rate) => rate.estimated_delivery_days ?? Infinity));
    const fastest = data.find((rate) => rate.estimated_delivery_days === quickest)!.total;
    expect(await totalOf("The cheapest")).toBeCloseTo(2 * cheapest + named.total, 2);
    expect(await totalOf("The fastest")).toBeCloseTo(2 * fastest + named.total, 2);
    await page.context().close();
  });

  async function finish(page: Page): Promise<void> {
    page.setDefaultTimeout(20_000);
    await page.goto(at(screens, "/batches/import"));
    await page.getByText("orders.csv was not finished").waitFor();
    await page.getByRole("button", { name: "Go on" }).click();
    await page.getByText("27 rows ready").waitFor();
    await page.getByText("3 rows to mend").first().waitFor();
    await page.getByRole("button", { name: "Choose the service" }).click();
    await page.getByText("Left after that").waitFor();
    const shown = await amounts(page);
    const left = shown["Available balance"]! - shown["Total with tax"]!;
    expect(shown["Left after that"]).toBeCloseTo(left, 2);
    await page.getByRole("button", { name: "Buy 27 labels" }).click();
    await page.getByRole("heading", { name: "Labels of orders.csv" }).waitFor();
    const link = page.getByRole("link", { name: "Open the file" });
    await link.waitFor({ timeout: 60_000 });
    const { body } = await screens.account.get<{ data: { status: string }[] }>(
      "/shipments?per_page=100",
    );
    expect((await screens.account.balance()).balance).toBe(shown["Left after that"]);
    expect(body.data.map(({ status }) => status)).toEqual(Array(27).fill("purchased"));
    const path = String(await link.getAttribute("href"));
    const pdf = Buffer.from(await (await fetch(screens.world.url + path)).arrayBuffer());
    expect(pdf.subarray(0, 5).toString()).toBe("%PDF-");
    expect(pdf.toString("latin1").match(/\/Type\s*\/Page\b/g) ?? []).toHaveLength(27);
  }
});
