import type { TSchema } from "typebox";
import type { Context } from "../context.ts";
import { inTransaction } from "../database/connect.ts";
import type { Tx } from "../database/tables.ts";
import { ApiError, type ErrorBody, invalid } from "../domain/errors/errors.ts";
import { mapInTurns } from "../domain/scheduling/turns.ts";
import { serializerOf } from "./serialize.ts";
import { answer, rowsResponse, recordResponse, type StoredResponse } from "./idempotency.ts";

/**
 * Creating things of one kind, alone or up to 500 in one call (decision 6). A bare object is one thing or
 * one plain error. An array is validated row by row: the good rows are created together, the bad ones
 * come back in place with their errors, and only when none is good is the answer 422.
 */

/** An entry of a request: the row that it makes, or why it makes none. */
export type Validated<Row> = { row: Row; error: null } | { row: null; error: ApiError };

/** Those that nothing speaks against. */
export function goodRows<Row>(validated: readonly Validated<Row>[]): Row[] {
  return validated.flatMap(({ row }) => (row === null ? [] : [row]));
}

/** Thrown by `keep` when what the plan was made of is no longer so: then it is made anew. */
export class PlanOutdated extends Error {}

/** Whatever is created is known by an id. */
interface Made {
  id: string;
}

/** What creating one kind of thing is. */
export interface Creation<Row, Plan = unknown> {
  /** What the things are called, for our sentences: `shipments`. */
  plural: string;
  /** Says of each entry, in order and before anything is written, all that is wrong with it. */
  validate(entries: readonly unknown[]): Promise<Validated<Row>[]>;
  /** Concludes, before the transaction, what takes too long for it. */
  plan(rows: readonly Row[]): Promise<Plan>;
  /**
   * Writes rows by the plan, and says of each, in order, as what it was kept, or why it was not. Throws
   * `PlanOutdated`.
   */
  keep(tx: Tx, rows: readonly Row[], plan: Plan): Promise<Validated<Row>[]>;
  show(row: Row): unknown;
  /** What `show` makes; nothing else of it goes out. */
  schema: TSchema;
  /** By what the client finds a refused entry again. */
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

/** Creates one thing and finishes in the same transaction. Throws what is wrong with the entry. */
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
  // After the commit: what `keep` wrote of why it kept nothing stays.
  if (ended.error) throw ended.error;
  return ended.done;
}

/** So often a plan may be outdated by the time it is used. */
const plansMax = 5;

/** One transaction that keeps the rows as planned. Throws 503 when what plans are made of never stands still. */
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
  if (!first) throw new Error("one entry was validated, and nothing said of it");
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
        // One line for all of them.
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

/** Of all rows together so many wrong fields are named; more would make an answer a hundred times the request. */
const problemsMax = 20_000;
/** Of each row so many are, however many others have. */
const rowProblemsMin = 10;

/** Its rows are written one by one: all of them together are megabytes. */
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

/** A field of an entry that may be anything, if it is a text; cut where no valid one is longer. */
export function textOf(entry: unknown, field: string, length: number): string | null {
  const text = (entry as Record<string, unknown> | null | undefined)?.[field];
  return typeof text === "string" ? text.slice(0, length) : null;
}
