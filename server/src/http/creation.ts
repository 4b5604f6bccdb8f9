import type { TSchema } from "typebox";
import type { Context } from "../context.ts";
import { inTransaction } from "../database/connect.ts";
import type { Tx } from "../database/tables.ts";
import { ApiError, type ErrorBody, invalid } from "../domain/errors/errors.ts";
import { mapInTurns } from "../domain/scheduling/turns.ts";
import { serializerOf } from "./serialize.ts";
import { answer, rowsResponse, recordResponse, type StoredResponse } from "./idempotency.ts";

/**
 * Creating things of one kind, alone or up to 500 in one call (decision 6). A bare object is one thing or one
 * plain error. An array is validated row by row: the valid rows are created together, the invalid ones are
 * returned at their index with their errors, and the response is 422 only when none is valid.
 */

/** An entry of a request: the row to create, or the errors that it was refused with. */
export type Validated<Row> = { row: Row; error: null } | { row: null; error: ApiError };

/** The rows that passed validation. */
export function goodRows<Row>(validated: readonly Validated<Row>[]): Row[] {
  return validated.flatMap(({ row }) => (row === null ? [] : [row]));
}

/** Thrown by `keep` when the facts that the plan was made of have changed: it is then made anew. */
export class PlanOutdated extends Error {}

/** Every created thing has an id. */
interface Made {
  id: string;
}

/** What creating one kind of thing is. */
export interface Creation<Row, Plan = unknown> {
  /** What the things are called, for error messages: `shipments`. */
  plural: string;
  /** Returns for each entry, in order and before anything is written, all of its errors. */
  validate(entries: readonly unknown[]): Promise<Validated<Row>[]>;
  /** Prepares, before the transaction, what takes too long inside it. */
  plan(rows: readonly Row[]): Promise<Plan>;
  /**
   * Writes rows by the plan, and returns for each, in order, the row as stored or the errors that it
   * was refused with. Throws `PlanOutdated`.
   */
  keep(tx: Tx, rows: readonly Row[], plan: Plan): Promise<Validated<Row>[]>;
  show(row: Row): unknown;
  /** The schema of what `show` returns; no other field is sent. */
  schema: TSchema;
  /** The fields by which the client recognises a refused entry. */
  nameOf(entry: unknown): Record<string, string | null>;
}

/** Creates what the body asks for. Throws what is wrong with a bare object, 422 for too many rows. */
export async function create<Row extends Made>(
  ctx: Context,
  body: unknown,
  creation: Creation<Row>,
): Promise<StoredResponse> {
  if (Array.isArray(body)) return createMany(ctx, body, creation);
  return createOne(ctx, body, {
    creation,
    finish: async (tx, row) =>
      recordResponse(tx, ctx, {
        answer: answer(201, creation.schema, creation.show(row)),
        subject_id: row.id,
      }),
  });
}

/** Creates one thing and calls `finish` in the same transaction. Throws the errors of the entry. */
export async function createOne<Row, Done>(
  ctx: Context,
  entry: unknown,
  {
    creation,
    finish,
  }: {
    creation: Creation<Row>;
    finish: (tx: Tx, row: Row) => Promise<Done>;
  },
): Promise<Done> {
  const row = onlyRow(await creation.validate([entry]));
  const ended = await saveByPlan(ctx, [row], {
    creation,
    finish: async (tx, validated) => {
      const { row: kept, error } = only(validated);
      return error ? { error } : { error, done: await finish(tx, kept) };
    },
  });
  // After the commit: what `keep` wrote about refusing the row stays.
  if (ended.error) throw ended.error;
  return ended.done;
}

/** How often a plan is made anew when it is outdated by the time it is used. */
const plansMax = 5;

/**
 * One transaction that keeps the rows as planned. Throws 503 when the facts behind the plan keep
 * changing.
 */
async function saveByPlan<Row, Done>(
  { db }: Context,
  rows: readonly Row[],
  {
    creation,
    finish,
  }: {
    creation: Creation<Row>;
    finish: (tx: Tx, validated: Validated<Row>[]) => Promise<Done>;
  },
): Promise<Done> {
  for (let plans = 1; plans <= plansMax; plans++) {
    const plan = await creation.plan(rows);
    try {
      return await inTransaction(db, async (tx) => finish(tx, await creation.keep(tx, rows, plan)));
    } catch (error) {
      if (!(error instanceof PlanOutdated)) throw error;
    }
  }
  throw new ApiError("unavailable");
}

function only<Row>([first]: Validated<Row>[]): Validated<Row> {
  if (!first) throw new Error("one entry was validated, and no result returned");
  return first;
}

function onlyRow<Row>(validated: Validated<Row>[]): Row {
  const { row, error } = only(validated);
  if (error) throw error;
  return row;
}

async function createMany<Row extends Made>(
  ctx: Context,
  entries: unknown[],
  creation: Creation<Row>,
): Promise<StoredResponse> {
  refuseUnlessCountable(ctx, entries, creation);
  const validated = await creation.validate(entries);
  const good = goodRows(validated);
  // Nothing is written, so there is nothing to record in a transaction.
  if (good.length === 0) return summary(entries, validated, creation);
  return saveByPlan(ctx, good, {
    creation,
    finish: async (tx, ends) => {
      const kept = ends.values();
      const ended = validated.map((each) => (each.error ? each : kept.next().value!));
      const subject_ids = goodRows(ended).map(({ id }) => id);
      return recordResponse(tx, ctx, {
        answer: await summary(entries, ended, creation),
        // One audit log entry for all of them.
        subject_id: subject_ids[0] ?? null,
        details: { subject_ids },
      });
    },
  });
}

function refuseUnlessCountable<Row>(
  ctx: Context,
  entries: unknown[],
  { plural }: Creation<Row>,
): void {
  const most = ctx.config.bulk_rows_max;
  if (entries.length > most) {
    throw new ApiError("too_many_rows", {
      message: `One call creates at most ${most} ${plural}; this one has ${entries.length}.`,
      details: { max: most, rows: entries.length },
    });
  }
  if (entries.length === 0) throw invalid({ "": ["must have at least one entry."] });
}

/**
 * At most so many wrong fields are named for all rows together; more would make the answer a hundred
 * times the request.
 */
const problemsMax = 20_000;
/** For each row at least so many are named, however many the others have. */
const rowProblemsMin = 10;

/** Its rows are serialized one by one: all of them together are megabytes. */
async function summary<Row>(
  entries: unknown[],
  ended: Validated<Row>[],
  { plural, show, schema, nameOf }: Creation<Row>,
): Promise<StoredResponse> {
  let problems = 0;
  const shortened = (body: ErrorBody): ErrorBody => {
    const named = Object.entries(body.details);
    const most = Math.max(rowProblemsMin, problemsMax - problems);
    problems += Math.min(named.length, most);
    if (body.code !== "validation_failed" || named.length <= most) return body;
    return { ...body, details: Object.fromEntries(named.slice(0, most)) };
  };
  const textOfRow = serializerOf(schema);
  const rows = await mapInTurns(ended, ({ row, error }, index) => {
    if (!error) return `{"index":${index},"status":"created","data":${textOfRow(show(row))}}`;
    const shown = { index, status: "error", ...nameOf(entries[index]) };
    return JSON.stringify({ ...shown, error: shortened(error.toBody()) });
  });
  const created = ended.filter(({ error }) => !error).length;
  const meta = { total: rows.length, created, failed: rows.length - created };
  if (created > 0) return rowsResponse(201, rows, { meta });
  const message = `None of the ${plural} is valid.`;
  const error = new ApiError("validation_failed", { message });
  return rowsResponse(422, rows, { error: error.toBody(), meta });
}

/** A field of an entry of unknown type, if it is a text; cut where no valid one is longer. */
export function textOf(entry: unknown, field: string, length: number): string | null {
  const text = (entry as Record<string, unknown> | null | undefined)?.[field];
  return typeof text === "string" ? text.slice(0, length) : null;
}
