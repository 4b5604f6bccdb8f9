import type { CarrierConnection } from "../../carriers/connection.ts";
import type { Platform } from "../../context.ts";
import { inTransaction } from "../../database/connect.ts";
import { bySystem } from "../../domain/accounts/principal.ts";
import { platformAccountId } from "../../domain/accounts/connection-status.ts";
import { operatorsAccountId, recordAudit } from "../../events/audit-log.ts";
import { markFailing } from "./store.ts";

/** So many refusals of the credentials in a row make a connection `failing`. */
const refusalsMax = 3;
const keptMax = 10_000;

type Parts = Pick<Platform, "db" | "log" | "metrics" | "connections">;

export interface HeardOf {
  account_id: string;
  carrier: string;
  connection: CarrierConnection;
}

/**
 * Counts, in this process, how often carriers refuse a connection's credentials in a row. From then on quotes
 * leave the carrier out and purchases are refused, until the connection is tested, changed or rotated.
 */
export function refusalCounter(parts: Parts) {
  const counts = new Map<string, number>();
  const keyOf = ({ id, version }: CarrierConnection) => `${id} ${version}`;
  return {
    /** The carrier answered, and not that the credentials are wrong. */
    accepted({ connection }: HeardOf): void {
      counts.delete(keyOf(connection));
    },
    /** Resolves once the connection is marked, where it was. */
    async refused(heard: HeardOf): Promise<void> {
      const key = keyOf(heard.connection);
      const count = (counts.get(key) ?? 0) + 1;
      if (counts.size >= keptMax) counts.clear();
      counts.set(key, count);
      if (count < refusalsMax) return;
      await failed(parts, heard).catch((err: unknown) =>
        parts.log.error({ connection_id: heard.connection.id, err }, "connection.not_marked"),
      );
    },
  };
}

async function failed(parts: Parts, { account_id, carrier, connection }: HeardOf): Promise<void> {
  const { db, log, metrics, connections } = parts;
  const { id, version, origin, environment } = connection;
  const owner = origin === "platform" ? platformAccountId : account_id;
  const isNew = await inTransaction(db, async (tx) => {
    if (!(await markFailing(tx, { account_id: owner, id, version }))) return false;
    await recordAudit(tx, {
      account_id: origin === "platform" ? operatorsAccountId : account_id,
      by: bySystem("connections"),
      action: "carrier_connection.failing",
      subject_id: id,
      details: { carrier, environment },
    });
    return true;
  });
  connections.forget();
  if (!isNew) return;
  metrics.carrier_connections_failed.inc({ carrier, origin });
  log.error({ connection_id: id, carrier, environment, origin }, "connection.failing");
}
