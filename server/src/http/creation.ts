import type { AccountContext, Context } from "../context.ts";
import { inSharedTransaction } from "../database/account-transaction.ts";
import { inTransaction } from "../database/connect.ts";
import { isRefused } from "../database/refusals.ts";
import type { Tx } from "../database/tables.ts";
import { ApiError, invalid } from "../domain/errors/errors.ts";
import { summary, type Summarized, type Validated } from "./creation-summary.ts";
import {
  answer,
  recordResponse,
  recordResponses,
  takenOver,
  type StoredResponse,
} from "./idempotency.ts";

/**
 * Creating things of one kind, alone or up to 500 in one call (decision 6). A bare object is one thing or one
 * plain error. An array is validated row by row: the valid rows are created together, the invalid ones are
 * returned at their index with their errors, and the response is 422 only when none is valid.
 */

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
export interface Creation<Row, Plan = unknown> extends Summarized<Row> {
  /** Returns for each entry, in order and before anything is written, all of its errors. */
  validate(entries: readonly unknown[]): Promise<Validated<Row>[]>;
  /** Prepares, before the transaction, what takes too long inside it. */
  plan(rows: readonly Row[]): Promise<Plan>;
  /**
   * Writes rows by the plan, and returns for each, in order, the row as stored or the errors that it
   * was refused with. Throws `PlanOutdated`, or lets the transaction fail with the code `plan_outdated`.
   */
  keep(tx: Tx, rows: readonly Row[], plan: Plan): Promise<Validated<Row>[]>;
  /** Drops what this process remembers of the facts behind plans: one was outdated. */
  forgetFacts(): void;
  together?: Together<Row, Plan>;
}

/** One of the things that are created together. */
export interface Planned<Row, Plan> {
  ctx: AccountContext;
  row: Row;
  plan: Plan;
}

/**
 * How things that several requests of one account create at the same moment share a transaction (ADR 34). The same
 * object for all that may share.
 */
export interface Together<Row, Plan> {
  /** Whether the thing is written as it is, by a transaction that reads nothing and refuses nothing else. */
  isPlain(row: Row, plan: Plan): boolean;
  /** Writes them, along with the statement after it. Fails as `keep` does, for all of them. */
  keepAll(tx: Tx, all: readonly Planned<Row, Plan>[]): Promise<void>;
}

/** Creates what the body asks for. Throws what is wrong with a bare object, 422 for too many rows. */
export async function create<Row extends Made>(
  ctx: Context,
  body: unknown,
  creation: Creation<Row>,
): Promise<StoredResponse> {
  if (Array.isArray(body)) return createMany(ctx, body, creation);
  const row = onlyRow(await creation.validate([body]));
  const finish = (tx: Tx, kept: Row) =>
    recordResponse(tx, ctx, { answer: answerOf(creation, kept), subject_id: kept.id });
  return byPlan(creation, [row], (plan) =>
    creation.together?.isPlain(row, plan)
      ? keepTogether(ctx, { row, plan }, creation)
      : keepAlone(ctx, { row, plan }, { creation, finish }),
  );
}

function answerOf<Row>({ schema, show }: Creation<Row>, row: Row): StoredResponse {
  return answer(201, schema, show(row));
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
  return byPlan(creation, [row], (plan) => keepAlone(ctx, { row, plan }, { creation, finish }));
}

/** One transaction that keeps the one row as planned. Throws what it was refused with. */
async function keepAlone<Row, Done>(
  { db }: Context,
  { row, plan }: { row: Row; plan: unknown },
  { creation, finish }: { creation: Creation<Row>; finish: (tx: Tx, row: Row) => Promise<Done> },
): Promise<Done> {
  const ended = await inTransaction(db, async (tx) => {
    const { row: kept, error } = only(await creation.keep(tx, [row], plan));
    return error ? { error } : { error, done: await finish(tx, kept) };
  });
  // After the commit: what `keep` wrote about refusing the row stays.
  if (ended.error) throw ended.error;
  return ended.done;
}

/** The same in a transaction that other requests of the account may share. */
async function keepTogether<Row extends Made>(
  ctx: Context,
  { row, plan }: { row: Row; plan: unknown },
  creation: Creation<Row>,
): Promise<StoredResponse> {
  const { account_id } = ctx.account;
  const { keepAll } = creation.together!;
  const answered = {
    acting: ctx,
    change: { subject_id: row.id },
    answer: answerOf(creation, row),
  };
  const kept = inSharedTransaction(ctx.db, account_id, {
    group: creation.together,
    subject: row.id,
    item: { planned: { ctx, row, plan }, answered },
    work: async (tx, all) => {
      await keepAll(
        tx,
        all.map((each) => each.planned),
      );
      return recordResponses(
        tx,
        account_id,
        all.map((each) => each.answered),
      );
    },
  });
  return kept.catch((error: unknown) => {
    throw isRefused(error, "key_taken_over") ? takenOver() : error;
  });
}

/** How often a plan is made anew when it is outdated by the time it is used. */
const plansMax = 5;

/** Runs the transaction that keeps the rows as planned. Throws 503 when the facts behind the plan keep changing. */
async function byPlan<Row, Done>(
  creation: Creation<Row>,
  rows: readonly Row[],
  transaction: (plan: unknown) => Promise<Done>,
): Promise<Done> {
  for (let plans = 1; plans <= plansMax; plans++) {
    const plan = await creation.plan(rows);
    try {
      return await transaction(plan);
    } catch (error) {
      if (!(error instanceof PlanOutdated) && !isRefused(error, "plan_outdated")) throw error;
      creation.forgetFacts();
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
  return byPlan(creation, good, (plan) =>
    inTransaction(ctx.db, async (tx) => {
      const kept = (await creation.keep(tx, good, plan)).values();
      const ended = validated.map((each) => (each.error ? each : kept.next().value!));
      const subject_ids = goodRows(ended).map(({ id }) => id);
      return recordResponse(tx, ctx, {
        answer: await summary(entries, ended, creation),
        // One audit log entry for all of them.
        subject_id: subject_ids[0] ?? null,
        details: { subject_ids },
      });
    }),
  );
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

/** A field of an entry of unknown type, if it is a text; cut where no valid one is longer. */
export function textOf(entry: unknown, field: string, length: number): string | null {
  const text = (entry as Record<string, unknown> | null | undefined)?.[field];
  return typeof text === "string" ? text.slice(0, length) : null;
}
