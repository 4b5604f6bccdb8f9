import { circuitBreaker, CircuitState, handleWhen, isBrokenCircuitError } from "cockatiel";
import { OutsideError } from "../../domain/errors/outside-error.ts";

/** What carriers are asked for, each with a share of its own. */
export const guardedOperations = [
  "quotes",
  "purchases",
  "look_ups",
  "voids",
  "pickups",
  "tracking",
] as const;
export type GuardedOperation = (typeof guardedOperations)[number];

/**
 * Spares a dead carrier, and those who would wait for it, every call but one in a while. It opens after
 * so many failures in a row that prove a dead carrier:
 *
 * - nobody listens at its address, whatever was asked; any answer at all ends that row;
 * - a purchase, look-up, void or pickup that is not answered in time; an answer to the same kind ends the row.
 *
 * A quote that is not answered proves nothing, since one shipment can make a carrier think for ever; nor
 * does silence on where a parcel is, which costs nobody anything, or a connection that breaks. A no is an answer. What opened the circuit must be answered to close it.
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
  /** How long nothing is sent; then one call goes ahead, and the others wait for how it ends. */
  pause_ms: number;
  on_change(isOpen: boolean): void;
}

/** Nobody listens, or nobody answers this kind of call. */
type Trouble = "unreachable" | Telling;
/** Those whose silence proves something. */
type Telling = Exclude<GuardedOperation, "quotes" | "tracking">;

const noDatabaseFault: Readonly<Record<Trouble, number>> = {
  unreachable: 0,
  purchases: 0,
  look_ups: 0,
  voids: 0,
  pickups: 0,
};

export function circuit({ failures_max, pause_ms, on_change }: CircuitOptions): Circuit {
  const rows = { ...noDatabaseFault };
  const fatal = new WeakSet<object>();
  let latest: Trouble = "unreachable";
  let opened: { by: Trouble; at: number } = { by: latest, at: 0 };

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
    for (const trouble of Object.keys(rows) as Trouble[]) rows[trouble] = 0;
    on_change(false);
  });

  /** Whether an answer to this kind of call would show that the trouble is over. */
  const settles = (operation: GuardedOperation) =>
    opened.by === "unreachable" || opened.by === operation;

  function heard(operation: GuardedOperation): void {
    rows.unreachable = 0;
    if (isTelling(operation)) rows[operation] = 0;
    // Look-ups are not the breaker's own probes, so it does not close by itself when one is answered.
    const isShut = breaker.state === CircuitState.Open || breaker.state === CircuitState.HalfOpen;
    if (operation === "look_ups" && isShut && settles(operation)) breaker.isolate().dispose();
  }

  async function listen<T>(operation: GuardedOperation, send: () => Promise<T>): Promise<T> {
    try {
      const answer = await send();
      heard(operation);
      return answer;
    } catch (error) {
      const trouble = faultIn(operation, error);
      if (trouble) {
        rows[trouble]++;
        latest = trouble;
        fatal.add(error as object);
      } else if (isAnswer(error)) heard(operation);
      throw error;
    }
  }

  function refuseIfOpen(operation: GuardedOperation): void {
    // Whoever looks up an outcome holds money meanwhile, and asks seldom enough.
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
      // What would not close the circuit is no probe: a quote, where purchases are not answered.
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

function faultIn(operation: GuardedOperation, error: unknown): Trouble | null {
  if (!(error instanceof OutsideError)) return null;
  if (error.kind === "unreachable") return "unreachable";
  const isLate = error.kind === "unknown" && error.party_code === "timeout";
  return isLate && isTelling(operation) ? operation : null;
}

function isTelling(operation: GuardedOperation): operation is Telling {
  return operation !== "quotes" && operation !== "tracking";
}

/** The carrier said something, be it no or nonsense: neither a time-out nor a broken connection. */
function isAnswer(error: unknown): boolean {
  return error instanceof OutsideError && !["timeout", "connection"].includes(error.party_code);
}
