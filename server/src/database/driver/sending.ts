import type { CompiledQuery, QueryExecutorProvider, QueryResult } from "kysely";
import type { Database, Tx } from "../tables.ts";

/**
 * How a statement is sent where the default, alone and planned once, does not fit: the caller wraps the
 * query, and the driver reads the option beside the text. Outside a transaction only `customPlan` has an
 * effect.
 */
export type Sending = "pipelined" | "with commit" | "custom plan";

/** A compiled query as it reaches the driver. */
export interface SentQuery<Row = unknown> extends CompiledQuery<Row> {
  readonly sending?: Sending;
  /** The rows are arrays of texts, as PostgreSQL sends them: see `asTexts`. */
  readonly as_texts?: boolean;
}

/** A row as PostgreSQL sends it: a text for each selected column, in their order, or null. */
export type TextRow = readonly (string | null)[];

/** A query of Kysely: a builder, or a statement in SQL. */
export interface Compilable<Row> {
  compile(executor: QueryExecutorProvider): CompiledQuery<Row>;
}

/** A query with the option how it is sent. */
interface Executable<Row> {
  execute(handle: Database | Tx): Promise<QueryResult<Row>>;
}

/**
 * A statement of a transaction whose result is not used: it is sent along with the next one, which fails with
 * its error if it fails.
 */
export function pipelined<Row>(query: Compilable<Row>): Executable<Row> {
  return sentAs("pipelined", query);
}

/**
 * The last statement of a transaction: the COMMIT is sent with it, so that its locks are not held for another
 * round trip. If it may not be committed, it has to fail in the database: `refuse()` of the migrations does that.
 */
export function withCommit<Row>(query: Compilable<Row>): Executable<Row> {
  return sentAs("with commit", query);
}

/**
 * A statement that has to be planned for the values of each call, because the best index depends on them. It
 * is not prepared: there are more such texts than the driver keeps prepared.
 */
export function customPlan<Row>(query: Compilable<Row>): Executable<Row> {
  return sentAs("custom plan", query);
}

/** A query whose values are not read: jsonb that is only shown again need not be parsed. */
export function asTexts(query: Compilable<unknown>): Compilable<TextRow> {
  return {
    compile(executor) {
      const sent: SentQuery<TextRow> = {
        ...(query.compile(executor) as CompiledQuery<TextRow>),
        as_texts: true,
      };
      return sent;
    },
  };
}

function sentAs<Row>(sending: Sending, query: Compilable<Row>): Executable<Row> {
  return {
    execute(handle) {
      const sent: SentQuery<Row> = { ...query.compile(handle), sending };
      return handle.executeQuery(sent);
    },
  };
}
