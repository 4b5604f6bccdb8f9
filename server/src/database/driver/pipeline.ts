import { createHash } from "node:crypto";
import pg from "pg";

/**
 * How statements are sent to PostgreSQL. Each is a named prepared statement, and several go in one round trip where no
 * result is needed before the next one is sent: BEGIN with the first statement of its transaction, a `pipelined`
 * statement with the one after it, and COMMIT with the statement that is marked `withCommit`.
 *
 * A round trip is one group of messages before one Sync: PostgreSQL executes none after the first that fails. So a
 * statement that fails prevents those after it, and nothing is half done.
 */

/**
 * Marks a statement of a transaction whose result is not used: it is sent along with the next one. If it fails, that
 * one fails with its error.
 */
export const pipelined = "/* pipelined */";

/**
 * Marks the last statement of a transaction: the COMMIT is sent with it, so that its locks are not held for another
 * round trip. If it may not be committed, it has to
 * fail in the database: `refuse()` of the migrations does that.
 */
export const withCommit = "/* with commit */";

/**
 * Marks a statement that has to be planned anew for the values of each call, because it depends on
 * them which index is of use. It gets no name, of which there are not enough for all anyway.
 */
export const customPlan = "/* custom plan */";

interface Statement {
  text: string;
  values: unknown[];
  name?: string;
}

const begin: Statement = { text: "begin", values: [], name: "begin" };
const commit: Statement = { text: "commit", values: [], name: "commit" };

/** Sends one connection's statements. Throws what the statement, or one that went along with it, threw. */
export function pipelineOf(
  client: pg.PoolClient,
): (text: string, values: unknown[]) => Promise<pg.QueryResult> {
  let isInTransaction = false;
  let along: Statement[] = [];
  let committed: pg.QueryResult | null = null;
  // Prepared on this connection: only they can share a round trip, for PostgreSQL's word that it has parsed
  // a statement does not say which.
  const prepared = new Set<string>();

  async function send(statements: readonly Statement[]): Promise<pg.QueryResult[]> {
    if (statements.length > 1 && statements.every(({ name }) => prepared.has(name ?? "")))
      return sendPipelined(client, statements);
    const results: pg.QueryResult[] = [];
    for (const statement of statements) {
      results.push(await client.query(statement));
      if (statement.name) prepared.add(statement.name);
    }
    return results;
  }

  async function end(text: "commit" | "rollback"): Promise<pg.QueryResult> {
    const [sent, unsent] = [committed, along];
    isInTransaction = false;
    committed = null;
    along = [];
    if (sent) return sent;
    if (text === "commit" && unsent.some((each) => each !== begin))
      return (await send([...unsent, commit])).at(-1)!;
    // A transaction that was never begun there needs no end.
    return unsent.includes(begin) ? nothingBut(text) : client.query(text);
  }

  return async (text, values) => {
    if (text === "begin") {
      isInTransaction = true;
      committed = null;
      along = [begin];
      return nothingBut(text);
    }
    if (text === "commit" || text === "rollback") return end(text);
    if (committed) throw new Error("nothing may come after a statement that commits with it");
    const { name, rides, commits } = read(text);
    const statement = name && values.length > 0 ? { text, values, name } : { text, values };
    if (isInTransaction && rides) {
      along.push(statement);
      return nothingBut("");
    }
    const before = along;
    along = [];
    const isLast = isInTransaction && commits;
    const results = await send([...before, statement, ...(isLast ? [commit] : [])]);
    if (isLast) committed = results.at(-1)!;
    return results[before.length]!;
  };
}

function nothingBut(text: string): pg.QueryResult {
  return { command: text.toUpperCase(), rowCount: 0, oid: 0, fields: [], rows: [] };
}

/**
 * Sends prepared statements in one write, and one Sync behind them. pg knows one query at a time, so the
 * last of them stands for all and hears every answer.
 */
function sendPipelined(
  client: pg.PoolClient,
  statements: readonly Statement[],
): Promise<pg.QueryResult[]> {
  return new Promise((resolve, reject) => {
    const queries = statements.map((statement) => new pg.Query(statement));
    const submitAll = (connection: pg.Connection) => {
      const { stream } = connection;
      const unsynced = Object.create(connection, {
        sync: { value: () => undefined },
      }) as pg.Connection;
      stream.cork();
      try {
        for (const query of queries) pg.Query.prototype.submit.call(query, unsynced);
        connection.sync();
      } catch (error) {
        // A value that cannot be written: what was to come before or after it must not be done without it.
        stream.destroy(error as Error);
      } finally {
        stream.uncork();
      }
      return null;
    };
    const all = Object.assign(queries.at(-1)!, {
      submit: submitAll,
      callback: (error: Error | null, results: unknown) =>
        error ? reject(error) : resolve(results as pg.QueryResult[]),
    });
    client.query(all);
  });
}

/** What a text says about how it travels; without a name it is planned for every call anew. */
interface Reading {
  name?: string;
  rides: boolean;
  commits: boolean;
}

// The number of texts that are worth remembering. List filters combine into many; the rest go unnamed.
const readingsMax = 400;
const readings = new Map<string, Reading>();

function read(text: string): Reading {
  const known = readings.get(text);
  if (known) return known;
  const reading = { rides: text.includes(pipelined), commits: text.includes(withCommit) };
  if (readings.size >= readingsMax || text.includes(customPlan)) return reading;
  const name = createHash("sha256").update(text).digest("base64url").slice(0, 24);
  readings.set(text, { ...reading, name });
  return { ...reading, name };
}
