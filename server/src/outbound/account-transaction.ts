import { inTransaction } from "../database/connect.ts";
import type { Database, Tx } from "../database/tables.ts";
import { DatabaseAway, isBroken, isFull } from "../database/trouble.ts";

/**
 * Whatever moves an account's money waits for its one balance row, and holds a connection while it
 * waits. A crowd that buys on one account would soon hold all of them: the account itself would be
 * turned away, and every other one with it. So an account has a few open transactions in each process,
 * and the rest of its crowd waits here, first come, first served, which costs nothing.
 *
 * Those of a crowd who wait for work of one kind do not each need a transaction: while one of the kind is
 * open, the next ones gather, and then share one. Nobody waits for company that is not there.
 */
const openMax = 4;

/** How many share one transaction at most. */
const sharedMax = 32;

interface Crowd {
  open: number;
  waiting: (() => void)[];
  /** By group. */
  gathering: Map<unknown, Gathering>;
}

/** By database, and by account. */
const crowds = new WeakMap<Database, Map<string, Crowd>>();

function crowdOf(db: Database, accountId: string): Crowd {
  const ofAll = crowds.get(db) ?? new Map<string, Crowd>();
  crowds.set(db, ofAll);
  const crowd = ofAll.get(accountId) ?? { open: 0, waiting: [], gathering: new Map() };
  ofAll.set(accountId, crowd);
  return crowd;
}

function forgetIfGone(db: Database, accountId: string): void {
  const { open, gathering } = crowdOf(db, accountId);
  if (open === 0 && gathering.size === 0) crowds.get(db)!.delete(accountId);
}

/** Runs the work in a transaction once it is the account's turn. Throws what `inTransaction` throws. */
export async function inAccountTransaction<T>(
  db: Database,
  accountId: string,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const crowd = crowdOf(db, accountId);
  if (crowd.open < openMax) crowd.open++;
  else await new Promise<void>((enter) => crowd.waiting.push(enter));
  try {
    return await inTransaction(db, work);
  } finally {
    // Whoever goes hands the place on, so that nobody who comes just now slips in between.
    const next = crowd.waiting.shift();
    if (next) next();
    else crowd.open--;
    forgetIfGone(db, accountId);
  }
}

/** What one of a crowd wants done in a transaction that others may share. */
export interface Share<Item, Done> {
  /** Shares of one group go together: `work` is then the same for all of them. Compared by identity. */
  group: unknown;
  item: Item;
  /** What the item is about. Two of one subject never share: the second has to see what the first did. */
  subject: string;
  /** Does it for all the items or, when it throws, for none. Returns what came of each, in their order. */
  work(tx: Tx, items: readonly Item[]): Promise<readonly Done[]>;
}

interface Waiting {
  share: Share<unknown, unknown>;
  resolve(done: unknown): void;
  reject(error: unknown): void;
}

/** Those of one group. */
interface Gathering {
  waiting: Waiting[];
  /** Of those who wait and of those who are being served. */
  subjects: Set<string>;
}

/**
 * The same in a transaction that is shared with whoever else waits for work of that kind. One who cannot be
 * served does no harm to the others: what fails for several, each does alone, and hears the reason that is
 * his own.
 */
export function inSharedTransaction<Item, Done>(
  db: Database,
  accountId: string,
  share: Share<Item, Done>,
): Promise<Done> {
  const { gathering } = crowdOf(db, accountId);
  return new Promise<Done>((resolve, reject) => {
    const one = { share, resolve, reject } as unknown as Waiting;
    const { group, subject } = share;
    const others = gathering.get(group);
    if (others?.subjects.has(subject)) return void serve(db, accountId, [one]);
    if (others) {
      others.waiting.push(one);
      others.subjects.add(subject);
      return;
    }
    gathering.set(group, { waiting: [one], subjects: new Set([subject]) });
    // What came in with one breath of the network goes together.
    setImmediate(() => void serveAll(db, accountId, group));
  });
}

/** Serves those who wait, and those who come meanwhile. Never throws. */
async function serveAll(db: Database, accountId: string, key: unknown): Promise<void> {
  const crowd = crowdOf(db, accountId);
  const { waiting, subjects } = crowd.gathering.get(key)!;
  while (waiting.length > 0) {
    const group = waiting.splice(0, sharedMax).sort(bySubject);
    const trouble = await serve(db, accountId, group);
    // Nobody waits for a database that is away.
    const refused = trouble ? waiting.splice(0) : [];
    for (const { reject } of refused) reject(away(trouble!.cause, { may_have_run: false }));
    for (const { share } of [...group, ...refused]) subjects.delete(share.subject);
  }
  crowd.gathering.delete(key);
  forgetIfGone(db, accountId);
}

/** The order in which everybody locks them, so that no two groups wait for each other. */
function bySubject({ share: one }: Waiting, { share: other }: Waiting): number {
  return one.subject < other.subject ? -1 : 1;
}

/** Returns why the database cannot be had, if that is why it failed. Never throws. */
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
    // Whoever was in somebody's way, or too slow, is undone, and may try it alone.
    const isAway = isBroken(cause) || isFull(cause);
    const may_have_run = cause instanceof DatabaseAway ? cause.may_have_run : true;
    if (group.length === 1) group[0]!.reject(cause);
    else if (isAway) for (const { reject } of group) reject(away(cause, { may_have_run }));
    else await Promise.all(group.map((each) => serve(db, accountId, [each])));
    return isAway ? { cause } : null;
  }
}

/** Each hears an error of his own, because errors are added to on their way up. */
function away(cause: unknown, { may_have_run }: { may_have_run: boolean }): DatabaseAway {
  return new DatabaseAway("the shared transaction failed", { may_have_run, cause });
}
