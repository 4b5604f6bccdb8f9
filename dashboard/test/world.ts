import { existsSync } from "node:fs";
import { chromium, type Browser, type Page } from "playwright-core";
import { expect } from "vitest";
import { aMember, anOperator, password } from "../../server/test/people.ts";
import {
  anAccount,
  aPlatform,
  must,
  type TestAccount,
  type World,
} from "../../server/test/world.ts";
import type { Role } from "../../server/src/domain/accounts/roles.ts";

import kitEn from "../src/kit/words.en.ts";
import kitFr from "../src/kit/words.fr.ts";
import deskEn from "../src/screens/desk/words.en.ts";
import deskFr from "../src/screens/desk/words.fr.ts";

/** A platform with one organization and a browser: one of each for a test file, and a page for a test. */

/** A name by which only this browser knows the server, as another machine of a local network would. */
const lanName = "waybill.lan";

const executablePath = "/usr/bin/chromium";
const args = [
  `--host-resolver-rules=MAP ${lanName} 127.0.0.1`,
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Without it the files that need it are skipped, and counted as such. */
export const hasChromium = existsSync(executablePath);

/** Where test parcels come from; the account's default sender. */
const sender = {
  name: "Maple Goods",
  address1: "100 King Street West",
  city: "Toronto",
  province_code: "ON",
  postal_code: "M5X 1A9",
  country_code: "CA",
  phone: "416-555-0134",
};

export interface Screens {
  world: World;
  account: TestAccount;
  /** A person of the organization, with the password of `server/test/people.ts`. */
  member(role: Role): Promise<{ email: string }>;
  /** A page of its own, signed in with the role, in the sandbox. */
  page(options?: PageOptions): Promise<Page>;
  close(): Promise<void>;
}

export interface PageOptions {
  /** Of whom is signed in; `operator` is of no organization. */
  role?: Role | "operator" | "nobody";
  /** A certain person, instead of a new one of the role. */
  as?: { email: string };
  locale?: "en" | "fr";
  theme?: "light" | "dark";
  width?: number;
  /** Console errors that the test provokes: an answer that is refused, or cut off. */
  expected?: RegExp;
}

/**
 * On a platform in this process, or on one that the test can end and start again. Pages reach it at 127.0.0.1, or
 * as other machines of a local network do: without TLS, where browsers lack what needs a secure context. There a
 * test signs in by the form.
 */
export async function startScreens(
  start: () => Promise<World> = () => aPlatform(),
  reach: "loopback" | "lan" = "loopback",
): Promise<Screens> {
  const world = await start();
  const account = await anAccount(world);
  must(await account.put("/account", { default_from_address: sender }), 200);
  interface Own {
    data: { organization: { id: string } };
  }
  const own = must(await account.get<Own>("/account"), 200);
  const { id: organization_id } = own.data.organization;
  const browser = await chromium.launch({ executablePath, args });
  const complaints: string[] = [];
  const url = reach === "lan" ? world.url.replace("127.0.0.1", lanName) : world.url;
  const member = (role: Role) => aMember(world, { id: organization_id }, role);
  return {
    world: { ...world, url },
    account,
    member,
    async page(options = {}) {
      const page = await openPage(browser, url, options, complaints);
      const { role = "owner" } = options;
      if (role === "nobody") return page;
      const { email } =
        options.as ?? (await (role === "operator" ? anOperator(world) : member(role)));
      const path = role === "operator" ? "/api/auth/operator/sign-in" : "/api/auth/sign-in";
      const answer = await page.request.post(world.url + path, {
        data: { email, password },
        headers: { "sec-fetch-site": "same-origin" },
      });
      expect(answer.status()).toBe(200);
      return page;
    },
    async close() {
      await browser.close();
      await world.close();
      expect(complaints, "what pages complained of").toEqual([]);
    },
  };
}

/** A page whose console errors, refused content and requests to other origins are noted. */
async function openPage(browser: Browser, url: string, options: PageOptions, complaints: string[]) {
  const { locale = "en", theme = "light", width = 1280, expected } = options;
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    locale: locale === "fr" ? "fr-CA" : "en-CA",
  });
  // A frame that prints a file may be gone before its own turn, and has no storage then.
  await context.addInitScript(
    `if (window === top) { localStorage.setItem("waybill.theme", "${theme}"); localStorage.setItem("waybill.locale", "${locale}"); }`,
  );
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  page.on("console", (message) => {
    if (message.type() === "error" && !expected?.test(message.text()))
      complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error.stack)));
  page.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    if (origin !== url && protocol.startsWith("http"))
      complaints.push(`to another origin: ${request.url()}`);
  });
  return page;
}

/** The address of a screen of the sandbox. */
export const at = ({ world }: Screens, path: string) => `${world.url}/app/sandbox${path}`;

/** Types a recipient and a weight on the desk, as a person does, and waits for prices. */
export async function fillDesk(
  page: Page,
  {
    street = "275 Rue Notre-Dame Est",
    locale = "en",
  }: { street?: string; locale?: "en" | "fr" } = {},
): Promise<void> {
  const { address } = { en: kitEn, fr: kitFr }[locale];
  const desk = { en: deskEn, fr: deskFr }[locale];
  const fill = (label: string, text: string) =>
    page.getByLabel(label, { exact: true }).first().fill(text);
  await fill(address.name, "Amélie Tremblay");
  await fill(address.address1, street);
  await fill(address.city, "Montréal");
  await fill(address.province_code, "QC");
  await fill(address.postal_code, "H2Y 1C6");
  await fill(desk.weight, "2");
  await page.keyboard.press("Tab");
  await page.getByRole("button", { name: new RegExp(`^${desk.buy("").trim()}`) }).waitFor();
}

/** Steers the simulated carriers by the second line of the address, as `docs/sandbox.md` has it. */
export async function steer(page: Page, how: string): Promise<void> {
  await page.getByLabel("Suite, unit").fill(how);
}
