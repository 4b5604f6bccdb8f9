import type { Tx } from "../../database/tables.ts";
import { type Origin } from "../../domain/accounts/principal.ts";
import { newId } from "../../domain/values/ids.ts";
import { operatorsAccountId, recordAudit } from "../../events/audit-log.ts";
import { hashToken, newToken } from "../../http/tokens.ts";
import { insertLink } from "./factor-store.ts";
import { emailOf } from "./refusals.ts";
import * as store from "./store.ts";

/** Links by which a person chooses a password: once, within an hour. */

const validMs = 3_600_000;

interface LinkOptions {
  /** Where links for people begin. */
  origin: string;
  now: Date;
  /** Who makes it. */
  by: Origin;
}

/** Makes a link, and returns it: what is stored is its hash. */
export async function makeLink(
  tx: Tx,
  person: { kind: store.PersonKind; id: string },
  { origin, now, by }: LinkOptions,
): Promise<string> {
  const token = newToken("lnk");
  const expires_at = new Date(now.getTime() + validMs);
  await insertLink(tx, { token_hash: hashToken(token), person, now, expires_at });
  const action = `${person.kind}.link_made`;
  const account_id = operatorsAccountId;
  await recordAudit(tx, { account_id, by, action, subject_id: person.id, details: {} });
  return `${origin}/app/resets/${token}`;
}

/** A link for the user with this e-mail; null where there is none who may sign in. */
export async function linkForUser(
  tx: Tx,
  email: string,
  options: LinkOptions,
): Promise<string | null> {
  const person = await store.findPersonByEmail(tx, "user", emailOf(email));
  if (!person || person.disabled_at) return null;
  return makeLink(tx, { kind: "user", id: person.id }, options);
}

/** Adds an operator, unless there is one with this e-mail, and returns a link for the password. */
export async function addOperator(tx: Tx, given: string, options: LinkOptions): Promise<string> {
  const email = emailOf(given);
  const known = await store.findPersonByEmail(tx, "operator", email);
  const id = known?.id ?? newId("opr", options.now);
  if (!known) await store.insertOperator(tx, { id, email, name: "", password_hash: null });
  return makeLink(tx, { kind: "operator", id }, options);
}
