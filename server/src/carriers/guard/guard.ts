import { bulkhead, type BulkheadPolicy } from "cockatiel";
import { BudgetExhausted } from "../../domain/scheduling/call-budget.ts";
import type { BudgetGroup } from "../../domain/accounts/connection-budgets.ts";
import { CarrierError, descriptorUnder, type CallContext, type Carrier } from "../carrier.ts";
import type { CarrierConnection } from "../connection.ts";
import type { CarrierPickups } from "../pickups.ts";
import { budgetBook, type Spending, type Urgency } from "./budgets.ts";
import {
  circuit,
  CircuitOpen,
  overBudget,
  type Circuit,
  type GuardedOperation,
} from "./circuit.ts";
import { lruStates } from "./lru-states.ts";
import { Busy, withSlots } from "./wait-for-slots.ts";

/**
 * Guards every carrier, so that a slow or dead one blocks neither the process nor the
 * other carriers: on each connection each account has so many calls in flight, all accounts
 * together so many, and every operation a share of its own, so that quotes cannot starve purchases.
 * A call without a free slot waits for a while; one with an open circuit fails at once; one beyond what its
 * contract allows waits only for what comes free in that time. Each way nothing was sent, and the error states
 * it: `unreachable`, code `carrier_busy`, `circuit_open` or `over_budget`.
 *
 * Never makes a call twice, and never one of its own.
 */
interface CarrierGuard {
  guard(carrier: Carrier): Carrier;
  /** The accounts and carriers whose calls are not made at the moment. */
  openCircuits(): OpenCircuit[];
}

interface OpenCircuit extends Caller {
  carrier: string;
}

/** Whose calls, and on which connection; absent where the carrier is called on none. */
interface Caller {
  account_id: string;
  connection_id?: string;
}

export interface GuardOptions {
  /** Of one account at one carrier, in flight. */
  quotes_max: number;
  purchases_max: number;
  /** Of all accounts on one connection with a carrier, in flight, of every kind. */
  calls_max: number;
  /** How long a purchase, a void or a pickup may wait before it is sent. */
  wait_ms: number;
  circuit_failures: number;
  /** How many processes share what contracts allow. */
  processes(): number;
  /** How many accounts' circuits are open at the carrier now. */
  on_circuit(carrier: string, open: number): void;
  on_refused(carrier: string, operation: GuardedOperation, reason: Reason): void;
}

export type Reason = "carrier_busy" | "circuit_open" | typeof overBudget;

/** Percentages of a carrier's slots: the maximum of each operation, which no other can use. */
const shares: Readonly<Limits> = {
  quotes: 45,
  purchases: 30,
  look_ups: 10,
  voids: 6,
  pickups: 4,
  tracking: 5,
};
const waitingMax = 1_000;
const circuitPauseMs = 2_000;

export function carrierGuard(options: GuardOptions): CarrierGuard {
  const open = new Map<string, Map<string, Caller>>();
  const spendingOf = budgetBook({ ...options, now: () => performance.now() });
  return {
    guard: (carrier) => {
      const callers = new Map<string, Caller>();
      open.set(carrier.descriptor.code, callers);
      return guarded(carrier, guardOf(carrier, { ...options, spendingOf }, callers));
    },
    openCircuits: () =>
      [...open].flatMap(([carrier, callers]) =>
        [...callers.values()].map((caller) => ({ carrier, ...caller })),
      ),
  };
}

/** The one way of a call: its budget, its slots and its circuit, in this order. */
function guardOf(
  carrier: Carrier,
  options: GuardOptions & { spendingOf: ReturnType<typeof budgetBook> },
  open: Map<string, Caller>,
): Guarding {
  const { code, purchaseTimeoutSeconds } = carrier.descriptor;
  const stateOf = accountStates(code, options, open);
  const ofAll = lruStates(() => ({ places: placesOf(sharesOf(options)), calls: 0 }));
  // A call that waited must still have time for its response.
  const wait_ms = Math.min(options.wait_ms, purchaseTimeoutSeconds * 500);

  return async function guard<T>(
    { operation, account_id, connection, signal, budget = budgetOf[operation] }: Guarded,
    send: () => Promise<T>,
  ): Promise<T> {
    const call = { kind: operation, connection, ...budget };
    const spending = spendingOn(carrier, options.spendingOf, call);
    const on = connection ? { connection_id: connection.id } : {};
    const account = stateOf({ account_id, ...on });
    const all = ofAll(connection?.id ?? "");
    const waits = operation === "quotes" || operation === "look_ups" ? maxTimerMs : wait_ms;
    const began = performance.now();
    account.calls++;
    all.calls++;
    try {
      account.circuit.refuseIfOpen(operation);
      if (spending && mayWait.includes(operation))
        await untilAllowed(spending, { signal, wait_ms: Math.min(budgetWaitMs, waits) });
      return await withSlots(
        [account.places[operation], all.places[operation]],
        { signal, wait_ms: waits - (performance.now() - began) },
        () => account.circuit.call(operation, () => (spending ? spending.run(send) : send())),
      );
    } catch (error) {
      const refusal = refusalOf(carrier, error);
      if (refusal) options.on_refused(code, operation, refusal.carrier_code as Reason);
      throw refusal ?? error;
    } finally {
      account.calls--;
      all.calls--;
    }
  };
}

function guarded(carrier: Carrier, guard: Guarding): Carrier {
  return {
    descriptor: carrier.descriptor,
    quote: (request, signal) =>
      guard({ operation: "quotes", ...request.context, signal }, () =>
        carrier.quote(request, signal),
      ),
    buyLabel: (request, signal) =>
      guard({ operation: "purchases", ...request.context, signal }, () =>
        carrier.buyLabel(request, signal),
      ),
    lookUpLabel: (sent, signal) =>
      guard(
        { operation: "look_ups", ...sent.context, signal, budget: lookUpBudget(carrier, sent) },
        () => carrier.lookUpLabel(sent, signal),
      ),
    fetchFiles: (label, format, signal) =>
      guard({ operation: "look_ups", ...label.context, signal }, () =>
        carrier.fetchFiles(label, format, signal),
      ),
    refundState: (label, signal) =>
      guard({ operation: "look_ups", ...label.context, signal, budget: later }, () =>
        carrier.refundState(label, signal),
      ),
    listLabels: (request, signal) =>
      guard({ operation: "look_ups", ...ofPlatform, signal }, () =>
        carrier.listLabels(request, signal),
      ),
    voidLabel: (request, signal) =>
      guard({ operation: "voids", ...request.context, signal }, () =>
        carrier.voidLabel(request, signal),
      ),
    track: (request, signal) =>
      guard({ operation: "tracking", ...request.context, signal }, () =>
        carrier.track(request, signal),
      ),
    ...(carrier.testConnection ? { testConnection: carrier.testConnection } : {}),
    ...(carrier.pickups ? { pickups: guardedPickups(carrier.pickups, guard) } : {}),
    ...guardedCapabilities(carrier, guard),
  };
}

/** What is taken from the budgets of the call's connection; null where it has none. */
function spendingOn(
  { descriptor }: Carrier,
  spendingOf: ReturnType<typeof budgetBook>,
  { connection, ...call }: Budget & { kind: string; connection: CarrierConnection | null },
): Spending | null {
  if (!connection) return null;
  const own = descriptorUnder(descriptor, connection.id).budgets;
  // A sandbox's limits are others, and not known.
  const budgets = connection.budgets ?? (connection.environment === "live" ? own : null);
  return budgets ? spendingOf(connection, budgets, call) : null;
}

type Guarding = <T>(guarded: Guarded, send: () => Promise<T>) => Promise<T>;

/** A manifest hands over what was bought: it uses the slots of purchases. */
function guardedCapabilities(
  { addresses, locations, manifests }: Carrier,
  guard: Guarding,
): Pick<Carrier, "addresses" | "locations" | "manifests"> {
  return {
    ...(addresses && {
      addresses: {
        check: (request, signal) =>
          guard({ operation: "look_ups", ...request.context, signal, budget: others }, () =>
            addresses.check(request, signal),
          ),
      },
    }),
    ...(locations && {
      locations: {
        near: (request, signal) =>
          guard({ operation: "look_ups", ...request.context, signal, budget: others }, () =>
            locations.near(request, signal),
          ),
      },
    }),
    ...(manifests && {
      manifests: {
        create: (request, signal) =>
          guard({ operation: "purchases", ...request.context, signal }, () =>
            manifests.create(request, signal),
          ),
        lookUp: (sent, signal) =>
          guard({ operation: "look_ups", ...sent.context, signal }, () =>
            manifests.lookUp(sent, signal),
          ),
        files: (manifest, signal) =>
          guard({ operation: "look_ups", ...manifest.context, signal }, () =>
            manifests.files(manifest, signal),
          ),
      },
    }),
  };
}

/** Of lists of all accounts, which are asked for without a connection. */
const ofPlatform = { account_id: "platform", connection: null };

/** Cancelling a pickup uses the slots of scheduling one. */
function guardedPickups(pickups: CarrierPickups, guard: Guarding): CarrierPickups {
  return {
    schedule: (request, signal) =>
      guard({ operation: "pickups", ...request.context, signal }, () =>
        pickups.schedule(request, signal),
      ),
    lookUp: (sent, signal) =>
      guard({ operation: "look_ups", ...sent.context, signal }, () => pickups.lookUp(sent, signal)),
    list: (request, signal) =>
      guard({ operation: "look_ups", ...ofPlatform, signal }, () => pickups.list(request, signal)),
    cancel: (request, signal) =>
      guard({ operation: "pickups", ...request.context, signal }, () =>
        pickups.cancel(request, signal),
      ),
  };
}

interface Guarded {
  operation: GuardedOperation;
  account_id: string;
  connection: CarrierConnection | null;
  signal: AbortSignal;
  /** Where it is another than the operation's. */
  budget?: Budget;
}

interface Budget {
  group: Exclude<BudgetGroup, "all">;
  urgency: Urgency;
}

const later: Budget = { group: "tracking", urgency: "later" };
const others: Budget = { group: "other", urgency: "later" };
const budgetOf: Readonly<Record<GuardedOperation, Budget>> = {
  quotes: { group: "rates", urgency: "prices" },
  purchases: { group: "labels", urgency: "money" },
  look_ups: { group: "labels", urgency: "money" },
  voids: { group: "labels", urgency: "money" },
  pickups: { group: "other", urgency: "money" },
  tracking: later,
};

/** Carriers whose lookup is only a hint are asked by way of tracking. */
function lookUpBudget({ descriptor }: Carrier, { context }: { context: CallContext }): Budget {
  const { lookUp } = descriptorUnder(descriptor, context.connection?.id);
  const isTracking = lookUp.by !== "none" && lookUp.absence === "hint";
  return { group: isTracking ? "tracking" : "labels", urgency: "money" };
}

/** How long a call waits at most until its contract allows it: for what comes free later it is refused at once. */
const budgetWaitMs = 1_000;
/** What is repeated by itself does not wait. */
const mayWait: readonly GuardedOperation[] = ["quotes", "purchases", "voids", "pickups"];

async function untilAllowed(
  spending: Spending,
  { signal, wait_ms }: { signal: AbortSignal; wait_ms: number },
): Promise<void> {
  const until = performance.now() + wait_ms;
  for (let free_ms = spending.freeInMs(); free_ms > 0; free_ms = spending.freeInMs()) {
    if (signal.aborted || performance.now() + free_ms > until) throw new BudgetExhausted(free_ms);
    await new Promise((resolve) => setTimeout(resolve, free_ms));
  }
}

/**
 * Quotes, lookups and tracking wait until their caller's signal fires; no timer runs longer than this
 * anyway.
 */
const maxTimerMs = 60_000;

type Limits = Record<GuardedOperation, number>;
type Places = Record<GuardedOperation, BulkheadPolicy>;

function sharesOf({ calls_max }: GuardOptions): Limits {
  const share = (percent: number) => Math.max(1, Math.floor((calls_max * percent) / 100));
  return mapped(shares, share);
}

/** Half of what all accounts together may look up, void, schedule or track. */
function limitsOfOne(options: GuardOptions): Limits {
  const halves = mapped(sharesOf(options), (share) => Math.ceil(share / 2));
  return { ...halves, quotes: options.quotes_max, purchases: options.purchases_max };
}

function placesOf(limits: Limits): Places {
  return mapped(limits, (limit) => bulkhead(limit, waitingMax));
}

function mapped<T>(limits: Limits, make: (limit: number) => T): Record<GuardedOperation, T> {
  const { quotes, purchases, look_ups, voids, pickups, tracking } = limits;
  return {
    quotes: make(quotes),
    purchases: make(purchases),
    look_ups: make(look_ups),
    voids: make(voids),
    pickups: make(pickups),
    tracking: make(tracking),
  };
}

interface AccountState {
  circuit: Circuit;
  places: Places;
  /** In flight or waiting: while there are any, the state is not dropped. */
  calls: number;
}

/** The state of each account on each connection with one carrier. */
function accountStates(code: string, options: GuardOptions, open: Map<string, Caller>) {
  const limits = limitsOfOne(options);
  const showOpen = (key: string, caller: Caller | null) => {
    if (caller) open.set(key, caller);
    else open.delete(key);
    options.on_circuit(code, open.size);
  };
  const stateOf = lruStates<AccountState, Caller>(
    (key, caller) => ({
      circuit: circuit({
        failures_max: options.circuit_failures,
        pause_ms: circuitPauseMs,
        on_change: (isOpen) => showOpen(key, isOpen ? caller : null),
      }),
      places: placesOf(limits),
      calls: 0,
    }),
    (key) => showOpen(key, null),
  );
  return (caller: Caller) => stateOf(`${caller.connection_id ?? ""} ${caller.account_id}`, caller);
}

/** The call that was not sent, and why; null for failures of the carrier itself. */
function refusalOf({ descriptor }: Carrier, error: unknown): CarrierError | null {
  const { code: carrier, name } = descriptor;
  if (error instanceof Busy) {
    const message = `Too many calls to ${name} are under way; this one was not sent.`;
    const carrier_code = "carrier_busy";
    const exclusion = "carrier_rate_limited";
    return new CarrierError({ kind: "unreachable", carrier, carrier_code, message, exclusion });
  }
  if (error instanceof BudgetExhausted) {
    const message = `${name} has been called as often as its contract allows for now.`;
    const failure = { kind: "unreachable", carrier, carrier_code: overBudget, message } as const;
    const { retry_after_seconds } = error;
    const exclusion = "carrier_rate_limited";
    return new CarrierError({ ...failure, exclusion, retry_after_seconds });
  }
  if (error instanceof CircuitOpen) {
    const message = `${name} cannot be reached at the moment; nothing was sent.`;
    return new CarrierError({
      kind: "unreachable",
      carrier,
      carrier_code: "circuit_open",
      message,
    });
  }
  return null;
}
