import { createHash } from "node:crypto";
import type pg from "pg";
import { inspection } from "./inspect.ts";
import { senderOf, type Statement } from "./pg-internals.ts";
import type { SentQuery } from "./sending.ts";

type SendingOptions = Pick<SentQuery, "sending" | "as_texts">;

/**
 * How statements are sent to PostgreSQL. Each is a named prepared statement, and several go in one round trip where no
 * result is needed before the next one is sent: BEGIN with the first statement of its transaction, a `pipelined`
 * statement with the one after it, and COMMIT with the statement that is sent `withCommit`.
 *
 * A round trip is one group of messages before one Sync: PostgreSQL executes none after the first that fails. So a
 * statement that fails prevents those after it, and nothing is half done.
 */
interface Pipeline {
  /**
   * A plain transaction is begun along with its first statement, one with an isolation level or access mode
   * at once.
   */
  begin(how: string): Promise<pg.QueryResult>;
  commit(): Promise<pg.QueryResult>;
  rollback(): Promise<pg.QueryResult>;
  /** Throws what the statement, or one that went along with it, threw. */
  execute(text: string, values: unknown[], how: SendingOptions): Promise<pg.QueryResult>;
}

/** Without a name it is planned anew for every call. */
type Unnamed = Omit<Statement, "name">;

const begin: Statement = { text: "begin", values: [], name: "begin", as_texts: false };
const commit: Statement = { text: "commit", values: [], name: "commit", as_texts: false };

/** Sends one connection's statements. */
export function pipelineOf(client: pg.PoolClient): Pipeline {
  let isInTransaction = false;
  let along: (Statement | Unnamed)[] = [];
  let committed: pg.QueryResult | null = null;
  const sender = senderOf(client);

  async function send(statements: readonly (Statement | Unnamed)[]): Promise<pg.QueryResult[]> {
    const named = statements.filter(isNamed);
    if (named.length === statements.length && named.every(sender.isPrepared))
      return sender.send(named);
    const results: pg.QueryResult[] = [];
    for (const statement of statements) {
      if (isNamed(statement)) results.push(...(await sender.send([statement])));
      else results.push(await sendUnnamed(client, statement));
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
    // A transaction that was never begun there needs no COMMIT or ROLLBACK.
    return unsent.includes(begin) ? nothingBut(text) : client.query(text);
  }

  return {
    async begin(how) {
      if (how !== "") return client.query(`start transaction${how}`);
      isInTransaction = true;
      committed = null;
      along = [begin];
      return nothingBut("begin");
    },
    commit: () => end("commit"),
    rollback: () => end("rollback"),
    async execute(text, values, how) {
      const { sending } = how;
      if (committed) throw new Error("nothing may come after a statement that commits with it");
      inspection.see?.(text, values);
      const statement = statementOf(text, values, how);
      if (isInTransaction && sending === "pipelined") {
        along.push(statement);
        return nothingBut("");
      }
      const before = along;
      along = [];
      const isLast = isInTransaction && sending === "with commit";
      const results = await send([...before, statement, ...(isLast ? [commit] : [])]);
      if (isLast) committed = results.at(-1)!;
      return results[before.length]!;
    },
  };
}

function nothingBut(text: string): pg.QueryResult {
  return { command: text.toUpperCase(), rowCount: 0, oid: 0, fields: [], rows: [] };
}

function isNamed(statement: Statement | Unnamed): statement is Statement {
  return "name" in statement;
}

/** Sends a statement that is not prepared. */
export function sendUnnamed(
  client: pg.PoolClient,
  { text, values, as_texts }: Unnamed,
): Promise<pg.QueryResult> {
  return client.query({ text, values, ...(as_texts ? textRows : {}) });
}

/** Rows as arrays, and no value parsed. */
const textRows = {
  rowMode: "array" as const,
  types: { getTypeParser: () => (text: string) => text },
};

function statementOf(
  text: string,
  values: unknown[],
  { sending, as_texts = false }: SendingOptions,
): Statement | Unnamed {
  const name = sending === "custom plan" || values.length === 0 ? null : nameOf(text);
  return name === null ? { text, values, as_texts } : { text, values, name, as_texts };
}

// The number of texts that are kept prepared. List filters combine into many; the rest go unnamed.
const namesMax = 400;
const names = new Map<string, string>();

function nameOf(text: string): string | null {
  const known = names.get(text);
  if (known !== undefined || names.size >= namesMax) return known ?? null;
  const name = createHash("sha256").update(text).digest("base64url").slice(0, 24);
  names.set(text, name);
  return name;
}
