import type { CallContext } from "../../carriers/carrier.ts";
import type { CarrierConnection } from "../../carriers/connection.ts";
import type { Config } from "../../config.ts";
import type { Account, ConnectionBook, FoundConnection, Platform } from "../../context.ts";
import type { Database } from "../../database/tables.ts";
import { platformAccountId } from "../../domain/accounts/connection-status.ts";
import type { Sealer } from "../../domain/accounts/sealer.ts";
import { openSecrets } from "./sealed-secrets.ts";
import { connectionsOf, type ConnectionRow } from "./store.ts";

const ownersMax = 10_000;

/**
 * The connections in force, each owner's read at most once in `token_cache_ms`: another process may use an older
 * one for so long, as it may a token.
 */
export function connectionBook(parts: {
  db: Database;
  sealer: Sealer;
  config: Config;
}): ConnectionBook {
  const { db, sealer, config } = parts;
  const seen = new Map<string, { at: number; found: Promise<readonly FoundConnection[]> }>();

  async function read(owner: string): Promise<FoundConnection[]> {
    return (await connectionsOf(db, owner)).map((row) => opened(sealer, row));
  }

  function of(owner: string): Promise<readonly FoundConnection[]> {
    const at = performance.now();
    const last = seen.get(owner);
    if (last && at - last.at < config.token_cache_ms) return last.found;
    if (seen.size >= ownersMax) seen.clear();
    const found = read(owner);
    // A failure is not kept: the next call reads again.
    found.catch(() => seen.delete(owner));
    seen.set(owner, { at, found });
    return found;
  }

  return {
    async inForce({ account_id, environment, settings }) {
      const own = settings.own_carrier_accounts ? await of(account_id) : [];
      const both = [...own, ...(await of(platformAccountId))];
      const usable = both.filter(
        (each) => each.environment === environment && each.is_default && each.status !== "disabled",
      );
      return { find: (carrier) => usable.find((each) => each.carrier === carrier) ?? null };
    },

    async find(accountId, id) {
      if (id === null) return null;
      const own = (await of(accountId)).find((each) => each.id === id);
      return own ?? (await of(platformAccountId)).find((each) => each.id === id) ?? null;
    },

    forget() {
      seen.clear();
    },
  };
}

function opened(sealer: Sealer, row: ConnectionRow): FoundConnection {
  const { account_id, id, carrier, environment, version, plain_values, is_default } = row;
  const secrets = openSecrets(sealer, row, row.sealed_secrets);
  return {
    id,
    carrier,
    environment,
    origin: account_id === platformAccountId ? "platform" : "account",
    version,
    budgets: row.budgets,
    values: plain_values,
    secrets: secrets ?? {},
    is_default,
    // The platform's secret was changed without the previous one: the carrier cannot be called.
    status: secrets === null ? "failing" : row.status,
    unheard_policy: row.unheard_policy,
  };
}

/** What is passed to an adapter. */
export function toConnection(found: FoundConnection): CarrierConnection {
  const { id, environment, origin, version, budgets = null, values, secrets } = found;
  return { id, environment, origin, version, budgets, values, secrets };
}

/** The context of a call about something that this database does not know: on what the account uses now. */
export async function contextInForce(
  { connections }: { connections: ConnectionBook },
  account: Parameters<ConnectionBook["inForce"]>[0],
  carrier: string,
): Promise<CallContext> {
  const { account_id, environment } = account;
  const found = (await connections.inForce(account)).find(carrier);
  return { account_id, environment, connection: found && toConnection(found) };
}

/**
 * The context of a call about something that was bought on a connection, or on none, perhaps weeks ago. A call about
 * a connection that was deleted since is refused as `connection_deleted`.
 */
export async function contextOn(
  { connections }: { connections: ConnectionBook },
  of: Pick<Account, "account_id" | "environment"> & { connection_id: string | null | undefined },
): Promise<CallContext> {
  const { account_id, environment, connection_id } = of;
  const found = await connections.find(account_id, connection_id ?? null);
  const context = { account_id, environment, connection: found && toConnection(found) };
  return connection_id && !found ? { ...context, is_connection_deleted: true } : context;
}

/** By connection, the operator's choice for purchases that were not heard of; `hold` where there is none. */
export function unheardPolicies(connections: ConnectionBook): Platform["unheard_policy"] {
  return async (accountId, connectionId) =>
    (await connections.find(accountId, connectionId))?.unheard_policy ?? "hold";
}
