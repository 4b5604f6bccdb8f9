import type { Selectable } from "kysely";
import { readSettings, type AccountSettings } from "../domain/accounts/account-settings.ts";
import type { AccountsTable } from "./tables.ts";

type Known = "account_id" | "organization_id" | "environment" | "currency" | "default_from_address";

/** The context of an account, from its row or from a row that was joined to it. */
export function accountOf(
  row: Pick<Selectable<AccountsTable>, Known | "settings">,
): Pick<Selectable<AccountsTable>, Known> & { settings: AccountSettings } {
  const { account_id, organization_id, environment, currency, default_from_address } = row;
  const settings = readSettings(row.settings);
  return { account_id, organization_id, environment, currency, default_from_address, settings };
}
