import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Role } from "../../server/src/domain/accounts/roles.ts";
import { password } from "../../server/test/people.ts";
import { aPlatform } from "../../server/test/world.ts";
import authEn from "../src/screens/auth/words.en.ts";
import authFr from "../src/screens/auth/words.fr.ts";
import teamEn from "../src/screens/team/words.en.ts";
import { at, fillDesk, hasChromium, startScreens, type Screens } from "./world.ts";

/**
 * On plain http from another machine a page is no secure context: browsers have no `crypto.randomUUID`, no
 * `crypto.subtle` and no `navigator.clipboard` there, and send no `Sec-Fetch-Site`.
 */

describe.skipIf(!hasChromium)("in Chromium, on plain http from another machine", () => {
  let screens: Screens;
  beforeAll(async () => {
    screens = await startScreens(undefined, "lan");
  });
  afterAll(() => screens.close());

  /** A page that was signed in by the form, at the screen. */
  async function signedIn(role: Role, path: string): Promise<Page> {
    const { email } = await screens.member(role);
    const page = await screens.page({ role: "nobody", expected: /401 \(Unauthorized\)/ });
    await page.goto(at(screens, path));
    expect(await page.evaluate("window.isSecureContext")).toBe(false);
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
    return page;
  }

  test("the link of an invitation is at the address of the page", async () => {
    const page = await signedIn("owner", "/settings/team");
    await page.getByRole("button", { name: teamEn.invite, exact: true }).first().click();
    await page.getByLabel(teamEn.email).fill("grace@example.com");
    await page.getByRole("button", { name: teamEn.makeLink }).click();
    const link = (await page.locator("[data-link]").textContent()) ?? "";
    expect(link.startsWith(`${screens.world.url}/app/invitations/`)).toBe(true);
    await page.context().close();
  });

  async function makeToken(page: Page): Promise<string> {
    await page.getByRole("button", { name: "New token" }).first().click();
    await page.getByLabel("Name").fill("Warehouse");
    await page.getByRole("button", { name: "Create the token" }).click();
    return (await page.locator("[data-token]").textContent()) ?? "";
  }

  test("a label is bought on the desk, and its file opens at the address of the page", async () => {
    const page = await signedIn("shipper", "/shipments/new");
    await fillDesk(page);
    await page.getByRole("button", { name: /^Buy for/ }).click();
    await page.getByText("The label is bought").waitFor();
    const link = page.getByRole("link", { name: "Open the file" });
    const address = JSON.stringify(await link.getAttribute("href"));
    const read = `fetch(${address}).then(({ status, headers }) => [status, headers.get("content-type")])`;
    expect(await page.evaluate(read)).toEqual([200, "application/pdf"]);
    await page.context().close();
  });

  test("a file of rows is imported up to its check, and a reload goes on with it", async () => {
    const page = await signedIn("shipper", "/batches/import");
    const rows = [1, 2, 3].map((n) => `Ada ${n},${n} Rue Notre-Dame,Montréal,QC,H2Y 1C6,CA,1`);
    const head = "Name,Address 1,City,Province,Postal code,Country,Weight (kg)";
    const buffer = Buffer.from([head, ...rows].join("\n"));
    const file = { name: "three.csv", mimeType: "text/csv", buffer };
    await page.locator("input[type=file]").setInputFiles(file);
    await page.getByRole("button", { name: "Check 3 rows" }).click();
    await page.getByText("3 rows ready").waitFor();
    await page.reload();
    await page.getByRole("button", { name: "Go on" }).click();
    await page.getByText("3 rows ready").waitFor();
    await page.getByRole("button", { name: "Choose the service" }).click();
    await page.getByText("Left after that").waitFor();
    await page.context().close();
  });

  test("a new token is copied by its button", async () => {
    const page = await signedIn("owner", "/settings/tokens");
    const text = await makeToken(page);
    await page.getByRole("button", { name: "Copy the token" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    await page.getByRole("button", { name: "I have kept it" }).click();
    expect(await pasted(page)).toBe(text);
    await page.context().close();
  });

  test("where the browser refuses to copy, the text is selected and a sentence names the keys", async () => {
    const page = await signedIn("owner", "/settings/tokens");
    await page.evaluate("document.execCommand = () => false");
    const text = await makeToken(page);
    await page.getByRole("button", { name: "Copy the token" }).click();
    await page.getByText("The browser did not copy it. It is selected: press Ctrl+C.").waitFor();
    expect(await page.evaluate("getSelection().toString()")).toBe(text);
    await page.keyboard.press("Control+C");
    await page.getByRole("button", { name: "I have kept it" }).click();
    expect(await pasted(page)).toBe(text);
    await page.context().close();
  });
});

describe.skipIf(!hasChromium)("in Chromium, by http where people sign in by https", () => {
  const WAYBILL_PUBLIC_URL = "https://ship.example.com";
  let screens: Screens;
  beforeAll(async () => {
    screens = await startScreens(() => aPlatform({ WAYBILL_PUBLIC_URL }), "lan");
  });
  afterAll(() => screens.close());

  test.each([
    ["en", authEn],
    ["fr", authFr],
  ] as const)("the sign-in says where to go and what to set, in %s", async (locale, words) => {
    const { email } = await screens.member("viewer");
    const page = await screens.page({ role: "nobody", locale, expected: /40[13] \(/ });
    await page.goto(at(screens, "/"));
    await page.getByLabel(words.email).fill(email);
    await page.getByLabel(words.password).fill(password);
    await page.getByRole("button", { name: words.signIn }).click();
    await page.getByText(words.plainHttp(WAYBILL_PUBLIC_URL)).waitFor();
    await page.context().close();
  });
});

/** What is on the clipboard, by pasting it into a field. */
async function pasted(page: Page): Promise<string> {
  await page.getByRole("button", { name: "New token" }).first().click();
  const field = page.getByLabel("Name");
  await field.focus();
  await page.keyboard.press("Control+V");
  return field.inputValue();
}
