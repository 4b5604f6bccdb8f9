import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  createBatch,
  createMany,
  processBatch,
  untilProcessed,
} from "../../server/test/batches.ts";
import { order } from "../../server/test/orders.ts";
import { aLostPurchase, aPlatformOfBlindCarriers } from "../../server/test/reviews.ts";
import { aShipment, aSteeredShipment } from "../../server/test/shipments.ts";
import deskFr from "../src/screens/desk/words.fr.ts";
import { violations } from "./axe.ts";
import { fillGoods, fillSettings } from "./dialogs.ts";
import { screens as table, type Screen, type State } from "./screens.ts";
import { at, fillDesk, hasChromium, startScreens, type Screens } from "./world.ts";

const widths = [1280, 390];

describe.skipIf(!hasChromium)("in Chromium", () => {
  let screens: Screens;
  let things: Record<string, string>;
  beforeAll(async () => {
    screens = await startScreens(() => aPlatformOfBlindCarriers());
    things = await aThingOfEach(screens);
    await fillSettings(screens);
    things["rule_id"] = await fillGoods(screens);
  });
  afterAll(() => screens.close());

  const pages = new Map<string, Promise<Page>>();
  const pageOf = (role: Screen["role"], locale: "en" | "fr") => {
    const name = `${role} ${locale}`;
    if (!pages.has(name))
      pages.set(name, screens.page({ role, locale, expected: /Failed to load resource/ }));
    return pages.get(name)!;
  };

  test.each(table.map((screen) => ({ ...screen, name: nameOf(screen) })))(
    "$name is accessible in both languages, both themes and two widths, with all that opens there",
    async (screen) => {
      for (const locale of ["en", "fr"] as const) {
        const page = await pageOf(screen.role, locale);
        // A page behind another one draws no frames.
        await page.bringToFront();
        await page.setViewportSize({ width: widths[0]!, height: 900 });
        await page.emulateMedia({ reducedMotion: "reduce" });
        await page.goto(`${screens.world.url}/app${pathOf(screen, things)}`);
        await page.locator("h1").waitFor();
        await untilDrawn(page);
        await look(page, `${locale}, as it opens`);
        for (const [name, state] of Object.entries(screen.states ?? {}))
          await lookAt(page, { state, locale, name: `${locale}, ${name}` });
      }
    },
  );

  test("a label is bought in French, in the dark theme, on a screen of 390 px", async () => {
    const page = await screens.page({ role: "shipper", locale: "fr", theme: "dark", width: 390 });
    await page.goto(at(screens, "/shipments/new"));
    await fillDesk(page, { street: "12 Rue Saint-Paul", locale: "fr" });
    const overflow = "document.documentElement.scrollWidth - window.innerWidth";
    expect(await page.evaluate(overflow)).toBe(0);
    await page.getByRole("button", { name: buyFr }).click();
    await page.getByText(deskFr.bought).waitFor();
    await page.getByRole("button", { name: deskFr.print }).waitFor();
    expect(await page.evaluate("document.documentElement.dataset.theme")).toBe("dark");
    expect(await page.evaluate("document.documentElement.lang")).toBe("fr");
    expect(await page.evaluate(overflow)).toBe(0);
    await page.context().close();
  });
});

const buyFr = new RegExp(`^${deskFr.buy("").trim()}`);

function nameOf({ route, of, query = "" }: Screen): string {
  if (query) return route + query;
  return of ? `${route} (${Object.values(of).join()})` : route;
}

function pathOf({ route, query = "", of = {} }: Screen, things: Record<string, string>): string {
  const path = route.replaceAll(/\$(\w+)/g, (_, name: string) => {
    const thing = things[of[name] ?? name];
    if (!thing) throw new Error(`There is no ${name} to show ${route} with.`);
    return thing;
  });
  return path + query;
}

interface Looked {
  state: State;
  locale: "en" | "fr";
  name: string;
}

/** Opens something, looks at it, and closes it, if Escape closes it. */
async function lookAt(page: Page, { state, locale, name }: Looked): Promise<void> {
  const { open, isStep, width } = state;
  if (width) await page.setViewportSize({ width, height: 900 });
  await open(page, locale);
  const overlay = page.locator("[role=dialog], [role=alertdialog], [role=listbox]");
  if (isStep) await untilDrawn(page);
  else await overlay.first().waitFor();
  await look(page, name, width ? [width] : widths);
  if (!isStep) {
    await page.keyboard.press("Escape");
    await overlay.first().waitFor({ state: "detached" });
  }
  if (width) await page.setViewportSize({ width: widths[0]!, height: 900 });
}

/** No part of the screen is still on its way: neither its data nor its program. */
async function untilDrawn(page: Page): Promise<void> {
  await page.locator(".animate-pulse, [data-to-come]").first().waitFor({ state: "detached" });
  // What follows from an answer is asked for in the next frame.
  await page.evaluate(
    "new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 50)))",
  );
  await page.locator(".animate-pulse, [data-to-come]").first().waitFor({ state: "detached" });
}

/** Nothing is found, and nothing is wider than the window. */
async function look(page: Page, name: string, all = widths): Promise<void> {
  for (const width of all) {
    await page.setViewportSize({ width, height: 900 });
    await page.locator(".animate-pulse").first().waitFor({ state: "detached" });
    expect(await violations(page), `${name}, ${width} px`).toEqual([]);
    // A page that was just narrowed is laid out once more when what it measures is known.
    const overflow = () =>
      page.evaluate<number>("document.documentElement.scrollWidth - window.innerWidth");
    await expect
      .poll(overflow, { message: `${name}, ${width} px: wider than the window` })
      .toBeLessThanOrEqual(0);
  }
  await page.setViewportSize({ width: all[0]!, height: 900 });
}

/** One thing of each kind that a route names. */
async function aThingOfEach({ account, world }: Screens): Promise<Record<string, string>> {
  // More than a page of the list, so that all that match can be chosen.
  await createMany(
    account,
    Array.from({ length: 50 }, () => aShipment()),
  );
  const bought = await account.create(aShipment());
  await account.bought(bought.id);
  const draft = await account.create(aShipment({ reference: "A draft" }));
  const failing = await account.create(aSteeredShipment("sim:refuse"));
  const other = await account.create(aShipment());
  const batch = await createBatch(account, [failing.id, other.id]);
  await processBatch(account, batch.id);
  await untilProcessed(account, batch.id);
  const { id: order_id } = await order(account);
  const { review } = await aLostPurchase(world);
  return {
    environment: "sandbox",
    shipment_id: bought.id,
    draft_id: draft.id,
    batch_id: batch.id,
    order_id,
    carrier_code: "fedex",
    account_id: account.account_id,
    attempt_id: review.id,
    token: "of-a-link-that-expired",
  };
}
