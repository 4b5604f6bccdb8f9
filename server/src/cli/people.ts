import type { Config } from "../config.ts";
import { inTransaction } from "../database/connect.ts";
import type { Database } from "../database/tables.ts";
import { byShell } from "../domain/accounts/principal.ts";
import { hostInUrl } from "../domain/reach/listen-host.ts";
import { addOperator, linkForUser } from "../resources/auth/service.ts";

/** Makes a link by which the user chooses a new password. Throws for an e-mail that no user has. */
export async function makeResetLink(db: Database, config: Config, email: string): Promise<string> {
  const link = await inTransaction(db, (tx) => linkForUser(tx, email, termsOf(config)));
  if (link === null) throw new Error(`there is no user with the e-mail ${email}`);
  return link;
}

/** Adds an operator, or makes a new link for one, by which the password is chosen. */
export async function makeOperatorLink(
  db: Database,
  config: Config,
  email: string,
): Promise<string> {
  return inTransaction(db, (tx) => addOperator(tx, email, termsOf(config)));
}

function termsOf({ public_url, host, port }: Config) {
  const origin = public_url.replace(/\/$/, "") || `http://${hostInUrl(host)}:${port}`;
  return { origin, now: new Date(), by: byShell };
}
