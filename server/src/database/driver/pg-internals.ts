import pg from "pg";
import utils from "pg/lib/utils.js";

/**
 * All undocumented behaviour of pg that the driver relies on: what a connection writes, and that a query passed to
 * `client.query` receives every message up to ReadyForQuery. `pg-internals.test.ts` states the version for which it was
 * verified.
 */

/** A prepared statement: after the first time it is sent by its name. */
export interface Statement {
  text: string;
  values: unknown[];
  name: string;
  /** The rows are arrays of texts, and no value is parsed. */
  as_texts: boolean;
}

/** Sends the prepared statements of one connection. */
export interface Sender {
  /** Whether the statement was prepared on this connection: only such statements can share a round trip. */
  isPrepared(statement: Statement): boolean;
  /**
   * Sends the statements in one write, with one Sync behind them. A value that cannot be serialized prevents all of
   * them.
   */
  send(statements: readonly Statement[]): Promise<pg.QueryResult[]>;
}

/** The columns of a statement's rows; none where it has no rows. */
interface Columns {
  names: string[];
  parsers: ((text: string) => unknown)[];
}

const noColumns: Columns = { names: [], parsers: [] };

/**
 * The columns of a statement are described once on each connection: PostgreSQL refuses to execute a prepared statement
 * whose columns have changed since. Sixty columns take longer to describe and to read again than one row of them.
 */
export function senderOf(client: pg.PoolClient): Sender {
  const known = new Map<string, Columns>();
  return {
    isPrepared: ({ name }) => known.has(name),
    send: (statements) =>
      new Promise((resolve, reject) => {
        const end: Trip["end"] = (error, results = []) =>
          error ? reject(error) : resolve(results);
        void client.query(roundTrip(client, { known, statements, end }));
      }),
  };
}

interface Trip {
  known: Map<string, Columns>;
  statements: readonly Statement[];
  end: (error: Error | null, results?: pg.QueryResult[]) => void;
}

/** What pg's types leave out of a connection. */
interface Wire extends pg.Connection {
  parsedStatements: Record<string, string>;
}

/** What `client.query` takes: it submits it when it is next in the queue, and passes it every message. */
function roundTrip(client: pg.PoolClient, { known, statements, end }: Trip) {
  const results: pg.QueryResult[] = [];
  let [statement] = statements;
  let columns = noColumns;
  let rows: unknown[] = [];
  let unreadable: Error | null = null;

  function beginNext() {
    statement = statements[results.length];
    columns = (statement && known.get(statement.name)) ?? noColumns;
    rows = [];
  }
  beginNext();

  const trip = {
    // Of the statement that PostgreSQL has to parse: such a one is alone.
    name: statement!.name,
    text: statement!.text,
    // The client replaces it by one that ends its timeout, too.
    callback: end,
    submit: (connection: Wire) => write(connection, { known, statements }),
    handleRowDescription({ fields }: { fields: pg.FieldDef[] }) {
      columns = {
        names: fields.map(({ name }) => name),
        parsers: fields.map(({ dataTypeID }) => parserOf(client, dataTypeID)),
      };
    },
    handleDataRow({ fields }: { fields: (string | null)[] }) {
      try {
        rows.push(statement!.as_texts ? fields : rowOf(columns, fields));
      } catch (error) {
        unreadable ??= error as Error;
      }
    },
    handleCommandComplete({ text }: { text: string }) {
      known.set(statement!.name, columns);
      results.push({ ...commandOf(text), rows, fields: [], oid: 0 });
      beginNext();
    },
    handleReadyForQuery: () => trip.callback(unreadable, results),
    handleError: (error: Error) => trip.callback(error),
  };
  return trip;
}

/** Returns the error of a value that cannot be serialized; then nothing was written. */
function write(connection: Wire, { known, statements }: Omit<Trip, "end">): Error | null {
  let values: (string | Buffer | null)[][];
  try {
    values = statements.map((statement) =>
      statement.values.map((each) => utils.prepareValue(each)),
    );
  } catch (error) {
    return error as Error;
  }
  connection.stream.cork();
  for (const [place, { name, text }] of statements.entries()) {
    if (!(name in connection.parsedStatements)) connection.parse({ name, text, types: [] }, true);
    connection.bind({ statement: name, values: values[place]! }, true);
    if (!known.has(name)) connection.describe({ type: "P", name: "" }, true);
    connection.execute({ portal: "", rows: "" }, true);
  }
  connection.sync();
  connection.stream.uncork();
  return null;
}

function parserOf(client: pg.PoolClient, oid: number): (text: string) => unknown {
  return client.getTypeParser(oid, "text") as (text: string) => unknown;
}

function rowOf({ names, parsers }: Columns, texts: (string | null)[]): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (let at = 0; at < names.length; at++) {
    const text = texts[at]!;
    row[names[at]!] = text === null ? null : parsers[at]!(text);
  }
  return row;
}

/** Of the tag that ends a statement: `UPDATE 3`, `INSERT 0 1`, `BEGIN`. */
function commandOf(tag: string): { command: string; rowCount: number | null } {
  const words = tag.split(" ");
  const count = words.length > 1 ? Number(words.at(-1)) : NaN;
  return { command: words[0]!, rowCount: Number.isNaN(count) ? null : count };
}
