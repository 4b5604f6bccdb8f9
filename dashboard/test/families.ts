import type { Page } from "playwright-core";
import { createMany } from "../../server/test/batches.ts";
import { aShipment, halifax, type ShipmentEntry } from "../../server/test/shipments.ts";
import { at, type PageOptions, type Screens } from "./world.ts";

/** Shipments to people of one family, by which a test finds its own in the list that it shares with others. */
export function families(screens: () => Screens) {
  return {
    family: (name: string, count: number, changes: Partial<ShipmentEntry> = {}) =>
      createMany(
        screens().account,
        Array.from({ length: count }, (_, index) =>
          aShipment({
            to_address: { ...halifax, name: `${name} ${index}` },
            reference: `${name}-${index}`,
            ...changes,
          }),
        ),
      ),
    /** The list of a family, with all its loaded rows chosen. */
    async choose(name: string, count: number, options: PageOptions = {}): Promise<Page> {
      const page = await screens().page({ role: "shipper", ...options });
      // A browser without a window cannot open its print dialog, and may end when it is asked to.
      await page.addInitScript("window.print = () => { top.printed = location.pathname; }");
      await page.goto(at(screens(), `/shipments?q=${name}`));
      await page.getByText(`${name} 0`).or(page.getByText("so far")).first().waitFor();
      await page.locator("thead input[type=checkbox]").check({ force: true });
      await bar(page, count).waitFor();
      return page;
    },
  };
}

/** What can be done to so many chosen shipments. */
export const bar = (page: Page, count: number) =>
  page.getByRole("region", { name: `${count} selected` });

export const press = (page: Page, name: string) =>
  page.getByRole("button", { name, exact: true }).click();
