import type { Page } from "playwright-core";
import { aLabelled } from "../../server/test/pickups.ts";
import { rule, when } from "../../server/test/rules.ts";
import { must } from "../../server/test/world.ts";
import type { Screens } from "./world.ts";

/** Dialogs that are opened by buttons of the same name pattern in both languages, for tests of how they look. */

type Open = (page: Page) => Promise<void>;

const press =
  (name: RegExp): Open =>
  (page) =>
    page.getByRole("button", { name }).first().click();
const choose =
  (button: RegExp, item: RegExp): Open =>
  async (page) => {
    await press(button)(page);
    await page.getByRole("menuitem", { name: item }).click();
  };

/** Saves a rule that another person has saved since it was opened. */
async function saveOver(page: Page): Promise<void> {
  const asked = /\/rules\/rul_[^/]+$/;
  await page.route(asked, async (route) => {
    const response = await route.fetch();
    const { data } = (await response.json()) as { data: { name: string } };
    const theirs = { ...data, name: `${data.name}, theirs`, updated_at: new Date().toISOString() };
    await route.fulfill({ response, json: { data: theirs } });
  });
  await page.getByLabel(/^(Name|Nom)$/).fill("Mine");
  await press(/^(Save the rule|Enregistrer la règle)$/)(page);
  await page.getByRole("dialog").waitFor();
  await page.unroute(asked);
}

/** Gives the chosen shipments a tag that is too long for any of them, and waits until it says so. */
async function refuseTags(page: Page): Promise<void> {
  await press(/^(Add tags|Mots-clés)$/)(page);
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox").fill("long ".repeat(20));
  await dialog.locator("button[type=submit]").click();
  await dialog.getByRole("link").first().waitFor();
}

/** Prints a file of which the server says that it lacks all labels. */
async function printNothing(page: Page): Promise<void> {
  const asked = "**/documents/combine";
  await page.route(asked, async (route) => {
    const { shipment_ids } = route.request().postDataJSON() as { shipment_ids: string[] };
    const missing = shipment_ids.map((shipment_id) => ({ shipment_id, reason: "unreadable" }));
    const data = { url: new URL("/files/none.zpl", page.url()).href, missing };
    await route.fulfill({ status: 201, json: { data } });
  });
  await press(/^(Print|Imprimer)$/)(page);
  await page.getByRole("dialog").waitFor();
  await page.unroute(asked);
}

/** By their screen. Each is opened in either language. */
export const dialogs = {
  labelled: { lacking: { open: printNothing } },
  drafts: {
    tag: { open: press(/^(Add tags|Mots-clés)$/) },
    refused: { open: refuseTags },
    batch: { open: press(/^(Add to a batch|Ajouter à un lot)$/) },
  },
  topUp: { topUp: { open: press(/^(Top up|Recharger)$/) } },
  cards: { add: { open: press(/^(Add a card|Ajouter une carte)$/) } },
  products: {
    import: { open: press(/^(Import|Importer)$/) },
    reject: { open: press(/^(Reject|Rejeter)$/) },
  },
  statements: { statement: { open: (page: Page) => page.locator("tbody tr").first().click() } },
  rule: {
    delete: { open: press(/^(Delete|Supprimer)$/) },
    conflict: { open: saveOver },
  },
  filters: { new: { open: press(/^(New filter|Nouveau filtre)$/) } },
  pickups: {
    schedule: { open: press(/^(Schedule|Planifier) UPS/) },
    cancel: { open: press(/^(Cancel the pickup|Annuler le ramassage) (on|du)/) },
  },
  tracking: { note: { open: (page: Page) => page.getByText("Address unknown").first().click() } },
  addresses: {
    add: { open: press(/^(Add an address|Ajouter une adresse)/) },
    delete: { open: choose(/^Actions (for|pour) /, /^(Delete|Supprimer)/) },
  },
  connections: {
    add: { open: press(/^(Add an account|Ajouter un compte)$/) },
    edit: { open: choose(/^Actions (for|pour) /, /^(Change|Modifier)$/) },
    rotate: { open: choose(/^Actions (for|pour) /, /^(Replace|Remplacer)/) },
    delete: { open: choose(/^Actions (for|pour) /, /^(Delete|Supprimer)$/) },
  },
  packages: { add: { open: press(/^(Add a package|Ajouter un emballage)/) } },
  team: {
    invite: { open: press(/^(Invite someone|Inviter)/) },
    role: { open: choose(/^Actions (for|pour) /, /^(Change the role|Changer)/) },
    remove: { open: choose(/^Actions (for|pour) /, /^(Take out|Retirer)/) },
  },
  profile: {
    factor: { open: press(/^(Set it up|La configurer)/) },
    leave: { open: press(/^(Leave the|Quitter l)/) },
  },
};

/** Something on each of these screens: parcels that wait, a pickup, an exception, a preset. */
export async function fillSettings({ account, world }: Screens): Promise<void> {
  const [scheduled] = [await aLabelled(account, "purolator"), await aLabelled(account, "ups")];
  await account.post("/pickups", { shipment_ids: [scheduled] });
  const lost = await aLabelled(account, "fedex");
  await world.db
    .updateTable("trackers")
    .set({ status: "exception", status_detail: "Address unknown", look_at: null })
    .where("account_id", "=", account.account_id)
    .where("shipment_id", "=", lost)
    .execute();
  const size = { length: 30, width: 22, height: 12, size_unit: "cm" };
  await account.post("/package-presets", { name: "Small box", ...size });
  const settings = `/accounts/${account.account_id}/settings`;
  must(await world.operator.patch(settings, { own_carrier_accounts: true }), 200);
  const connection = { carrier: "fedex", name: "Ours", secrets: { api_key: "sim_ours_0001" } };
  must(await account.post("/carrier-connections", connection), 201);
}

/** The same of billing, products and rules. Returns the rule's id. */
export async function fillGoods({ account }: Screens): Promise<string> {
  const { id } = await rule(account, { criteria: when("tags", "exists") });
  must(await account.post("/credits/payment-methods", { card: "pm_card_visa" }), 201);
  const auto_recharge = { threshold: 20, amount: 100, payment_method_id: null };
  must(await account.put("/account", { preferences: { auto_recharge } }), 200);
  const product = {
    sku: "MUG",
    title: "Ceramic mug",
    manufacturer: "Clay",
    country_of_origin: "CA",
  };
  must(await account.post("/imports/products", { format: "json", products: [product] }), 202);
  return id;
}
