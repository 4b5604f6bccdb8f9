import { inTransaction } from "../database/connect.ts";
import type { Database, Tx } from "../database/tables.ts";
import { DatabaseAway, isUnavailable } from "../database/trouble.ts";

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
  gathering: Map<string, Gathering>;
}

const crowds = new Map<string, Crowd>();

function crowdOf(accountId: string): Crowd {
  const crowd = crowds.get(accountId) ?? { open: 0, waiting: [], gathering: new Map() };
  crowds.set(accountId, crowd);
  return crowd;
}

function forgetIfGone(accountId: string, crowd: Crowd): void {
  if (crowd.open === 0 && crowd.gathering.size === 0) crowds.delete(accountId);
}

/** Runs the work in a transaction once it is the account's turn. Throws what `inTransaction` throws. */
export async function inAccountTransaction<T>(
  db: Database,
  accountId: string,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const crowd = crowdOf(accountId);
  if (crowd.open < openMax) crowd.open++;
  else await new Promise<void>((enter) => crowd.waiting.push(enter));
  try {
    return await inTransaction(db, work);
  } finally {
    // Whoever goes hands the place on, so that nobody who comes just now slips in between.
    const next = crowd.waiting.shift();
    if (next) next();
    else crowd.open--;
    forgetIfGone(accountId, crowd);
  }
}

/** A part of what a transaction may do for several at once. */
export interface Share<Item, Done> {
  /** Shares of one kind go together: `work` is then the same for all of them. */
  kind: string;
  item: Item;
  /** What the item is about: two of one subject do not go together, for one of them would be too late. */
  subject: string;
  /** Does it for all the items or, when it throws, for none. Returns what came of each, in their order. */
  work(tx: Tx, items: readonly Item[]): Promise<readonly Done[]>;
}

interface Waiting {
  share: Share<unknown, unknown>;
  resolve(done: unknown): void;
  reject(error: unknown): void;
}

type Gathering = Waiting[];

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
  const crowd = crowdOf(accountId);
  return new Promise<Done>((resolve, reject) => {
    const waiting = { share, resolve, reject } as unknown as Waiting;
    const gathering = crowd.gathering.get(share.kind);
    if (gathering) return void gathering.push(waiting);
    crowd.gathering.set(share.kind, [waiting]);
    // What came in with one breath of the network goes together.
    setImmediate(() => void serve(db, accountId, share.kind));
  });
}

async function serve(db: Database, accountId: string, kind: string): Promise<void> {
  const crowd = crowdOf(accountId);
  const gathering = crowd.gathering.get(kind)!;
  while (gathering.length > 0) await serveTogether(db, accountId, takeGroup(gathering));
  crowd.gathering.delete(kind);
  forgetIfGone(accountId, crowd);
}

/** Takes the first ones of different subjects. */
function takeGroup(gathering: Gathering): Waiting[] {
  const subjects = new Set<string>();
  const group: Waiting[] = [];
  const rest: Waiting[] = [];
  for (const each of gathering.splice(0)) {
    const fits = group.length < sharedMax && !subjects.has(each.share.subject);
    (fits ? group : rest).push(each);
    subjects.add(each.share.subject);
  }
  gathering.push(...rest);
  return group;
}

/** Never throws. */
async function serveTogether(db: Database, accountId: string, group: Waiting[]): Promise<void> {
  try {
    const { work } = group[0]!.share;
    const items = group.map(({ share }) => share.item);
    const done = await inAccountTransaction(db, accountId, (tx) => work(tx, items));
    group.forEach(({ resolve }, place) => resolve(done[place]));
  } catch (error) {
    if (group.length === 1) return group[0]!.reject(error);
    if (isUnavailable(error)) return group.forEach(({ reject }) => reject(away(error)));
    await Promise.all(group.map((each) => serveTogether(db, accountId, [each])));
  }
}

/** Each hears an error of his own, because errors are added to on their way up. */
function away(cause: unknown): DatabaseAway {
  return new DatabaseAway("the shared transaction failed", { may_have_run: true, cause });
}
