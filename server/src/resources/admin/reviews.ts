import { createHash } from "node:crypto";
import { Type, type TSchema } from "typebox";
import type { Context, Platform } from "../../context.ts";
import { actorOf, nameOfActor } from "../../domain/accounts/principal.ts";
import { ApiError, notFound, throwIfAny } from "../../domain/errors/errors.ts";
import { fromCents } from "../../domain/values/money.ts";
import { Maybe, OneOf } from "../../domain/values/schema.ts";
import { problemsOf } from "../../domain/validation/validation.ts";
import { recordChange } from "../../http/record-change.ts";
import { onPage, type ListSource } from "../../http/paging.ts";
import { LostLease } from "../../outbound/attempt-store.ts";
import type { AnyOperation, ReviewItem, ReviewDecision } from "../../outbound/operation.ts";
import { operationOf } from "../../outbound/recovery.ts";
import { countOpenItems, findItem, selectOpenItems } from "../../outbound/review-store.ts";
import { rejectEffect, confirmEffect } from "../../outbound/review.ts";

/**
 * Reviews by operators of outside effects whose outcome no lookup can find (decision 8): a carrier that finds
 * nothing by the reference, or a party that could not be asked for too long.
 */
export interface Reviews {
  platform: Platform;
  operations: readonly AnyOperation[];
}

/** The open items, oldest first. */
export function reviewsSource({
  platform,
  operations,
}: Reviews): ListSource<ReviewItem, ReturnType<typeof toReview>> {
  const open = selectOpenItems(platform.db);
  return {
    rows: async (page) =>
      (await onPage(open, page, "attempts.id", "oldest").execute()) as ReviewItem[],
    count: async () => sum((await countOpenItems(platform.db)).map(({ count }) => count)),
    show: (item) => toReview(operations, item),
  };
}

/** One item, open or decided. Throws 404 for an attempt that never was under review. */
export async function showReview({ platform, operations }: Reviews, id: string) {
  return toReview(operations, await getItem(platform, id));
}

/**
 * Ends a review item: the effect stands, with the result that the operator found, or it is void. Of two
 * concurrent decisions one wins; 409 `conflict` for the other, unless both are equal. Throws 422 with every
 * failing field.
 */
export async function decideReview(
  reviews: Reviews,
  { id, ctx }: { id: string; ctx: Context },
  body: unknown,
) {
  const { platform, operations } = reviews;
  let item: ReviewItem | null = await getItem(platform, id);
  const operation = operationOf(operations, item);
  const decided = readDecision(operation, body);
  const fingerprint = fingerprintOf(decided);
  for (let tries = 0; tries < triesMax && item?.status === "review"; tries++) {
    if (decided.decision === "stands" && item.resolved_at) throw givenUpBefore();
    const reviewDecision = reviewDecisionOf(ctx, item, { decided, fingerprint });
    await rule(platform, operation, { item, decided, reviewDecision });
    item = await findItem(platform.db, id);
  }
  if (!item) throw foundMeanwhile();
  const now = item;
  if (now.decision?.fingerprint !== fingerprint) {
    throw new ApiError("conflict", {
      message: "The item was decided otherwise.",
      details: { decision: now.decision?.decision ?? null, decided_by: now.decision?.by ?? null },
    });
  }
  return toReview(operations, now);
}

/** Updates the gauge of open items; for workers. */
export async function countReviews({ db, metrics }: Platform): Promise<void> {
  const counts = await countOpenItems(db);
  metrics.review_items.reset();
  for (const { kind, party, count } of counts) metrics.review_items.set({ kind, party }, count);
}

const idsShown = 20;

/** For the health summary: how many are open, and the oldest of them. */
export async function summarizeReviews({ db }: Platform) {
  const open = sum((await countOpenItems(db)).map(({ count }) => count));
  const oldest = await selectOpenItems(db).orderBy("attempts.id").limit(idsShown).execute();
  return {
    open,
    oldest: oldest.map(({ id, kind, party, sent_at }) => ({ id, kind, party, sent_at })),
  };
}

interface Decided {
  decision: "stands" | "void";
  note?: string | null;
}

const note = Maybe(Type.String({ minLength: 1, maxLength: 1000 }));
const strict = { additionalProperties: false };
const VoidDecision = Type.Object({ decision: OneOf(["stands", "void"]), note }, strict);
const standsDecisions = new WeakMap<AnyOperation, TSchema>();

/** The schema of the decision depends on its value, and on the kind of effect. */
function readDecision(operation: AnyOperation, body: unknown): Decided {
  const { decision } = (body ?? {}) as Partial<Decided>;
  const schema = decision === "stands" ? standsDecisionOf(operation) : VoidDecision;
  throwIfAny(problemsOf(schema, body ?? {}));
  return body as Decided;
}

function standsDecisionOf(operation: AnyOperation): TSchema {
  let schema = standsDecisions.get(operation);
  if (!schema) {
    schema = Type.Object({ ...VoidDecision.properties, ...operation.review.evidence }, strict);
    standsDecisions.set(operation, schema);
  }
  return schema;
}

function reviewDecisionOf(
  ctx: Context,
  { account_id, id, kind, subject_id }: ReviewItem,
  { decided, fingerprint }: { decided: Decided; fingerprint: string },
): ReviewDecision {
  const { decision, note = null } = decided;
  const by = nameOfActor(actorOf(ctx.principal));
  const decided_at = ctx.clock.now().toISOString();
  return {
    decision: { decision, by, note, decided_at, fingerprint },
    record: (tx) =>
      recordChange(tx, ctx, {
        account_id,
        action: `review.${decision}`,
        subject_id: id,
        details: { kind, of: subject_id, note },
      }),
  };
}

interface Ruling {
  item: ReviewItem;
  decided: Decided;
  reviewDecision: ReviewDecision;
}

async function rule(platform: Platform, operation: AnyOperation, ruling: Ruling): Promise<void> {
  const { item: attempt, decided, reviewDecision } = ruling;
  try {
    if (decided.decision === "stands") await confirm(platform, operation, ruling);
    else await rejectEffect(platform.outbound, operation, { attempt, reviewDecision });
  } catch (error) {
    // Another decision came first; whether it is equal is checked when the item is read anew.
    if (!(error instanceof LostLease)) throw error;
  }
}

async function confirm(
  { outbound }: Platform,
  operation: AnyOperation,
  { item: attempt, decided, reviewDecision }: Ruling,
): Promise<void> {
  const result: unknown = await operation.review.resultOf(attempt, decided);
  try {
    await confirmEffect(outbound, operation, { attempt, result, reviewDecision });
  } catch (error) {
    // Another decision settled the same effect since the check: checked anew, it says at which field.
    if (operation.mismatchBy?.(error, attempt, result))
      await operation.review.resultOf(attempt, decided);
    throw error;
  }
}

/** A lookup may take the item over between its reading and its decision. */
const triesMax = 3;

function foundMeanwhile(): ApiError {
  return new ApiError("conflict", {
    message: "A lookup has found the effect meanwhile: it stands.",
    details: { decision: null, decided_by: null },
  });
}

/** Its money was released, and its shipment may have another label by now. */
function givenUpBefore(): ApiError {
  return new ApiError("conflict", {
    message:
      "The effect appeared after it had been given up, and what it cost was given back. Undo it at the other side, then decide `void`.",
    details: { decision: null, decided_by: null },
  });
}

async function getItem({ db }: Platform, id: string): Promise<ReviewItem> {
  const item = await findItem(db, id);
  if (!item) throw notFound();
  return item;
}

function toReview(operations: readonly AnyOperation[], item: ReviewItem) {
  const { failure, decision, held_cents } = item;
  const { shipment_id = null } = item.input as { shipment_id?: string };
  return {
    id: item.id,
    kind: item.kind,
    account_id: item.account_id,
    shipment_id,
    carrier: item.party,
    reference: item.reference,
    held: held_cents === null ? null : fromCents(held_cents),
    currency: item.currency,
    sent_at: item.sent_at,
    status: decision?.decision ?? "open",
    last_failure: failure && {
      kind: failure.kind,
      code: failure.party_code,
      message: failure.message,
    },
    effects: decision ? null : effectsOf(operations, item),
    advice: decision ? null : operationOf(operations, item).review.advice(item),
    // A schema of the fields by which `stands` says what the other side shows.
    evidence: decision ? null : operationOf(operations, item).review.evidence,
    decision: decision && {
      by: decision.by,
      note: decision.note,
      decided_at: decision.decided_at,
    },
  };
}

/**
 * What each decision does to the account's money, for the operator to see before deciding. Of a label that stands at a
 * lower price than was held, the rest is freed as well. Null where the money moves only later.
 */
function effectsOf(operations: readonly AnyOperation[], item: ReviewItem) {
  const { held_cents } = item;
  if (held_cents !== null)
    return {
      stands: { balance: -fromCents(held_cents), held: -fromCents(held_cents) },
      void: { balance: 0, held: -fromCents(held_cents) },
    };
  const moves = operationOf(operations, item).review.moves?.(item);
  if (!moves) return null;
  return {
    stands: { balance: fromCents(moves.stands), held: 0 },
    void: { balance: fromCents(moves.void), held: 0 },
  };
}

/** Independent of the order of its fields, and of whether a missing one was sent as null or not at all. */
function fingerprintOf(decided: object): string {
  const ordered = JSON.stringify(decided, (_key, value: unknown) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    const given = Object.entries(value).filter(([, field]) => field !== null);
    return Object.fromEntries(given.sort(([a], [b]) => (a < b ? -1 : 1)));
  });
  return createHash("sha256").update(ordered).digest("hex");
}

function sum(counts: number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
