import type { Page } from "playwright-core";
import { aLabelled } from "../../server/test/pickups.ts";
import type { Screens } from "./world.ts";

/** The dialogs of the screens of pickups, tracking, team and settings, for tests of how they look. */

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

/** By their screen. Each is opened in either language. */
export const settingDialogs = {
  pickups: {
    schedule: { open: press(/^(Schedule|Planifier) UPS/) },
    cancel: { open: press(/^(Cancel the pickup|Annuler le ramassage) (on|du)/) },
  },
  tracking: { note: { open: (page: Page) => page.getByText("Address unknown").first().click() } },
  addresses: {
    add: { open: press(/^(Add an address|Ajouter une adresse)/) },
    delete: { open: choose(/^Actions (for|pour) /, /^(Delete|Supprimer)/) },
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
}
