import { randomBytes, scryptSync } from "node:crypto";
import type { Context, Platform } from "../../context.ts";
import { accountOf } from "../../database/account-of.ts";
import { inTransaction } from "../../database/connect.ts";
import { bySystem, type Principal } from "../../domain/accounts/principal.ts";
import type { Address } from "../../domain/addresses/address.ts";
import { newId } from "../../domain/values/ids.ts";
import { hashToken, newToken } from "../../http/tokens.ts";
import { setDefaultSender } from "../../shipping/addresses/default-sender.ts";
import { openOrganization } from "./create-organization.ts";
import * as store from "./store.ts";

/** The contents of `demo.json`, besides the addresses (decision 24). */
export interface Demo {
  email: string;
  password: string;
  sandbox_token: string;
  live_token: string;
  operator_token: string;
  sandbox_account_id: string;
  live_account_id: string;
}

/**
 * On an empty database: an organization with a person who can sign in and an operator's token; `keep` runs
 * before the commit. Null where an organization exists already, or another process is first.
 */
export async function createDemoOrganization(
  platform: Platform,
  input: { name: string; owner_email: string; default_from_address: Address },
  keep: (demo: Demo) => void,
): Promise<Demo | null> {
  return inTransaction(platform.db, async (tx) => {
    await store.lockOrganizations(tx);
    if (!(await store.isEmptyDatabase(tx))) return null;
    const organization = await openOrganization(platform, tx, { ...input, by: bySystem("seed") });
    const [live, sandbox] = organization.accounts;
    for (const account of organization.accounts) {
      const address = input.default_from_address;
      await setDefaultSender(tx, account.id, { address, now: platform.clock.now() });
    }
    const demo: Demo = {
      email: input.owner_email,
      password: randomBytes(9).toString("base64url"),
      sandbox_token: sandbox.token,
      live_token: live.token,
      operator_token: newToken("op"),
      sandbox_account_id: sandbox.id,
      live_account_id: live.id,
    };
    await store.insertUser(tx, {
      id: newId("usr"),
      organization_id: organization.id,
      email: demo.email,
      password_hash: hashPassword(demo.password),
    });
    await store.insertOperatorToken(tx, {
      token_hash: hashToken(demo.operator_token),
      name: "demo operator",
    });
    keep(demo);
    return demo;
  });
}

function hashPassword(password: string): string {
  const salt = randomBytes(16);
  return `scrypt:${salt.toString("hex")}:${scryptSync(password, salt, 32).toString("hex")}`;
}

/** A context that acts for an account without a request: for the seed and the shell. */
export async function accountContext(
  platform: Platform,
  accountId: string,
  principal: Principal,
): Promise<Context> {
  const account = await store.getAccount(platform.db, accountId);
  return {
    ...platform,
    outbound: { ...platform.outbound, clock: platform.clock },
    account: accountOf(account),
    principal,
    request_id: null,
    operation: "",
    token: { id: "operator", scopes: [] },
    claim: null,
    base_url: "",
  };
}
