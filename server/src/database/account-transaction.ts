import { inTransaction } from "./connect.ts";
import type { Database, Tx } from "./tables.ts";
import { DatabaseUnavailable, isBroken, isFull } from "./errors.ts";

/**
 * What moves an account's money waits for its one balance row, and holds a connection while it waits. Many
 * concurrent purchases of one account would hold all connections: its own further calls would be refused, and
 * those of all other accounts with them. So each process has at most a few open transactions for an account;
 * its other callers wait here, first in, first out, without a connection.
 *
 * Callers that wait for work of one kind share a transaction (group commit): while one of the kind is open,
 * the next callers are collected, and then share one. No caller waits for others to arrive.
 */
const openMax = 4;

/** How many share one transaction at most. */
const sharedMax = 32;

interface AccountQueue {
  open: number;
  waiting: (() => void)[];
  /** Callers that share a transaction, by the kind of their work. */
  groups: Map<unknown, Group>;
}

/** By database, and by account. */
const queues = new WeakMap<Database, Map<string, AccountQueue>>();

function queueOf(db: Database, accountId: string): AccountQueue {
  const ofAll = queues.get(db) ?? new Map<string, AccountQueue>();
  queues.set(db, ofAll);
  const queue = ofAll.get(accountId) ?? { open: 0, waiting: [], groups: new Map() };
  ofAll.set(accountId, queue);
  return queue;
}

function forgetIfGone(db: Database, accountId: string): void {
  const { open, groups } = queueOf(db, accountId);
  if (open === 0 && groups.size === 0) queues.get(db)!.delete(accountId);
}

/** Runs the work in a transaction once the account has a free slot. Throws what `inTransaction` throws. */
export async function inAccountTransaction<T>(
  db: Database,
  accountId: string,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const queue = queueOf(db, accountId);
  if (queue.open < openMax) queue.open++;
  else await new Promise<void>((enter) => queue.waiting.push(enter));
  try {
    return await inTransaction(db, work);
  } finally {
    // The slot passes to the next waiting caller, so that a new caller does not overtake those that wait.
    const next = queue.waiting.shift();
    if (next) next();
    else queue.open--;
    forgetIfGone(db, accountId);
  }
}

/** What a caller executes in a transaction that others may share. */
export interface Share<Item, Done> {
  /** Shares of one group execute together: `work` is the same for all of them. Compared by identity. */
  group: unknown;
  item: Item;
  /**
   * The resource that the item changes. Two items of one subject never share: the second has to see the
   * first's changes.
   */
  subject: string;
  /** Does it for all the items or, when it throws, for none. Returns the result of each, in their order. */
  work(tx: Tx, items: readonly Item[]): Promise<readonly Done[]>;
}

interface Waiting {
  share: Share<unknown, unknown>;
  resolve(done: unknown): void;
  reject(error: unknown): void;
}

/** Those of one group. */
interface Group {
  waiting: Waiting[];
  /** Of the callers that wait and of those that are being executed. */
  subjects: Set<string>;
}

/**
 * The same in a transaction shared with other waiting callers of that kind. An item that fails does no harm
 * to the others: when a shared transaction fails, each item is retried alone, and each gets its own error.
 */
export function inSharedTransaction<Item, Done>(
  db: Database,
  accountId: string,
  share: Share<Item, Done>,
): Promise<Done> {
  const { groups } = queueOf(db, accountId);
  return new Promise<Done>((resolve, reject) => {
    const one = { share, resolve, reject } as unknown as Waiting;
    const { group, subject } = share;
    const others = groups.get(group);
    if (others?.subjects.has(subject)) return void serve(db, accountId, [one]);
    if (others) {
      others.waiting.push(one);
      others.subjects.add(subject);
      return;
    }
    groups.set(group, { waiting: [one], subjects: new Set([subject]) });
    // Items that arrive in one iteration of the event loop share a transaction.
    setImmediate(() => void serveAll(db, accountId, group));
  });
}

/** Executes the waiting callers, and those that arrive in the meantime. Never throws. */
async function serveAll(db: Database, accountId: string, key: unknown): Promise<void> {
  const queue = queueOf(db, accountId);
  const { waiting, subjects } = queue.groups.get(key)!;
  while (waiting.length > 0) {
    const group = waiting.splice(0, sharedMax).sort(bySubject);
    const fault = await serve(db, accountId, group);
    // Nothing waits for a database that is unavailable.
    const refused = fault ? waiting.splice(0) : [];
    for (const { reject } of refused) reject(unavailable(fault!.cause, { may_have_run: false }));
    for (const { share } of [...group, ...refused]) subjects.delete(share.subject);
  }
  queue.groups.delete(key);
  forgetIfGone(db, accountId);
}

/** The order in which every group locks them, so that no two groups wait for each other. */
function bySubject({ share: one }: Waiting, { share: other }: Waiting): number {
  return one.subject < other.subject ? -1 : 1;
}

/** Returns the error if the database is unavailable. Never throws. */
async function serve(
  db: Database,
  accountId: string,
  group: readonly Waiting[],
): Promise<{ cause: unknown } | null> {
  try {
    const { work } = group[0]!.share;
    const items = group.map(({ share }) => share.item);
    const done = await inAccountTransaction(db, accountId, (tx) => work(tx, items));
    group.forEach(({ resolve }, place) => resolve(done[place]));
    return null;
  } catch (cause) {
    // One that deadlocked or timed out is rolled back, and is retried alone.
    const isUnavailable = isBroken(cause) || isFull(cause);
    const may_have_run = cause instanceof DatabaseUnavailable ? cause.may_have_run : true;
    if (group.length === 1) group[0]!.reject(cause);
    else if (isUnavailable)
      for (const { reject } of group) reject(unavailable(cause, { may_have_run }));
    else await Promise.all(group.map((each) => serve(db, accountId, [each])));
    return isUnavailable ? { cause } : null;
  }
}

/** Each gets an error object of its own, because errors are extended on their way up. */
function unavailable(
  cause: unknown,
  { may_have_run }: { may_have_run: boolean },
): DatabaseUnavailable {
  return new DatabaseUnavailable("the shared transaction failed", { may_have_run, cause });
}
