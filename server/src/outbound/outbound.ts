import type { Tx } from "../database/tables.ts";
import { aboutAttempt } from "../domain/logs/call-subject.ts";
import { newId } from "../domain/values/ids.ts";
import { OutsideError } from "../domain/errors/outside-error.ts";
import {
  begin,
  type Begun,
  type PerformAllRequest,
  type Prepared,
  type RequestFacts,
} from "./begin.ts";
import { lookupSeconds, withDeadline } from "./deadline.ts";
import {
  markNotExecuted,
  settleFlawed,
  settleUnlessMismatched,
  suspend,
  undoAtParty,
} from "./endings.ts";
import {
  canUndo,
  toFailure,
  undone,
  type Attempt,
  type Failure,
  type Outbound,
  type OutboundOperation,
} from "./operation.ts";
import { step } from "../domain/scheduling/step.ts";
import { writeOutcome } from "./write-outcome.ts";

/**
 * The one way in which Waybill causes an effect outside that costs money: buying and voiding a label,
 * charging a card. Each effect is an *attempt*, and an attempt is three steps:
 *
 *   1. one transaction: refusals are thrown, money is held, the attempt is written with its own
 *      reference (`sent`);
 *   2. the call to the outside party with that reference, in no transaction;
 *   3. one transaction: the outcome. `settled` keeps the effect and captures the hold; `refused`
 *      undoes step 1.
 *
 * When no outcome was received (timeout, reset, crash) the attempt is `unknown`: the hold stays, and
 * `recovery.ts` asks the party by the attempt's reference. A call is never repeated blindly. Every takeover
 * raises the attempt's fence, and the outcome is written only under the fence that its holder knows: a
 * process that lost its lease cannot settle.
 *
 * A database that was restored from a backup begins no attempt until it is reconciled; attempts begun before
 * the backup are looked up as usual, because a lookup causes no effect.
 */

/** How a performed operation ended; the verb that asked for it maps this to a response. */
export type Performed<Outcome> =
  | { result: "settled"; outcome: Outcome }
  | { result: "refused"; failure: Failure; error: unknown }
  | { result: "unknown"; failure: Failure };

interface PerformRequest<Input, Message> extends RequestFacts {
  /**
   * Runs in the attempt's transaction, given the attempt's id; when it throws, the request is refused. Runs
   * once more, in a new transaction, to report the shortfall when the hold is not covered: so its only side
   * effects are those of `tx`.
   */
  prepare(tx: Tx, attempt: { id: string; reference: string }): Promise<Prepared<Input, Message>>;
}

/**
 * Carries one effect through its three steps. Throws only what `prepare` throws, 503 `unavailable` on a
 * restored database that is not reconciled, or a bug.
 */
export async function perform<Input extends object, Message, Result, Outcome>(
  outbound: Outbound,
  operation: OutboundOperation<Input, Message, Result, Outcome>,
  { prepare, ...request }: PerformRequest<Input, Message>,
): Promise<Performed<Outcome>> {
  const id = request.known?.reference ?? newId("att");
  const [performed] = await performAll(outbound, operation, {
    ...request,
    wanted: null,
    subject_id: id,
    prepare: async (tx) => [[{ ...(await prepare(tx, { id, reference: id })), id }]],
  });
  return performed!;
}

/**
 * Carries the effects of one request, such as the carriers of one pickup, through their steps: one
 * transaction begins them all or none, then each is called, and ends, on its own. Requests that begin or end
 * at the same time may share a transaction: see `Prepare`. Returns how each effect ended, in the order of
 * `prepare`. Throws as `perform` does.
 */
export async function performAll<Wanted, Input extends object, Message, Result, Outcome>(
  outbound: Outbound,
  operation: OutboundOperation<Input, Message, Result, Outcome>,
  request: PerformAllRequest<Wanted, Input, Message>,
): Promise<Performed<Outcome>[]> {
  const begun = await begin(outbound, operation, request);
  return Promise.all(
    begun.map((each) => aboutAttempt(each.attempt, () => carryOut(outbound, operation, each))),
  );
}

async function carryOut<Input extends object, Message, Result, Outcome>(
  outbound: Outbound,
  operation: OutboundOperation<Input, Message, Result, Outcome>,
  { attempt, message, written_at }: Begun<Input, Message>,
): Promise<Performed<Outcome>> {
  let result: Result;
  try {
    result = await step(outbound, { name: "send", of: operation }, async () => {
      refuseToSendLate(outbound, attempt, written_at);
      return withDeadline(operation.timeoutSeconds(attempt.input), (signal) =>
        operation.send(attempt, message, signal),
      );
    });
  } catch (error) {
    return fail(outbound, operation, { attempt, error });
  }
  try {
    const ended = await writeOutcome(outbound, attempt, () =>
      settleUnlessMismatched(outbound, operation, { attempt, result }),
    );
    if (!ended) return { result: "unknown", failure: toFailure(attempt, null) };
    if ("outcome" in ended.value) return { result: "settled", ...ended.value };
    return await confirmByLookup(outbound, operation, { attempt, result, ...ended.value });
  } catch (error) {
    return outOfReach(outbound, operation, { attempt, error });
  }
}

/**
 * Records an effect that a party is known to have, and this database lacks: the same three steps, but without
 * the call. `known` of the request says under which reference the party has it, where it was caused under a
 * reference that the database lost.
 */
export function recordExisting<Input extends object, Message, Result, Outcome>(
  outbound: Outbound,
  operation: OutboundOperation<Input, Message, Result, Outcome>,
  { result, ...request }: PerformRequest<Input, Message> & { result: Result },
): Promise<Performed<Outcome>> {
  return perform(outbound, alone(operation, { send: async () => result }), request);
}

/**
 * The same for the effects of one request, each by its reference. One without a result has no known answer: it is
 * looked up as any other.
 */
export function recordAllExisting<Wanted, Input extends object, Message, Result, Outcome>(
  outbound: Outbound,
  operation: OutboundOperation<Input, Message, Result, Outcome>,
  {
    results,
    ...request
  }: PerformAllRequest<Wanted, Input, Message> & { results: ReadonlyMap<string, Result> },
): Promise<Performed<Outcome>[]> {
  const send = async ({ reference }: Attempt<Input>) => {
    const result = results.get(reference);
    if (result === undefined) throw new Error("its answer was lost with the database");
    return result;
  };
  return performAll(outbound, alone(operation, { send }), request);
}

/** Not shared with others: `known` of a request sets its own time. */
function alone<Input extends object, Message, Result, Outcome>(
  operation: OutboundOperation<Input, Message, Result, Outcome>,
  { send }: Pick<OutboundOperation<Input, Message, Result, Outcome>, "send">,
): OutboundOperation<Input, Message, Result, Outcome> {
  return { ...operation, settles_together: false, send };
}

/**
 * A process that was paused for a good part of its lease between writing the attempt and sending it may have
 * been taken for dead, and the attempt marked not executed: no process would look for the effect of a later
 * call. The wall clock is checked as well as the monotonic one, which stops while the machine is suspended.
 */
function refuseToSendLate(
  { lease_seconds }: Outbound,
  { party }: Attempt<object>,
  { monotonic_ms, wall_ms }: Begun<object, unknown>["written_at"],
): void {
  const elapsedMs = Math.max(performance.now() - monotonic_ms, Date.now() - wall_ms);
  if (elapsedMs < lease_seconds * 500) return;
  throw new OutsideError({
    kind: "unreachable",
    party,
    party_code: "not_sent",
    message: "The request was not sent in time; nothing was charged.",
  });
}

/**
 * How long a call that `send` has begun may still wait in a queue: with the half of a lease before it, less
 * than the time after which the process counts as dead. The effect may appear later by as much.
 */
export function queueSeconds({ lease_seconds }: Pick<Outbound, "lease_seconds">): number {
  return lease_seconds / 4;
}

async function fail<Input extends object, Message, Result, Outcome>(
  outbound: Outbound,
  operation: OutboundOperation<Input, Message, Result, Outcome>,
  { attempt, error }: { attempt: Attempt<Input>; error: unknown },
): Promise<Performed<Outcome>> {
  const failure = toFailure(attempt, error);
  outbound.log.warn(
    { attempt_id: attempt.id, kind: operation.kind, failure, err: error },
    "outbound.failed",
  );
  if (failure.kind !== "unknown") {
    const refused = await writeOutcome(outbound, attempt, () =>
      markNotExecuted(outbound, operation, { attempt, failure, status: "refused" }),
    );
    if (refused) return { result: "refused", failure, error };
  } else {
    await writeOutcome(outbound, attempt, () => suspend(outbound, operation, { attempt, failure }));
  }
  return { result: "unknown", failure: { ...failure, kind: "unknown" } };
}

/**
 * The effect happened, but not as requested. The response may have been corrupted on its way, so the party is
 * asked once more; an effect that still does not match is reversed, or kept with its flaw where the party
 * reverses none.
 */
async function confirmByLookup<Input extends object, Message, Result, Outcome>(
  outbound: Outbound,
  operation: OutboundOperation<Input, Message, Result, Outcome>,
  first: { attempt: Attempt<Input>; result: Result; mismatch: OutsideError },
): Promise<Performed<Outcome>> {
  const { attempt } = first;
  const { recovery } = operation;
  let { result, mismatch } = first;
  const lookUp = await operation.lookUp(attempt.input, attempt.account_id);
  // A lookup that proves nothing may not show it yet, and tells less than the answer did.
  if (recovery.by === "find" && lookUp?.absence === "proof") {
    const found = await step(outbound, { name: "look_up", of: operation }, () =>
      withDeadline(lookupSeconds, (signal) => recovery.find(attempt, signal)),
    );
    if (found === null || found === undone)
      throw new Error(`attempt ${attempt.id} was answered but is not found`);
    result = operation.complete?.(found, result) ?? found;
    const ended = await settleUnlessMismatched(outbound, operation, { attempt, result });
    if ("outcome" in ended) return { result: "settled", ...ended };
    mismatch = ended.mismatch;
  }
  const failure = toFailure(attempt, mismatch);
  if (!canUndo(operation, attempt)) {
    const kept = await settleFlawed(outbound, operation, { attempt, result, mismatch });
    // One that cannot be kept either is looked up by recovery, which leaves it to an operator.
    if (!kept) throw mismatch;
    return { result: "settled", ...kept };
  }
  await undoAtParty(outbound, operation, { attempt, result, failure });
  await markNotExecuted(outbound, operation, { attempt, failure, status: "refused" });
  outbound.log.warn({ attempt_id: attempt.id, kind: operation.kind, failure }, "outbound.reversed");
  return { result: "refused", failure, error: mismatch };
}

/**
 * The effect happened, but writing it failed, for a reason that is not transient. Recovery looks it up again
 * at the party, and retries.
 */
async function outOfReach<Input extends object, Message, Result, Outcome>(
  outbound: Outbound,
  operation: OutboundOperation<Input, Message, Result, Outcome>,
  { attempt, error }: { attempt: Attempt<Input>; error: unknown },
): Promise<Performed<Outcome>> {
  outbound.log.error(
    { attempt_id: attempt.id, kind: operation.kind, err: error },
    "outbound.not_settled",
  );
  const failure = { ...toFailure(attempt, error), kind: "unknown" as const };
  await writeOutcome(outbound, attempt, () => suspend(outbound, operation, { attempt, failure }));
  return { result: "unknown", failure };
}
