import { sql } from "kysely";
import type { Database } from "../tables.ts";

/**
 * A connection pooler in front of PostgreSQL, such as PgBouncer, can remove what Waybill relies on: the
 * timeouts that a connection starts with, without which a paused process keeps its locks without end, and the
 * statements that a connection has prepared.
 */

const advice =
  "Use it in session mode, or let DATABASE_URL lead to PostgreSQL itself: see docs/operating.md.";

/** Throws an error that states what the pooler does and what to change. Does nothing where there is none. */
export async function refuseUnfitPooler(db: Database): Promise<void> {
  const limits = await timeLimits(db).catch((error: unknown) => {
    const refused = startupRefusal(error);
    if (refused === null) throw error;
    throw new Error(
      `The connection pooler at DATABASE_URL refuses Waybill's timeouts (${refused}). ` +
        "Let it ignore them (ignore_startup_parameters) and set them for the role: see docs/operating.md.",
      { cause: error },
    );
  });
  const missing = Object.entries(limits).filter(([, limit]) => limit === "0");
  if (missing.length > 0)
    throw new Error(
      `${missing.map(([name]) => name).join(" and ")} is off for Waybill's connections, though they request it: a pooler ` +
        "ignores it. Set it for the role (ALTER ROLE … SET statement_timeout = '10s', " +
        "idle_in_transaction_session_timeout = '5s'): see docs/operating.md.",
    );
  await keepsPreparedStatements(db);
}

async function timeLimits(db: Database) {
  const { rows } = await sql<{
    statement_timeout: string;
    idle_in_transaction_session_timeout: string;
  }>`
    SELECT current_setting('statement_timeout') AS statement_timeout,
      current_setting('idle_in_transaction_session_timeout') AS idle_in_transaction_session_timeout`.execute(
    db,
  );
  return rows[0]!;
}

/** The pooler's message about a startup parameter of the connection; null for any other error. */
function startupRefusal(error: unknown): string | null {
  for (let each = error; each instanceof Error; each = each.cause)
    if (/unsupported startup parameter/.test(each.message)) return each.message;
  return null;
}

/** Two connections that share one of the server's find each other's statements there. */
async function keepsPreparedStatements(db: Database): Promise<void> {
  const probe = sql`SELECT ${1}::integer AS probe`;
  try {
    await db.connection().execute(async (one) => {
      await probe.execute(one);
      await db.connection().execute((other) => probe.execute(other));
      await probe.execute(one);
    });
  } catch (cause) {
    throw new Error(
      "The connection pooler at DATABASE_URL mixes up prepared statements: it gives one connection of the server to " +
        `several of Waybill's. ${advice} PgBouncer can keep them apart from 1.21 on (max_prepared_statements).`,
      { cause },
    );
  }
}
