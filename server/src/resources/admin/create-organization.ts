import type { Context, Platform } from "../../context.ts";
import { inTransaction } from "../../database/connect.ts";
import type { Environment, Tx } from "../../database/tables.ts";
import { originOf, type Origin } from "../../domain/accounts/principal.ts";
import { recordAudit } from "../../events/audit-log.ts";
import { newId } from "../../domain/values/ids.ts";
import { answer, recordResponse, type StoredResponse } from "../../http/idempotency.ts";
import { openBalance } from "../../ledger/ledger.ts";
import { knownScopes } from "../../domain/accounts/scopes.ts";
import { openStatements } from "../billing/service.ts";
import { insertTestCards } from "../credits/service.ts";
import { mintToken, tokenChange } from "../tokens/service.ts";
import { CreatedOrganization } from "./schemas.ts";
import * as store from "./store.ts";

interface NewOrganization {
  name: string;
  owner_email: string;
  /** Of both accounts, and never changed. */
  currency?: string | null;
}

const defaultCurrency = "CAD";

export interface CreatedAccount {
  id: string;
  environment: Environment;
  currency: string;
  token: string;
}

/**
 * An organization with its two accounts, each with an open ledger and one token of all scopes; and with test
 * cards, where no real money moves.
 */
export async function createOrganization(
  ctx: Context,
  input: NewOrganization,
): Promise<StoredResponse> {
  return inTransaction(ctx.db, async (tx) => {
    const data = await openOrganization(ctx, tx, { ...input, by: originOf(ctx) });
    return recordResponse(tx, ctx, {
      answer: answer(201, CreatedOrganization, data),
      subject_id: data.id,
      action: "organization.created",
      details: { account_ids: data.accounts.map(({ id }) => id) },
    });
  });
}

export async function openOrganization(
  platform: Platform,
  tx: Tx,
  { name, owner_email, currency, by }: NewOrganization & { by: Origin },
) {
  const now = platform.clock.now();
  const organization = { id: newId("org", now), name, owner_email, created_at: now };
  await store.insertOrganization(tx, organization);
  const of = { organization_id: organization.id, currency: currency ?? defaultCurrency, by };
  const live = await openAccount(platform, tx, { ...of, environment: "live" });
  const test = await openAccount(platform, tx, { ...of, environment: "test" });
  const accounts: [live: CreatedAccount, test: CreatedAccount] = [live, test];
  return { ...organization, accounts, live_token: live.token, sandbox_token: test.token };
}

async function openAccount(
  platform: Platform,
  tx: Tx,
  {
    organization_id,
    environment,
    currency,
    by,
  }: { organization_id: string; environment: Environment; currency: string; by: Origin },
): Promise<CreatedAccount> {
  const account_id = newId("acc", platform.clock.now());
  const now = platform.clock.now();
  await store.insertAccount(tx, { account_id, organization_id, environment, currency });
  await openBalance(tx, account_id, currency);
  await openStatements(tx, { account_id, currency, since: now });
  // The simulated processor's cards do not exist at a real one.
  if (platform.payments.forAccount(environment).party === "payments") {
    await insertTestCards(tx, account_id);
  }
  const { token, row } = await mintToken(tx, {
    account_id,
    environment,
    name: "First token",
    scopes: [...knownScopes],
    created_by: "operator",
    by,
    expires_at: null,
    now,
  });
  await recordAudit(tx, { ...tokenChange(row, { environment, type: "token.created" }), by });
  return { id: account_id, environment, currency, token };
}
