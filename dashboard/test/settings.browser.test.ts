import { sql } from "kysely";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { codeAt, stepAt } from "../../server/src/domain/accounts/totp.ts";
import { nextBusinessDay } from "../../server/src/domain/time/business-days.ts";
import { momentOf } from "../../server/src/domain/time/wall-clock.ts";
import { aMember, anOrganization, password } from "../../server/test/people.ts";
import { aLabelled, days } from "../../server/test/pickups.ts";
import { aShipment, ottawa } from "../../server/test/shipments.ts";
import { aPlatform, must } from "../../server/test/world.ts";
import { at, fillDesk, hasChromium, startScreens, type Screens } from "./world.ts";

/** A business day on which carriers take no pickups any more. */
const day = days().next;
const afternoon = momentOf(`${day}T17:30`, "America/Toronto").getTime();
const began = Date.now();
const clock = { now: () => new Date(afternoon + Date.now() - began) };

describe.skipIf(!hasChromium)("in Chromium", () => {
  let screens: Screens;
  beforeAll(async () => {
    screens = await startScreens(() => aPlatform({}, { clock }));
  });
  afterAll(() => screens.close());

  test("past the cutoff a pickup is offered and made for the next business day, at the fee that was shown", async () => {
    const id = await aLabelled(screens.account, "ups");
    const page = await screens.page({ role: "shipper", expected: /422/ });
    const before = await screens.account.balance();
    await page.goto(at(screens, "/pickups"));
    await page.getByText("Too late for today").waitFor();
    await page.getByRole("button", { name: /^Schedule UPS at/ }).click();
    const dialog = page.getByRole("dialog");
    expect(await dialog.getByLabel("Today").count()).toBe(0);
    await dialog.getByLabel("Another day").click({ force: true });
    await dialog.getByLabel("Date").fill(day);
    await dialog.getByLabel("For the driver").fill("Ring twice");
    await dialog.getByRole("button", { name: /^Schedule for/ }).click();
    await dialog.getByText(/takes pickups for the same day until/).waitFor();
    expect(await dialog.getByLabel("For the driver").inputValue()).toBe("Ring twice");
    await dialog.getByLabel("Next business day").click({ force: true });
    const button = dialog.getByRole("button", { name: /^Schedule for/ });
    const shown = Number((await button.textContent())!.replace(/[^0-9.]/g, ""));
    await button.click();
    await page.getByText("The carrier comes.").waitFor();
    await page.getByText("Nothing waits").waitFor();
    const { body } = await screens.account.get<{ data: Made[] }>("/pickups");
    const [made] = body.data;
    expect(made).toMatchObject({ date: nextBusinessDay(day, ottawa), instructions: "Ring twice" });
    expect(made!.shipment_ids).toEqual([id]);
    expect(made!.cost.total).toBe(shown);
    const { balance } = await screens.account.balance();
    expect(before.balance - balance).toBeCloseTo(shown, 2);
    await page.getByRole("button", { name: /^Cancel the pickup on/ }).click();
    await page.getByRole("button", { name: "Cancel the pickup", exact: true }).click();
    await page.getByText("The pickup is cancelled.").waitFor();
    await page.getByRole("button", { name: /^Schedule UPS at/ }).waitFor();
    expect((await screens.account.balance()).balance).toBe(before.balance);
    await page.context().close();
  });
  test("the navigation shows each role exactly the screens that the API opens to it", async () => {
    for (const role of roles) {
      const page = await screens.page({ role });
      await page.goto(at(screens, ""));
      const nav = page.getByRole("navigation", { name: "Main" });
      await nav.getByRole("link", { name: "Overview" }).waitFor();
      const links = await nav.getByRole("link").all();
      const hrefs = await Promise.all(links.map((link) => link.getAttribute("href")));
      const shown = hrefs.map((href) => href!.replace("/app/sandbox", ""));
      const { memberships } = await me(page);
      for (const [path, [method, call]] of Object.entries(calls)) {
        const url = call.replace("{org}", memberships[0]!.organization.id);
        const isOpen = (await ask(page, method, url)) !== 403;
        expect([role, path, shown.includes(path)]).toEqual([role, path, isOpen]);
      }
      await page.context().close();
    }
  });

  test("what a viewer's screens leave out the API refuses", async () => {
    await aLabelled(screens.account, "fedex");
    const page = await screens.page({ role: "viewer" });
    await page.goto(at(screens, "/pickups"));
    await page.getByText("FedEx").first().waitFor();
    expect(await page.getByRole("button", { name: /^Schedule/ }).count()).toBe(0);
    expect(await ask(page, "POST", "/sandbox/api/v5/pickups")).toBe(403);
    await page.goto(at(screens, "/settings/team"));
    await page.getByText("Only an owner of the organization").waitFor();
    await page.context().close();
  });

  test("what a role may not do is not offered, and the roles that may are named in the person's language", async () => {
    const page = await screens.page({ role: "viewer", locale: "fr", expected: /403/ });
    await page.goto(at(screens, "/shipments/new"));
    await fillDesk(page, { locale: "fr" });
    const holders = /Votre rôle ne comprend pas cette action.*Propriétaire/;
    await page.getByText(holders).getByText("Expéditeur").waitFor();
    expect(await page.getByRole("button", { name: /^Acheter à/ }).isDisabled()).toBe(true);
    await page.keyboard.press("Control+Enter");
    await page.goto(at(screens, "/settings/tokens"));
    await page.getByText(holders).getByText("Développeur").waitFor();
    expect(await page.getByRole("button", { name: /jeton/i }).count()).toBe(0);
    expect(await page.getByText("The token holds none").count()).toBe(0);
    await page.context().close();
  });

  test("an invitation's link is shown once and lets its person in; a role is in force within a second", async () => {
    const page = await screens.page({ role: "owner" });
    await page.goto(at(screens, "/settings/team"));
    await page.getByRole("button", { name: "Invite someone" }).click();
    await page.getByLabel("Email").fill("mel@example.com");
    await page.getByRole("dialog").getByText("Viewer", { exact: true }).click();
    await page.getByRole("button", { name: "Make the link" }).click();
    const link = String(await page.locator("[data-link]").textContent());
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByRole("row", { name: /mel@example.com/ }).waitFor();
    expect(await page.content()).not.toContain(link);

    const guest = await screens.page({ expected: /401/ });
    await guest.context().clearCookies();
    await guest.goto(screens.world.url + new URL(link).pathname);
    await guest.getByLabel("Your name").fill("Mel Roy");
    await guest.getByLabel("New password").fill(password);
    await guest.getByRole("button", { name: "Join" }).click();
    await guest.getByRole("heading", { name: "Overview" }).waitFor();
    const write = () => ask(guest, "POST", "/sandbox/api/v5/shipments");
    expect(await write()).toBe(403);

    await page.reload();
    await page.getByRole("button", { name: "Actions for Mel Roy" }).click();
    await page.getByRole("menuitem", { name: "Change the role" }).click();
    await page.getByRole("dialog").getByText("Shipper", { exact: true }).click();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("The role is changed.").waitFor();
    await expect.poll(write, { timeout: 1000, interval: 100 }).toBe(422);
    await guest.context().close();
    await page.context().close();
  });

  test("the last owner cannot leave, and the page says why", async () => {
    const other = await aLoneOwner(screens);
    const page = await screens.page({ role: "owner", as: other, expected: /409/ });
    await page.goto(at(screens, "/settings/profile"));
    await page.getByRole("button", { name: "Leave the organization" }).click();
    await page.getByRole("button", { name: "Leave", exact: true }).click();
    await page.getByText("The organization's last owner cannot leave").waitFor();
    await page.context().close();
  });

  test("a name, a theme and a language are kept with the person", async () => {
    const person = await screens.member("viewer");
    const page = await screens.page({ as: person });
    await page.goto(at(screens, "/settings/profile"));
    await page.getByLabel("Name", { exact: true }).fill("Zoé");
    await page.getByText("Dark", { exact: true }).click();
    await page.getByText("Français", { exact: true }).click();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "Votre profil" }).waitFor();
    const elsewhere = await screens.page({ as: person });
    await elsewhere.goto(at(screens, ""));
    await elsewhere.getByRole("heading", { name: "Aperçu" }).waitFor();
    expect(await elsewhere.evaluate("document.documentElement.dataset.theme")).toBe("dark");
    await elsewhere.context().close();
    await page.context().close();
  });

  test("a second step is set up with its recovery codes, and asked for at the next sign-in", async () => {
    const person = await screens.member("viewer");
    const page = await screens.page({ as: person, expected: /401/ });
    await page.goto(at(screens, "/settings/profile"));
    await page.getByRole("button", { name: "Set it up" }).click();
    const secret = String(await page.locator("[data-secret]").textContent());
    await page
      .getByLabel("Six digits that the app shows")
      .fill(codeAt(secret, stepAt(clock.now())));
    await page.getByRole("button", { name: "Switch it on" }).click();
    await page.getByRole("button", { name: "I have kept them" }).waitFor();
    const codes = await page.getByRole("dialog").getByRole("listitem").allTextContents();
    expect(codes).toHaveLength(10);
    await page.getByRole("button", { name: "I have kept them" }).click();
    await page.getByText("It is on.").waitFor();
    await page.context().clearCookies();
    await page.goto(at(screens, "/settings/profile"));
    await page.getByLabel("Email").fill(person.email);
    await page.getByLabel("Password").fill(password);
    await page.keyboard.press("Enter");
    await page.getByLabel("Code").fill(codes[0]!);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Your profile" }).waitFor();
    await page.context().close();
  });

  test("a program that waits under a code gets a token of the scopes that are chosen", async () => {
    const auth = `${screens.world.url}/api/auth`;
    const begun = (await (
      await fetch(`${auth}/device`, {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: "client_id=waybill+cli",
      })
    ).json()) as { device_code: string; verification_uri_complete: string };
    const page = await screens.page({ role: "owner" });
    const { pathname, search } = new URL(begun.verification_uri_complete);
    await page.goto(screens.world.url + pathname + search);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByText("“waybill cli” asks for access.").waitFor();
    await page.getByText("Read everything").click();
    await page.getByRole("button", { name: "Connect it" }).click();
    await page.getByText("The program is connected.").waitFor();
    const granted = (await (
      await fetch(`${auth}/device/token`, {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: `device_code=${begun.device_code}`,
      })
    ).json()) as { scope: string; environment: string };
    expect(granted.environment).toBe("test");
    expect(granted.scope.split(" ").every((scope) => scope.endsWith(":read"))).toBe(true);
    await page.context().close();
  });
  test("each preference that is set here is that of the next shipment, on the desk and by the API", async () => {
    const page = await screens.page({ role: "owner" });
    const choose = async (label: string, option: string) => {
      await page.getByRole("button", { name: label }).click();
      await page.getByRole("option", { name: option }).click();
    };
    await page.goto(at(screens, "/settings/account"));
    await choose("Label format", "ZPL");
    await choose("Label size", "Letter");
    await choose("Contents", "Gift");
    await choose("Duties are paid by", "The sender");
    await page.getByText("Signature", { exact: true }).click();
    await page.reload();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();
    const shipment = await screens.account.create(aShipment());
    expect(shipment).toMatchObject({
      label_format: "zpl",
      label_size: "letter",
      contents_type: "gift",
      incoterm: "DDP",
      add_ons: ["signature"],
    });
    await page.goto(at(screens, "/shipments/new"));
    const quoted = page.waitForRequest((each) => each.url().endsWith("/rates"));
    await fillDesk(page);
    expect((await quoted).postDataJSON()).toMatchObject({
      label_size: "letter",
      add_ons: ["signature"],
    });
    await page.getByRole("checkbox", { name: "Signature" }).first().waitFor();
    expect(await page.getByRole("checkbox", { name: "Signature" }).first().isChecked()).toBe(true);
    await page.context().close();
  });

  test("the package that is chosen here is the desk's first parcel, and what is cleared there stays empty", async () => {
    const box = { name: "Shoe box", length: 34, width: 22, height: 13, size_unit: "cm" };
    must(await screens.account.post("/package-presets", box), 201);
    const page = await screens.page({ role: "owner" });
    await page.goto(at(screens, "/settings/account"));
    await page.getByRole("button", { name: /Package/ }).click();
    await page.getByRole("option", { name: "Shoe box" }).click();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();
    await page.goto(at(screens, "/shipments/new"));
    const length = page.getByLabel("Length");
    await expect.poll(() => length.inputValue()).toBe("34");
    expect(await page.getByLabel("Height").inputValue()).toBe("13");
    for (const label of ["Length", "Width", "Height"]) await page.getByLabel(label).fill("");
    await page.getByLabel("Weight", { exact: true }).fill("2");
    await page.getByLabel("Weight", { exact: true }).fill("");
    await page.getByLabel("Width").focus();
    expect(await length.inputValue()).toBe("");
    await page.context().close();
  });

  test("an address that becomes the default sender is on the desk at once", async () => {
    const page = await screens.page({ role: "shipper", expected: /422/ });
    await page.goto(at(screens, "/shipments/new"));
    await page.getByText("100 King Street West").first().waitFor();
    await page.getByRole("link", { name: "Address book" }).click();
    await page.getByRole("button", { name: "Add an address" }).click();
    const dialog = page.getByRole("dialog");
    const fill = (label: string, text: string) => dialog.getByLabel(label).first().fill(text);
    await fill("Name in the book", "Dock");
    await fill("Company", "Maple Goods, dock");
    await fill("Street and number", "12 Rue du Port");
    await fill("City", "Montréal");
    await fill("Province", "QC");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog
      .getByText(/postal/i)
      .last()
      .waitFor();
    await fill("Postal code", "H2Y 1C6");
    await dialog.getByText("Sender", { exact: true }).click();
    await dialog.getByText("The default of these").click();
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByText("Sender by default").first().waitFor();
    await page.getByRole("link", { name: "Ship something" }).click();
    await page.getByText("12 Rue du Port").first().waitFor();
    await page.context().close();
  });

  test("the confidence from which codes are approved by themselves is the account's", async () => {
    const page = await screens.page({ role: "owner" });
    await page.goto(at(screens, "/settings/approval"));
    await page.getByText("Approve found codes by themselves").click();
    await page.getByRole("textbox", { name: "Confidence" }).fill("80%");
    await page.keyboard.press("Tab");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();
    const { body } = await screens.account.get<{ data: { preferences: object } }>("/account");
    expect(body.data.preferences).toMatchObject({ auto_approve_confidence: 0.8 });
    await page.context().close();
  });

  test("a number that is still in its field when the settings are saved is saved with them", async () => {
    const page = await screens.page({ role: "owner" });
    must(
      await screens.account.put("/account", { preferences: { auto_approve_confidence: 0.5 } }),
      200,
    );
    await page.goto(at(screens, "/settings/approval"));
    await page.getByRole("textbox", { name: "Confidence" }).fill("70%");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();
    const { body } = await screens.account.get<{ data: { preferences: object } }>("/account");
    expect(body.data.preferences).toMatchObject({ auto_approve_confidence: 0.7 });
    await page.context().close();
  });

  test("who may not change settings sees them without a button that saves", async () => {
    const page = await screens.page({ role: "viewer" });
    for (const path of ["account", "approval"]) {
      await page.goto(at(screens, `/settings/${path}`));
      await page.getByText(/Your role sees these settings/).waitFor();
      expect(await page.getByRole("button", { name: "Save" }).count()).toBe(0);
    }
    expect(await ask(page, "PUT", "/sandbox/api/v5/account")).toBe(403);
    await page.context().close();
  });

  test("what was noted on a parcel is there for its person on another machine, and for no one else", async () => {
    const id = await aLabelled(screens.account, "purolator");
    await screens.world.db
      .updateTable("trackers")
      .set({ status: "exception", status_detail: "Address unknown", look_at: null })
      .where("account_id", "=", screens.account.account_id)
      .where("shipment_id", "=", id)
      .execute();
    const person = await screens.member("shipper");
    const page = await screens.page({ as: person });
    await page.goto(at(screens, "/tracking"));
    await page.getByText("Address unknown").click();
    const dialog = page.getByRole("dialog");
    expect(await dialog.getByRole("link", { name: /^Page of/ }).count()).toBe(0);
    const href = await dialog
      .getByRole("link", { name: "Page for the recipient" })
      .getAttribute("href");
    expect((await fetch(String(href))).status).toBe(200);
    await dialog.getByLabel("My note").fill("Asked Purolator to try again");
    await dialog.getByText("Handled", { exact: true }).click();
    await dialog.getByRole("button", { name: "Save" }).click();
    const elsewhere = await screens.page({ as: person });
    await elsewhere.goto(at(screens, "/tracking"));
    await elsewhere.getByText("Asked Purolator to try again").waitFor();
    await elsewhere.getByText("Hide what I have handled").click();
    await elsewhere.getByText("All that is loaded here is handled.").waitFor();
    const other = await screens.page({ role: "viewer" });
    await other.goto(at(screens, "/tracking"));
    await other.getByText("Address unknown").waitFor();
    expect(await other.getByText("Asked Purolator").count()).toBe(0);
    for (const each of [page, elsewhere, other]) await each.context().close();
  });

  test("parcels that are late, and those without a scan for days, have tabs of their own", async () => {
    const { account_id } = screens.account;
    const change = async (id: string, values: object) => {
      const { db } = screens.world;
      const own = db
        .updateTable("trackers")
        .set({ status: "in_transit", look_at: null, ...values });
      await own.where("account_id", "=", account_id).where("shipment_id", "=", id).execute();
    };
    const [late, quiet] = [
      await aLabelled(screens.account, "purolator"),
      await aLabelled(screens.account, "ups"),
    ];
    const day = { status_detail: "In a truck", estimated_delivery_date: "2026-01-05" };
    // By the platform's clock, which is set to a working day.
    await change(late, { ...day, changed_at: sql`created_at` });
    const changed_at = sql`created_at - interval '4 days'`;
    await change(quiet, { status_detail: "Left the depot", changed_at });
    const page = await screens.page({ role: "viewer" });
    await page.goto(at(screens, "/tracking"));
    await page.getByRole("tab", { name: "Late" }).click();
    await page.getByText("In a truck").waitFor();
    expect(await page.getByText("Left the depot").count()).toBe(0);
    await page.getByRole("tab", { name: "No scan for 3 days" }).click();
    await page.getByText("Left the depot").waitFor();
    expect(await page.getByText("In a truck").count()).toBe(0);
    expect(page.url()).toContain("tab=not_scanned");
    await page.context().close();
  });

  test("while the server is away or answers 503 nothing that was typed is lost, and it is sent once", async () => {
    const page = await screens.page({ role: "shipper", expected: /Failed to load resource/ });
    await page.goto(at(screens, "/shipments/new"));
    await fillDesk(page, { street: "5 Rue Saint-Paul" });
    await page.goto(at(screens, "/settings/addresses"));
    await page.getByRole("button", { name: "Add an address" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name in the book").fill("Cellar");
    await dialog.getByLabel("Company").fill("Maple Goods");
    await dialog.getByLabel("Street and number").fill("7 Rue Haute");
    await page.context().setOffline(true);
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText("The server cannot be reached").waitFor();
    await page.context().setOffline(false);
    await page.reload();
    await page.getByRole("button", { name: "Add an address" }).click();
    expect(await dialog.getByLabel("Street and number").inputValue()).toBe("7 Rue Haute");
    await dialog.getByLabel("City").fill("Québec");
    await dialog.getByLabel("Province").fill("QC");
    await dialog.getByLabel("Postal code").fill("G1R 1A1");
    const keys: string[] = [];
    await page.route("**/api/v5/addresses", async (route) => {
      keys.push(String(await route.request().headerValue("idempotency-key")));
      await route.fulfill({ status: 503, json: unavailable });
    });
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText("The service is not available for a moment").waitFor();
    expect(await dialog.getByLabel("City").inputValue()).toBe("Québec");
    await page.unroute("**/api/v5/addresses");
    const sent = page.waitForRequest(
      (each) => each.method() === "POST" && each.url().endsWith("/addresses"),
    );
    await dialog.getByRole("button", { name: "Save" }).click();
    expect(new Set([...keys, await (await sent).headerValue("idempotency-key")]).size).toBe(1);
    await page.getByRole("row", { name: /Cellar/ }).waitFor();
    expect(await page.getByRole("row", { name: /Cellar/ }).count()).toBe(1);
    await page.goto(at(screens, "/shipments/new"));
    expect(await page.getByLabel("Street and number").inputValue()).toBe("5 Rue Saint-Paul");
    await page.context().close();
  });
});

const unavailable = { error: { code: "unavailable", message: "Later.", details: {} } };

const roles = ["owner", "shipper", "developer", "finance", "viewer"] as const;

/** A call that each screen cannot do without, by the screen's path. */
const calls: Record<string, [method: "GET" | "POST", path: string]> = {
  "/shipments/new": ["POST", "/sandbox/api/v5/labels"],
  "/shipments": ["GET", "/sandbox/api/v5/shipments"],
  "/orders": ["GET", "/sandbox/api/v5/orders"],
  "/batches": ["GET", "/sandbox/api/v5/batches"],
  "/pickups": ["GET", "/sandbox/api/v5/pickups"],
  "/settings/carriers": ["GET", "/sandbox/api/v5/account"],
  "/settings/tokens": ["GET", "/sandbox/api/v5/tokens"],
  "/settings/team": ["GET", "/api/auth/organizations/{org}/members"],
};

/** The status of a call by the page's session. An empty body changes nothing. */
async function ask(page: Page, method: "GET" | "POST" | "PUT", path: string): Promise<number> {
  const { origin } = new URL(page.url());
  const options = { method, headers: { "sec-fetch-site": "same-origin" }, failOnStatusCode: false };
  const answer = await page.request.fetch(origin + path, {
    ...options,
    ...(method === "GET" ? {} : { data: {} }),
  });
  return answer.status();
}

interface Own {
  memberships: { organization: { id: string } }[];
}

async function me(page: Page): Promise<Own> {
  const { origin } = new URL(page.url());
  return ((await (await page.request.get(`${origin}/api/auth/me`)).json()) as { data: Own }).data;
}

/** The only owner of an organization of its own. */
async function aLoneOwner({ world }: Screens): Promise<{ email: string }> {
  return aMember(world, await anOrganization(world), "owner");
}

interface Made {
  date: string;
  instructions: string;
  shipment_ids: string[];
  cost: { total: number };
}
