import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canScan, scanPages } from "../../server/test/acceptance/scan.ts";
import { at, fillDesk, hasChromium, startScreens, steer, type Screens } from "./world.ts";
import { anOrder } from "../../server/test/orders.ts";
import { aSteeredShipment } from "../../server/test/shipments.ts";
import { password } from "../../server/test/people.ts";

describe.skipIf(!hasChromium)("in Chromium", () => {
  let screens: Screens;
  beforeAll(async () => {
    screens = await startScreens();
  });
  afterAll(() => screens.close());

  test("a label is bought on the desk with the keyboard, and its PDF scans as its tracking code", async () => {
    const page = await screens.page({ role: "shipper" });
    await page.goto(at(screens, "/shipments/new"));
    await fillDesk(page);
    const answer = page.waitForResponse(
      (each) => each.url().endsWith("/labels") && each.status() === 201,
    );
    await page.keyboard.press("Control+Enter");
    await page.getByText("The label is bought").waitFor();
    const { data } = (await (await answer).json()) as {
      data: { label_url: string; tracking_code: string };
    };
    const pdf = Buffer.from(await (await fetch(data.label_url)).arrayBuffer());
    expect(pdf.subarray(0, 5).toString()).toBe("%PDF-");
    if (await canScan())
      expect((await scanPages(pdf)).flat().join(" ")).toContain(data.tracking_code);
    await page.context().close();
  });

  test("two presses at once, a lost answer and a reload end in one label and one debit", async () => {
    const page = await screens.page({ role: "shipper", expected: /Failed to load resource/ });
    const before = await screens.account.balance();
    const count = async () =>
      (await screens.account.get<{ data: unknown[] }>("/shipments?status=purchased&per_page=100"))
        .body.data.length;
    const bought = await count();
    await page.goto(at(screens, "/shipments/new"));
    await fillDesk(page, { street: "1 Rue Saint-Paul" });
    let isCut = true;
    let isDone = false;
    await page.route("**/api/v5/labels", async (route) => {
      if (!isCut) return route.continue();
      // The server does it once, and no answer arrives.
      const headers = { ...(await route.request().allHeaders()), "sec-fetch-site": "same-origin" };
      if (!isDone) await route.fetch({ headers });
      isDone = true;
      await route.abort("connectionreset");
    });
    await page.getByRole("button", { name: /^Buy for/ }).dblclick();
    await page.getByText("No answer came").waitFor();
    await page.reload();
    isCut = false;
    await page.getByText("The label is bought").waitFor();
    expect(await count()).toBe(bought + 1);
    const paid = before.balance - (await screens.account.balance()).balance;
    const { body } = await screens.account.get<{ data: { amount: number }[] }>(
      "/credits/transactions?per_page=1",
    );
    expect(Math.abs(body.data[0]!.amount)).toBeCloseTo(paid, 2);
    await page.context().close();
  });

  test("a purchase that the carrier does not answer is a state, and ends in the one label", async () => {
    const page = await screens.page({ role: "shipper", expected: /409/ });
    await page.goto(at(screens, "/shipments/new"));
    await steer(page, "sim:lost_answer");
    await fillDesk(page, { street: "2 Rue Saint-Paul" });
    await page.getByRole("button", { name: /^Buy for/ }).click();
    await page.getByText("The carrier has not answered yet").waitFor();
    await page.getByText("The label is bought").waitFor();
    await page.context().close();
  });

  interface Drafts {
    data: { id: string; status: string; to_address: { address1: string } }[];
  }
  /** The shipments to the street, the newest first. */
  const shipmentsTo = async (street: string) =>
    (await screens.account.get<Drafts>("/shipments?per_page=100")).body.data.filter(
      ({ to_address }) => to_address.address1 === street,
    );

  test("a more expensive price asks again, buys nothing before, and then the one draft at that price", async () => {
    const page = await screens.page({ role: "shipper", expected: /409/ });
    const street = "3 Rue Saint-Paul";
    await page.goto(at(screens, "/shipments/new"));
    await steer(page, "sim:price_up");
    await fillDesk(page, { street });
    const before = await screens.account.balance();
    const button = page.getByRole("button", { name: /^Buy for/ });
    const quoted = await button.textContent();
    await button.click();
    await page.getByText("The price changed").waitFor();
    expect((await screens.account.balance()).balance).toBe(before.balance);
    const asked = (await button.textContent())!;
    expect(asked).not.toBe(quoted);
    expect(await page.getByText(/It was .* and is now/).textContent()).toContain(
      asked.replace("Buy for ", ""),
    );
    // It is still asked after a reload.
    await page.reload();
    await page.getByRole("button", { name: asked }).click();
    await page.getByText("The label is bought").waitFor();
    const paid = before.balance - (await screens.account.balance()).balance;
    expect(asked).toContain(paid.toFixed(2));
    expect((await shipmentsTo(street)).map(({ status }) => status)).toEqual(["purchased"]);
    await page.context().close();
  });

  test("the draft of a more expensive price is gone once the form is changed, or begun anew", async () => {
    const page = await screens.page({ role: "shipper", expected: /409/ });
    const street = "5 Rue Saint-Paul";
    await page.goto(at(screens, "/shipments/new"));
    const buy = async () => {
      await steer(page, "sim:price_up");
      await fillDesk(page, { street });
      // Prices of what was typed before are not bought.
      await expect.poll(() => page.locator("[aria-busy=true]").count()).toBe(0);
      await page.getByRole("button", { name: /^Buy for/ }).click();
      await page.getByText("The price changed").waitFor();
    };
    await buy();
    expect(await shipmentsTo(street)).toHaveLength(1);
    await page.getByLabel("Weight", { exact: true }).fill("3");
    await page.keyboard.press("Tab");
    await expect.poll(() => shipmentsTo(street)).toEqual([]);
    expect(await page.getByText("The price changed").count()).toBe(0);
    await buy();
    await page.getByRole("button", { name: "Start over" }).click();
    await expect.poll(() => shipmentsTo(street)).toEqual([]);
    await page.context().close();
  });

  test("the draft of a more expensive price keeps its label where another person bought it meanwhile", async () => {
    const page = await screens.page({ role: "shipper", expected: /409/ });
    const street = "9 Rue Saint-Paul";
    await page.goto(at(screens, "/shipments/new"));
    await steer(page, "sim:price_up");
    await fillDesk(page, { street });
    await page.getByRole("button", { name: /^Buy for/ }).click();
    await page.getByText("The price changed").waitFor();
    const [draft] = await shipmentsTo(street);
    const choice = { service: "canada_post.expedited_parcel", expected_total: 500 };
    await screens.account.bought(draft!.id, choice);
    const read = page.waitForResponse((each) => each.url().endsWith(`/shipments/${draft!.id}`));
    await page.getByLabel("Weight", { exact: true }).fill("3");
    await page.keyboard.press("Tab");
    await (await read).finished();
    await expect.poll(() => page.getByText("The price changed").count()).toBe(0);
    await page.getByRole("button", { name: /^Buy for/ }).waitFor();
    expect((await shipmentsTo(street)).map(({ status }) => status)).toEqual(["purchased"]);
    await page.context().close();
  });

  test("a draft whose price rose is bought at what the carrier asks now", async () => {
    const { id } = await screens.account.create(aSteeredShipment("sim:price_up"));
    const page = await screens.page({ role: "shipper", expected: /409/ });
    await page.goto(at(screens, `/shipments/${id}`));
    const button = page.getByRole("button", { name: /^Buy for/ });
    const quoted = (await button.textContent())!;
    const before = await screens.account.balance();
    await button.click();
    await expect.poll(() => button.textContent()).not.toBe(quoted);
    const asked = (await button.textContent())!;
    await button.click();
    await page.getByRole("button", { name: "Print the label" }).waitFor();
    const paid = before.balance - (await screens.account.balance()).balance;
    expect(asked).toContain(paid.toFixed(2));
    await page.context().close();
  });

  test("many services do not lengthen the page beyond its cards", async () => {
    const page = await screens.page({ role: "shipper" });
    await page.goto(at(screens, "/shipments/new"));
    await fillDesk(page, { street: "7 Rue Saint-Paul" });
    expect(await page.getByRole("radio").count()).toBeGreaterThan(10);
    const beyond = await page.evaluate<number>(
      "document.documentElement.scrollHeight - Math.max(innerHeight, document.querySelector('main form').getBoundingClientRect().bottom + scrollY)",
    );
    expect(beyond).toBeLessThan(100);
    await page.context().close();
  });

  test("where goods cross a border without their codes the desk says why no service takes them", async () => {
    const page = await screens.page({ role: "shipper" });
    await page.goto(at(screens, "/shipments/new"));
    await page.getByRole("combobox", { name: "Country" }).first().fill("United States");
    await page.getByRole("option", { name: "United States", exact: true }).click();
    const fill = (label: string, text: string) =>
      page.getByLabel(label, { exact: true }).first().fill(text);
    await fill("Name", "Ada Diaz");
    await fill("Street and number", "1 Beacon Street");
    await fill("City", "Boston");
    await fill("Province", "MA");
    await fill("Postal code", "02108");
    await fill("Weight", "1");
    await fill("What it is", "Cup");
    await page.keyboard.press("Tab");
    await page.getByText("Customs need the name").waitFor();
    await fill("HS code", "691110");
    await page.getByRole("button", { name: /^Buy for/ }).waitFor();
    await page.context().close();
  });

  test("a name that is too long for a label is offered as it fits", async () => {
    const page = await screens.page({ role: "shipper", expected: /422/ });
    await page.goto(at(screens, "/shipments/new"));
    await fillDesk(page, { street: "6 Rue Saint-Paul" });
    const name = "The Société québécoise des amis de la correspondance manuscrite";
    await page.getByLabel("Name", { exact: true }).first().fill(name);
    await page.getByText(/^Name: too long for a label/).waitFor();
    expect(await page.getByText("was cut").count()).toBe(0);
    await page.getByRole("button", { name: "Use it" }).click();
    await expect
      .poll(() => page.getByLabel("Name", { exact: true }).first().inputValue())
      .toBe(name.slice(0, 40).trim());
    await page.getByRole("button", { name: /^Buy for/ }).waitFor();
    await page.context().close();
  });

  test("after the scan of an order's number, four presses of keys buy its label", async () => {
    await screens.account.post("/orders", anOrder({ order_number: "SCAN-2078", packages: [] }));
    const page = await screens.page({ role: "shipper" });
    await page.goto(at(screens, "/shipments/new"));
    await page.getByRole("heading", { name: "Ship something" }).waitFor();
    await page.evaluate(scanOf("SCAN-2078"));
    await page.getByText("For order SCAN-2078").waitFor();
    await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("packages.0.weight");
    for (const key of ["2", "Tab"]) await page.keyboard.press(key);
    await page.getByRole("button", { name: /^Buy for/ }).waitFor();
    await page.keyboard.press("Control+Enter");
    await page.getByText("The label is bought").waitFor();
    await page.context().close();
  });

  test("what is typed on the desk is there after a reload, and while the server is away", async () => {
    const page = await screens.page({ role: "shipper", expected: /Failed to load resource/ });
    await page.goto(at(screens, "/shipments/new"));
    await fillDesk(page, { street: "4 Rue Saint-Paul" });
    await page.route("**/api/v5/rates", (route) => route.abort());
    await page.getByLabel("Weight", { exact: true }).fill("3");
    await page.keyboard.press("Tab");
    await page.getByText("The server cannot be reached").waitFor();
    expect(await page.getByLabel("Street and number").inputValue()).toBe("4 Rue Saint-Paul");
    await page.unroute("**/api/v5/rates");
    await page.reload();
    expect(await page.getByLabel("Street and number").inputValue()).toBe("4 Rue Saint-Paul");
    await page.getByRole("button", { name: /^Buy for/ }).waitFor();
    await page.context().close();
  });

  test("a token made here calls the API until it is revoked here", async () => {
    const page = await screens.page({ role: "owner" });
    await page.goto(at(screens, "/settings/tokens"));
    await page.getByRole("button", { name: "New token" }).first().click();
    await page.getByLabel("Name").fill("Warehouse program");
    await page.getByRole("button", { name: "Create the token" }).click();
    const text = (await page.locator("[data-token]").textContent()) ?? "";
    const call = () =>
      fetch(`${screens.world.url}/sandbox/api/v5/shipments`, {
        headers: { authorization: `Bearer ${text}` },
      });
    expect((await call()).status).toBe(200);
    await page.getByRole("button", { name: "I have kept it" }).click();
    expect(await page.content()).not.toContain(text);
    await page.getByRole("button", { name: "Actions for Warehouse program" }).click();
    await page.getByRole("menuitem", { name: "Revoke" }).click();
    await page.getByRole("button", { name: "Revoke the token" }).click();
    await page.getByText("The token was revoked.").waitFor();
    await expect.poll(async () => (await call()).status).toBe(401);
    await page.context().close();
  });

  test("signing in leads to the screen that was asked for, and to no other site", async () => {
    const page = await screens.page({ expected: /401/ });
    await page.context().clearCookies();
    const { email } = await screens.member("viewer");
    const signIn = async () => {
      await page.getByLabel("Email").fill(email);
      await page.getByLabel("Password").fill(password);
      await page.keyboard.press("Enter");
    };
    await page.goto(at(screens, "/shipments"));
    await signIn();
    await page.getByRole("heading", { name: "Shipments", exact: true }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/app/sandbox/shipments");
    await page.context().clearCookies();
    await page.goto(`${screens.world.url}/app/sign-in?next=https://example.com/`);
    await signIn();
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    expect(new URL(page.url()).origin).toBe(screens.world.url);
    await page.context().close();
  });
});

/** What a scanner does: the keys of the text and Enter, at once. */
function scanOf(text: string): string {
  const keys = JSON.stringify([...text, "Enter"]);
  return `${keys}.forEach((key) => document.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true })))`;
}
