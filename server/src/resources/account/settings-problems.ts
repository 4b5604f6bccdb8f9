import { isDeepStrictEqual } from "node:util";
import type { Database } from "../../database/tables.ts";
import { addProblem, type Problems } from "../../domain/errors/errors.ts";
import { AccountChanges } from "./schemas.ts";
import { showAccount } from "./show-account.ts";

/**
 * Names every field of `settings` that is not as `GET /account` shows it. Ignored, it would be a setting that stays as it
 * was, unnoticed.
 */
export async function addSettingsProblems(
  db: Database,
  problems: Problems,
  { account_id, settings }: { account_id: string; settings: Record<string, unknown> },
): Promise<void> {
  const shown = new Map<string, unknown>(
    Object.entries((await showAccount(db, account_id)).settings),
  );
  for (const [field, value] of Object.entries(settings))
    if (!shown.has(field) || !isDeepStrictEqual(value, shown.get(field)))
      addProblem(problems, `settings.${field}`, reasonFor(field, shown.has(field)));
}

function reasonFor(field: string, isKnown: boolean): string {
  if (!isKnown) return "is not a field of this call.";
  return field in AccountChanges.properties
    ? "is changed beside settings, not in it."
    : "is changed by the operator only.";
}
