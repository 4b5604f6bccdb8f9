import { isDeepStrictEqual } from "node:util";
import type { Database, Tx } from "../../database/tables.ts";
import { preferenceSchemas, type AccountSettings } from "../../domain/accounts/account-settings.ts";
import { addProblem, type Problems } from "../../domain/errors/errors.ts";
import { isRecord } from "../../domain/shipments/shipment-rules.ts";
import { isValid } from "../../domain/validation/validation.ts";
import { addRechargeProblems } from "../credits/service.ts";
import { hasPreset } from "../package-presets/service.ts";

/**
 * What the schema cannot express of preferences, of those whose shape is right: what they name has to be the account's.
 * What is stored may be written back, although its card or preset is gone. Paths begin with `path`.
 */
export async function addPreferenceProblems(
  db: Database | Tx,
  problems: Problems,
  {
    account_id,
    preferences: { auto_recharge, package_preset_id },
    stored,
    path,
  }: {
    account_id: string;
    preferences: Partial<AccountSettings>;
    stored: AccountSettings;
    path: string;
  },
): Promise<void> {
  if (isRecord(auto_recharge) && !isDeepStrictEqual(auto_recharge, stored.auto_recharge)) {
    const wanted = { account_id, wanted: auto_recharge, path: `${path}auto_recharge` };
    await addRechargeProblems(db, problems, wanted);
  }
  if (!package_preset_id || package_preset_id === stored.package_preset_id) return;
  if (!isValid(preferenceSchemas.package_preset_id, package_preset_id)) return;
  if (!(await hasPreset(db, account_id, package_preset_id)))
    addProblem(problems, `${path}package_preset_id`, "is no package preset of the account.");
}
