import type { Page } from "playwright-core";
import { aLabelled } from "../../server/test/pickups.ts";
import type { Screens } from "./world.ts";

/** The dialogs of the screens of pickups, tracking, team and settings, for tests of how they look. */

export const settingScreens = [
  "/pickups",
  "/tracking",
  "/settings/account",
  "/settings/addresses",
  "/settings/addresses?tab=packages",
  "/settings/approval",
  "/settings/profile",
  "/settings/team",
];

export interface DialogEntry {
  path: string;
  /** Opens it, in either language. */
  open: (page: Page) => Promise<void>;
}

const press =
  (name: RegExp): DialogEntry["open"] =>
  (page) =>
    page.getByRole("button", { name }).first().click();
const choose =
  (button: RegExp, item: RegExp): DialogEntry["open"] =>
  async (page) => {
    await press(button)(page);
    await page.getByRole("menuitem", { name: item }).click();
  };

export const settingDialogs: readonly DialogEntry[] = [
  { path: "/pickups", open: press(/^(Schedule|Planifier) UPS/) },
  { path: "/pickups", open: press(/^(Cancel the pickup|Annuler le ramassage) (on|du)/) },
  { path: "/tracking", open: (page) => page.getByText("Address unknown").first().click() },
  { path: "/settings/addresses", open: press(/^(Add an address|Ajouter une adresse)/) },
  {
    path: "/settings/addresses",
    open: choose(/^Actions (for|pour) /, /^(Delete|Supprimer)/),
  },
  {
    path: "/settings/addresses?tab=packages",
    open: press(/^(Add a package|Ajouter un emballage)/),
  },
  { path: "/settings/team", open: press(/^(Invite someone|Inviter)/) },
  {
    path: "/settings/team",
    open: choose(/^Actions (for|pour) /, /^(Change the role|Changer)/),
  },
  { path: "/settings/team", open: choose(/^Actions (for|pour) /, /^(Take out|Retirer)/) },
  { path: "/settings/profile", open: press(/^(Set it up|La configurer)/) },
  { path: "/settings/profile", open: press(/^(Leave the|Quitter l)/) },
];

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
