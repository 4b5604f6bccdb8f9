import type { Page } from "playwright-core";
import batchesEn from "../src/screens/batches/words.en.ts";
import batchesFr from "../src/screens/batches/words.fr.ts";
import operatorEn from "../src/screens/operator/words.en.ts";
import operatorFr from "../src/screens/operator/words.fr.ts";
import ordersEn from "../src/screens/orders/words.en.ts";
import ordersFr from "../src/screens/orders/words.fr.ts";
import shellEn from "../src/shell/words.en.ts";
import shellFr from "../src/shell/words.fr.ts";
import shipmentsEn from "../src/screens/shipments/words.en.ts";
import shipmentsFr from "../src/screens/shipments/words.fr.ts";
import tokensEn from "../src/screens/tokens/words.en.ts";
import tokensFr from "../src/screens/tokens/words.fr.ts";
import { dialogs } from "./dialogs.ts";
import { fillDesk, type PageOptions } from "./world.ts";

/**
 * Every screen of the dashboard as the accessibility test opens it: one line for each route of the router, and
 * what can be opened on it. A route without a line fails `routes.test.ts`.
 */

type Locale = "en" | "fr";

export interface State {
  open: (page: Page, locale: Locale) => Promise<unknown>;
  /** It takes the place of what was there, instead of covering it: Escape does not close it. */
  isStep?: boolean;
  /** Only at this width: what other widths have in sight. */
  width?: number;
}

export interface Screen {
  /** As the router has it. A parameter, `$order_id`, stands for the thing of that name. */
  route: string;
  role: NonNullable<PageOptions["role"]>;
  /** What follows the path. */
  query?: string;
  /** Another thing in the place of the route's. */
  of?: Record<string, string>;
  /** What is opened there, one after the other. */
  states?: Record<string, State>;
}

const shell = { en: shellEn, fr: shellFr };
const batches = { en: batchesEn, fr: batchesFr };
const operator = { en: operatorEn, fr: operatorFr };
const orders = { en: ordersEn, fr: ordersFr };
const shipments = { en: shipmentsEn, fr: shipmentsFr };
const tokens = { en: tokensEn, fr: tokensFr };

/** A press on the button with that name. */
function press<Words>(words: Record<Locale, Words>, pick: (words: Words) => string): State {
  return {
    open: (page, locale) =>
      page
        .getByRole("button", { name: pick(words[locale]), exact: true })
        .first()
        .click(),
  };
}

const step = (open: State["open"]): State => ({ open, isStep: true });
const keys = (key: string): State => ({ open: (page) => page.keyboard.press(key) });
const select = (index = 0): State => ({
  open: (page) => page.locator("button[aria-haspopup=listbox]").nth(index).click(),
});
/** An entry of the first row's menu. */
const ofRow = (index: number): State => ({
  async open(page) {
    await page.locator("tbody button[aria-haspopup]").first().click();
    await page.getByRole("menuitem").nth(index).click();
  },
});
const selectAll = step((page) => page.locator("thead input[type=checkbox]").check({ force: true }));

const aFile = Buffer.from(
  `Name,Address 1,City,Province,Postal code,Country,Weight (kg)\n${["", "Montréal"]
    .map((city) => `Ada,1 Rue Notre-Dame,${city},QC,H2Y 1C6,CA,1`)
    .join("\n")}`,
);
const upload = step((page) =>
  page
    .locator("input[type=file]")
    .setInputFiles({ name: "shelf.csv", mimeType: "text/csv", buffer: aFile }),
);
const next = (pick: (words: typeof batchesEn) => string) =>
  step((page, locale) => page.getByRole("button", { name: pick(batches[locale]) }).click());

export const screens: readonly Screen[] = [
  { route: "/sign-in", role: "nobody" },
  {
    route: "/$environment/",
    role: "owner",
    states: {
      palette: keys("Control+k"),
      help: keys("?"),
      drawer: { ...press(shell, (words) => words.openMenu), width: 390 },
    },
  },
  {
    route: "/$environment/shipments",
    role: "owner",
    states: {
      filter: select(),
      bar: selectAll,
      buy: press(shipments, (words) => words.buy),
      void: press(shipments, (words) => words.void),
      ...dialogs.labelled,
      // Labels of two carriers wait: their list comes before the form.
      pickups: step(press(shipments, (words) => words.pickup).open),
    },
  },
  {
    route: "/$environment/shipments",
    query: "?status=draft",
    role: "owner",
    states: { bar: selectAll, ...dialogs.drafts },
  },
  {
    route: "/$environment/shipments/new",
    role: "owner",
    states: {
      filled: step((page, locale) => fillDesk(page, { locale })),
      country: { open: (page) => page.getByRole("combobox").first().press("ArrowDown") },
    },
  },
  {
    route: "/$environment/shipments/$shipment_id",
    role: "owner",
    states: { void: press(shipments, (words) => words.voidOne) },
  },
  {
    route: "/$environment/shipments/$shipment_id",
    role: "owner",
    of: { shipment_id: "draft_id" },
    states: { delete: press(shipments, (words) => words.delete) },
  },
  { route: "/$environment/batches", role: "owner" },
  {
    route: "/$environment/batches/import",
    role: "owner",
    states: {
      columns: upload,
      check: next((words) => words.check(2)),
      service: next((words) => words.next),
    },
  },
  {
    route: "/$environment/batches/$batch_id",
    role: "owner",
    states: { fix: press(batches, (words) => words.fix) },
  },
  { route: "/$environment/orders", role: "owner" },
  {
    route: "/$environment/orders/$order_id",
    role: "owner",
    states: {
      ship: press(orders, (words) => words.ship),
      edit: press(orders, (words) => words.edit),
    },
  },
  {
    route: "/$environment/settings/tokens",
    role: "owner",
    states: { new: press(tokens, (words) => words.create), rotate: ofRow(0), revoke: ofRow(1) },
  },
  { route: "/$environment/billing", role: "owner", states: dialogs.topUp },
  {
    route: "/$environment/billing",
    query: "?part=statements",
    role: "owner",
    states: dialogs.statements,
  },
  {
    route: "/$environment/billing",
    query: "?part=cards",
    role: "owner",
    states: dialogs.cards,
  },
  { route: "/$environment/products", role: "owner", states: dialogs.products },
  { route: "/$environment/filters", role: "owner", states: dialogs.filters },
  { route: "/$environment/rules", role: "owner" },
  { route: "/$environment/rules/new", role: "owner" },
  { route: "/$environment/rules/$rule_id", role: "owner", states: dialogs.rule },
  { route: "/$environment/pickups", role: "owner", states: dialogs.pickups },
  { route: "/$environment/tracking", role: "owner", states: dialogs.tracking },
  { route: "/$environment/settings/account", role: "owner" },
  { route: "/$environment/settings/addresses", role: "owner", states: dialogs.addresses },
  {
    route: "/$environment/settings/addresses",
    query: "?tab=packages",
    role: "owner",
    states: dialogs.packages,
  },
  { route: "/$environment/settings/carriers", role: "owner" },
  {
    route: "/$environment/settings/carriers/$carrier_code",
    role: "owner",
    states: dialogs.connections,
  },
  { route: "/$environment/settings/approval", role: "owner" },
  { route: "/$environment/settings/profile", role: "owner", states: dialogs.profile },
  { route: "/$environment/settings/team", role: "owner", states: dialogs.team },
  { route: "/invitations/$token", role: "nobody" },
  { route: "/device", role: "owner" },
  { route: "/reset", role: "nobody" },
  { route: "/resets/$token", role: "nobody" },
  { route: "/operator/sign-in", role: "nobody" },
  { route: "/operator/", role: "operator" },
  {
    route: "/operator/accounts/$account_id",
    role: "operator",
    states: {
      adjust: press(operator, (words) => words.adjust),
      suspend: press(operator, (words) => words.suspend),
    },
  },
  { route: "/operator/reviews", role: "operator" },
  {
    route: "/operator/reviews/$attempt_id",
    role: "operator",
    states: {
      stands: step((page, locale) =>
        page.getByLabel(operator[locale].choices.stands).check({ force: true }),
      ),
    },
  },
];
