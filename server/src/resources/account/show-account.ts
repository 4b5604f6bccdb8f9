import type { Database, Tx } from "../../database/tables.ts";
import { readSettings } from "../../domain/accounts/account-settings.ts";
import type { OwnAccount } from "./schemas.ts";
import * as store from "./store.ts";

/** The caller's account as `GET /account` shows it. */
export async function showAccount(db: Database | Tx, accountId: string): Promise<OwnAccount> {
  const row = await store.getAccount(db, accountId);
  const settings = readSettings(row.settings);
  const { tier, show_tier_rates_api, products_api_create, disabled_services } = settings;
  return {
    id: row.account_id,
    organization: await store.getOrganization(db, row.organization_id),
    environment: row.environment,
    currency: row.currency,
    time_zone: row.time_zone,
    default_from_address: row.default_from_address,
    preferences: {
      label_format: settings.label_format,
      label_size: settings.label_size,
      package_preset_id: settings.package_preset_id,
      contents_type: settings.contents_type,
      incoterm: settings.incoterm,
      add_ons: settings.add_ons,
      auto_classify: settings.auto_classify,
      auto_approve_confidence: settings.auto_approve_confidence,
      low_balance_threshold: settings.low_balance_threshold,
      auto_recharge: settings.auto_recharge,
    },
    settings: { tier, show_tier_rates_api, products_api_create, disabled_services },
  };
}
