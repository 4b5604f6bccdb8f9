import { randomBytes } from "node:crypto";
import type { Context, Platform } from "../../context.ts";
import { accountOf } from "../../database/account-of.ts";
import { inTransaction } from "../../database/connect.ts";
import type { Tx } from "../../database/tables.ts";
import { hashPassword } from "../../domain/accounts/password-hash.ts";
import { bySystem, type Principal } from "../../domain/accounts/principal.ts";
import { roles, type Role } from "../../domain/accounts/roles.ts";
import type { Address } from "../../domain/addresses/address.ts";
import { newId } from "../../domain/values/ids.ts";
import { hashToken, newToken } from "../../http/tokens.ts";
import { insertMember, insertOperator, insertUser } from "../auth/service.ts";
import { setDefaultSender } from "../../shipping/addresses/default-sender.ts";
import { openOrganization } from "./create-organization.ts";
import * as store from "./store.ts";

/** The contents of `demo.json`, in addition to the addresses (decision 24). */
export interface Demo {
  email: string;
  password: string;
  sandbox_token: string;
  live_token: string;
  operator_token: string;
  sandbox_account_id: string;
  live_account_id: string;
  /** Signs in on the operator's pages, by the same password. */
  operator_email: string;
  /** One for each role; the first is the owner. */
  users: { email: string; password: string; role: Role }[];
}

/**
 * On an empty database: an organization with a person for each role and an operator; `keep` runs before the
 * commit. Null where an organization exists already, or another process is first.
 */
export async function createDemoOrganization(
  platform: Platform,
  input: { name: string; owner_email: string; default_from_address: Address },
  keep: (demo: Demo) => void,
): Promise<Demo | null> {
  const password = randomBytes(9).toString("base64url");
  const password_hash = await hashPassword(password);
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
      password,
      sandbox_token: sandbox.token,
      live_token: live.token,
      operator_token: newToken("op"),
      sandbox_account_id: sandbox.id,
      live_account_id: live.id,
      operator_email: sharingDomain(input.owner_email, "operator"),
      users: roles.map((role) => ({ email: emailOfRole(input.owner_email, role), password, role })),
    };
    await insertPeople(tx, { demo, organization_id: organization.id, password_hash });
    await store.insertOperatorToken(tx, {
      token_hash: hashToken(demo.operator_token),
      name: "demo operator",
    });
    keep(demo);
    return demo;
  });
}

/** The owner has the address that `demo.json` names, the others their role's at the same domain. */
function emailOfRole(owner_email: string, role: Role): string {
  return role === "owner" ? owner_email : sharingDomain(owner_email, role);
}

function sharingDomain(email: string, name: string): string {
  return name + email.slice(email.lastIndexOf("@"));
}

async function insertPeople(
  tx: Tx,
  people: { demo: Demo; organization_id: string; password_hash: string },
): Promise<void> {
  const { demo, organization_id, password_hash } = people;
  for (const { email, role } of demo.users) {
    const user_id = newId("usr");
    const name = `Demo ${role}`;
    await insertUser(tx, { id: user_id, email, name, password_hash });
    await insertMember(tx, { organization_id, user_id, role });
  }
  const name = "Demo operator";
  await insertOperator(tx, { id: newId("opr"), email: demo.operator_email, name, password_hash });
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
