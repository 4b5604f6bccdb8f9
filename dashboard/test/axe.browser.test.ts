import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rule, when } from "../../server/test/rules.ts";
import { aShipment } from "../../server/test/shipments.ts";
import { must } from "../../server/test/world.ts";
import { at, hasChromium, startScreens, type Screens } from "./world.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

const screensOf = (shipment_id: string) => [
  "",
  "/shipments",
  "/shipments/new",
  `/shipments/${shipment_id}`,
  "/settings/tokens",
  "/billing",
  "/billing?part=statements",
  "/billing?part=cards",
  "/products",
  "/filters",
  "/rules",
  "/rules/new",
];

/** Buttons that open a dialog on their screen, in both languages. */
const dialogs = [
  { path: "/billing", button: /^(Top up|Recharger)$/ },
  { path: "/billing?part=cards", button: /^(Add a card|Ajouter une carte)$/ },
  { path: "/products", button: /^(Import|Importer)$/ },
  { path: "/products", button: /^(Reject|Rejeter)$/ },
  { path: "/filters", button: /^(New filter|Nouveau filtre)$/ },
];

describe.skipIf(!hasChromium)("in Chromium", () => {
  let screens: Screens;
  let shipment_id: string;
  beforeAll(async () => {
    screens = await startScreens();
    const { id } = await screens.account.create(aShipment());
    await screens.account.bought(id);
    shipment_id = id;
    await rule(screens.account, { criteria: when("tags", "exists") });
    const card = { card: "pm_card_visa" };
    must(await screens.account.post("/credits/payment-methods", card), 201);
    const product = {
      sku: "MUG",
      title: "Ceramic mug",
      manufacturer: "Clay",
      country_of_origin: "CA",
    };
    const products = { format: "json", products: [product] };
    must(await screens.account.post("/imports/products", products), 202);
  });
  afterAll(() => screens.close());

  const looks = (["en", "fr"] as const).flatMap((locale) =>
    (["light", "dark"] as const).flatMap((theme) =>
      [1280, 390].map((width) => ({ locale, theme, width })),
    ),
  );

  test.each(looks)("every screen is accessible in $locale, $theme, $width px", async (look) => {
    const page = await screens.page(look);
    for (const path of screensOf(shipment_id)) {
      await page.goto(at(screens, path));
      await page.locator("h1").waitFor();
      await page.waitForLoadState("networkidle");
      expect(await violations(page), path).toEqual([]);
    }
    for (const { path, button } of dialogs) {
      await page.goto(at(screens, path));
      await page.getByRole("button", { name: button }).first().click();
      await page.getByRole("dialog").waitFor();
      await page.waitForLoadState("networkidle");
      expect(await violations(page), `${path} ${button}`).toEqual([]);
    }
    await page.context().close();
  });
});

/** What axe finds, each with its element. Evaluated by the debugger, as the page's policy allows no such script. */
async function violations(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  const expression = `axe.run(document, { runOnly: ${JSON.stringify(tags)} }).then(({ violations }) =>
    JSON.stringify(violations.map(({ id, nodes }) => id + ": " + nodes[0].html.slice(0, 200))))`;
  await session.send("Runtime.evaluate", { expression: axe });
  const { result } = await session.send("Runtime.evaluate", {
    expression,
    awaitPromise: true,
    returnByValue: true,
  });
  return JSON.parse(String(result.value)) as string[];
}
