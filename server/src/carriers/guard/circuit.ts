import { circuitBreaker, CircuitState, handleWhen, isBrokenCircuitError } from "cockatiel";
import { OutsideError } from "../../domain/errors/outside-error.ts";

/** The code of a call that was not made because its contract allows no more of them now. */
export const overBudget = "over_budget";

/** The operations of a carrier, each with a share of its own. */
export type GuardedOperation =
  "quotes" | "purchases" | "look_ups" | "voids" | "pickups" | "tracking";

/**
 * Stops calls to a dead carrier, so that no caller waits for it, except one call in a while. It opens after
 * so many consecutive failures that prove a dead carrier:
 *
 * - no listener at its address, for any operation; any response at all ends that row;
 * - a purchase, lookup, void or pickup that times out; a response to the same operation ends the row.
 *
 * A quote that times out proves nothing, since one shipment can keep a carrier busy without end; nor does
 * a tracking poll that times out, which blocks nothing, or a reset connection. A refusal is a response.
 * The operation that opened the circuit must get a response to close it.
 */
export interface Circuit {
  /** Makes the call, unless the circuit is open: then throws `CircuitOpen`, and nothing is sent. */
  call<T>(operation: GuardedOperation, send: () => Promise<T>): Promise<T>;
  /** Throws `CircuitOpen` if a call of this kind would not be made now. */
  refuseIfOpen(operation: GuardedOperation): void;
}

export class CircuitOpen extends Error {}

interface CircuitOptions {
  failures_max: number;
  /** How long nothing is sent; then one call goes ahead, and the others wait for its result. */
  pause_ms: number;
  on_change(isOpen: boolean): void;
}

/** No listener at all, or timeouts of this operation. */
type FaultKind = "unreachable" | Telling;
/** The operations whose timeouts prove a dead carrier. */
type Telling = Exclude<GuardedOperation, "quotes" | "tracking">;

const noFaults: Readonly<Record<FaultKind, number>> = {
  unreachable: 0,
  purchases: 0,
  look_ups: 0,
  voids: 0,
  pickups: 0,
};

export function circuit({ failures_max, pause_ms, on_change }: CircuitOptions): Circuit {
  const rows = { ...noFaults };
  const fatal = new WeakSet<object>();
  let latest: FaultKind = "unreachable";
  let opened: { by: FaultKind; at: number } = { by: latest, at: 0 };

  const breaker = circuitBreaker(
    handleWhen((error) => fatal.has(error)),
    {
      halfOpenAfter: pause_ms,
      breaker: {
        state: null,
        success() {},
        failure: () => Math.max(...Object.values(rows)) >= failures_max,
      },
    },
  );
  breaker.onBreak(() => {
    opened = { by: latest, at: Date.now() };
    on_change(true);
  });
  breaker.onReset(() => {
    for (const fault of Object.keys(rows) as FaultKind[]) rows[fault] = 0;
    on_change(false);
  });

  /** Whether a response to this operation would show that the fault is over. */
  const settles = (operation: GuardedOperation) =>
    opened.by === "unreachable" || opened.by === operation;

  function recordResponse(operation: GuardedOperation): void {
    rows.unreachable = 0;
    if (isTelling(operation)) rows[operation] = 0;
    // Lookups are not the breaker's own probes, so it does not close by itself when one is answered.
    const isShut = breaker.state === CircuitState.Open || breaker.state === CircuitState.HalfOpen;
    if (operation === "look_ups" && isShut && settles(operation)) breaker.isolate().dispose();
  }

  async function listen<T>(operation: GuardedOperation, send: () => Promise<T>): Promise<T> {
    try {
      const answer = await send();
      recordResponse(operation);
      return answer;
    } catch (error) {
      const fault = faultIn(operation, error);
      if (fault) {
        rows[fault]++;
        latest = fault;
        fatal.add(error as object);
      } else if (isAnswer(error)) recordResponse(operation);
      throw error;
    }
  }

  function refuseIfOpen(operation: GuardedOperation): void {
    // A lookup of an outcome runs while money is held, and is infrequent enough.
    if (operation === "look_ups" || breaker.state === CircuitState.Closed) return;
    const isPausing = Date.now() - opened.at < pause_ms;
    const isProbed = breaker.state === CircuitState.HalfOpen && settles(operation);
    if (isPausing || isProbed) throw new CircuitOpen();
  }

  return {
    refuseIfOpen,
    async call(operation, send) {
      refuseIfOpen(operation);
      const isClosed = breaker.state === CircuitState.Closed;
      // A call that would not close the circuit is no probe: a quote, where purchases time out.
      const isOutside = operation === "look_ups" || !settles(operation);
      if (!isClosed && isOutside) return listen(operation, send);
      try {
        return await breaker.execute(() => listen(operation, send));
      } catch (error) {
        throw isBrokenCircuitError(error) ? new CircuitOpen() : error;
      }
    },
  };
}

function faultIn(operation: GuardedOperation, error: unknown): FaultKind | null {
  if (!(error instanceof OutsideError) || error.party_code === overBudget) return null;
  if (error.kind === "unreachable") return "unreachable";
  const isLate = error.kind === "unknown" && error.party_code === "timeout";
  return isLate && isTelling(operation) ? operation : null;
}

function isTelling(operation: GuardedOperation): operation is Telling {
  return operation !== "quotes" && operation !== "tracking";
}

/** The carrier responded, be it with a refusal or nonsense: neither a timeout nor a reset connection. */
function isAnswer(error: unknown): boolean {
  const withoutOne = ["timeout", "connection", overBudget];
  return error instanceof OutsideError && !withoutOne.includes(error.party_code);
}
