import { sql, type RawBuilder, type SqlBool } from "kysely";
import { inTransaction } from "../connect.ts";
import { rowsOf } from "../rows.ts";
import type { Database } from "../tables.ts";
import { accountsWithWork } from "./accounts-with-work.ts";

/** How many rows of each party may be taken: the number given here, or `others` for a party without one. */
export interface Places {
  others: number;
  of: Readonly<Record<string, number>>;
}

/**
 * Rows of a table, each due for a call to an outside party at its own time. A process that takes one
 * postpones it or becomes its holder, so that it is due again if the process dies.
 */
export interface DueAtParties {
  table: string;
  /** The columns of the primary key after the account. */
  key: readonly string[];
  party: string;
  /** When a row is due; there is an index on the party and this expression. */
  at: string;
  /** The condition of that partial index, a literal, because the planner cannot use a parameter for it. */
  is_listed: string;
  /**
   * The condition of the index on the party, the account and the due time: the rows that may be very many.
   */
  is_backlog: string;
}

interface Claim<Row> {
  places: Places;
  /** Takes rows of this party only. */
  only?: string;
  is_due: RawBuilder<SqlBool>;
  /** The statement that takes what is in `due`: the keys of rows of one account that are locked, and when they were due. */
  take(due: RawBuilder<unknown>): RawBuilder<Row>;
}

type Key = Record<string, string> & { account_id: string };

/** A row that is due; another process may claim it first. */
interface Candidate {
  party: string;
  key: Key;
}

/** How many due rows of a party are read per slot: if there are more, a second query finds their accounts. */
const readForPlace = 4;

/**
 * Takes due rows, of each party as many as it has slots, and of its accounts round-robin: the backlog of one
 * party or of one account at it delays no other. Finding the accounts locks nothing; rows are claimed account
 * by account, and rows that another process has claimed meanwhile are skipped.
 */
export async function claimByParty<Row>(
  db: Database,
  work: DueAtParties,
  claim: Claim<Row>,
): Promise<Row[]> {
  const found = Map.groupBy(await oldest(db, work, claim), ({ party }) => party);
  const shares: Share[] = [];
  for (const [party, candidates] of found) {
    const places = claim.places.of[party] ?? claim.places.others;
    const isBacklog = candidates.length === places * readForPlace;
    const fair = isBacklog
      ? await ofNextAccounts(db, work, { ...claim, party, limit: places })
      : [];
    shares.push(...sharesOf([...fair, ...candidates], places));
  }
  if (shares.length === 0) return [];
  // In a transaction: a server that was suspended would still execute a lone statement after this process has
  // ended, and no process would release that lease.
  return inTransaction(db, async (tx) => {
    const taken: Row[] = [];
    for (const share of shares)
      taken.push(...(await claim.take(locked(work, claim, share)).execute(tx)).rows);
    return taken;
  });
}

/**
 * Due rows of each party that has slots, the longest due first. It skips from one party to the next by the
 * index, so that its cost does not grow with the backlog of one party.
 */
async function oldest<Row>(
  db: Database,
  work: DueAtParties,
  { places, only, is_due }: Claim<Row>,
): Promise<Candidate[]> {
  const { of, others } = places;
  const rows = sql.table(work.table);
  const [party, at] = [columnOf(work, work.party), columnOf(work, work.at)];
  const isListed = sql.raw(work.is_listed);
  const limit = sql`coalesce((${JSON.stringify(of)}::jsonb ->> parties.party)::int, ${others}::int)`;
  const all = sql`
    (SELECT ${party} FROM ${rows} WHERE ${isListed} ORDER BY ${party} LIMIT 1)
    UNION ALL
    SELECT (SELECT ${party} FROM ${rows} WHERE ${isListed} AND ${party} > parties.party ORDER BY ${party} LIMIT 1)
    FROM parties WHERE parties.party IS NOT NULL`;
  const found = await sql<Candidate>`
    WITH RECURSIVE parties (party) AS (${only === undefined ? all : sql`SELECT ${only}::text`})
    SELECT one.* FROM parties CROSS JOIN LATERAL (
      SELECT ${candidate(work)} FROM ${rows}
      WHERE ${party} = parties.party AND ${isListed} AND ${is_due}
      ORDER BY ${at} LIMIT ${limit} * ${readForPlace}::int) AS one`.execute(db);
  return found.rows;
}

/** The account that was served last, by kind of work and party, where there were more rows than slots. */
const lastServed = new WeakMap<Database, Map<string, string>>();

/** The first due rows of the next accounts, of a party that has very many. */
async function ofNextAccounts<Row>(
  db: Database,
  work: DueAtParties,
  { party, limit, is_due }: Claim<Row> & { party: string; limit: number },
): Promise<Candidate[]> {
  const lane = `${work.table} ${party}`;
  const served = lastServed.get(db) ?? new Map<string, string>();
  lastServed.set(db, served);
  const isOfParty = sql<SqlBool>`${columnOf(work, work.party)} = ${party}`;
  const accounts = accountsWithWork(
    { table: work.table, is_waiting: work.is_backlog, due: work.at },
    { after: served.get(lane) ?? "", limit, is_free: isOfParty },
  );
  const { rows } = await sql<{ account_id: string; party: string; key: Key | null }>`
    SELECT next.account_id, one.* FROM ${accounts} AS next LEFT JOIN LATERAL (
      SELECT ${candidate(work)} FROM ${sql.table(work.table)}
      WHERE ${isOfParty} AND ${columnOf(work, "account_id")} = next.account_id
        AND ${sql.raw(work.is_backlog)} AND ${is_due}
      ORDER BY ${columnOf(work, work.at)} NULLS FIRST LIMIT ${limit}) AS one ON true`.execute(db);
  const last = rows.at(-1);
  // Also of an account whose due rows are all of other kinds: it must not hide the accounts after it.
  if (last) served.set(lane, last.account_id);
  return rows.flatMap(({ key }) => (key ? [{ party, key }] : []));
}

/** How many of an account's rows to take: the first that no other process has locked. */
interface Share {
  account_id: string;
  keys: Key[];
  count: number;
}

/** Gives each account a slot, then each a second one, and so on. */
function sharesOf(candidates: readonly Candidate[], places: number): Share[] {
  const keys = new Map(candidates.map(({ key }) => [JSON.stringify(key), key]));
  const byAccount = Map.groupBy(keys.values(), ({ account_id }) => account_id);
  const shares = [...byAccount].map(([account_id, own]) => ({ account_id, keys: own, count: 0 }));
  let wanting = shares;
  for (let left = places; left > 0 && wanting.length > 0; left -= wanting.length) {
    wanting = wanting.filter(({ keys, count }) => count < keys.length).slice(0, left);
    for (const share of wanting) share.count++;
  }
  return shares.filter(({ count }) => count > 0);
}

/**
 * The CTE `due`: those of the rows that are still due and that no other transaction has locked. The condition
 * is written so that no index serves it: a planner that takes the table for small might prefer one to the
 * primary key.
 */
function locked<Row>(
  work: DueAtParties,
  { is_due }: Claim<Row>,
  { account_id, keys, count }: Share,
): RawBuilder<unknown> {
  const columns = ["account_id", ...work.key].map((column) => columnOf(work, column));
  const isKey = ["account_id", ...work.key].map(
    (column) => sql`${columnOf(work, column)} = ${sql.ref(`each.${column}`)}`,
  );
  const types = [...work.key.map((column) => `${column} text`), "nth integer"].join(", ");
  const inOrder = keys.map((key, nth) => ({ ...key, nth }));
  return sql`due AS (
    SELECT ${sql.join([...columns, columnOf(work, work.at)])}
    FROM ${rowsOf(account_id, inOrder, types)} AS each
    JOIN ${sql.table(work.table)} ON ${sql.join(isKey, sql` AND `)}
    WHERE coalesce(${sql.raw(work.is_listed)} AND ${is_due}, false)
    ORDER BY each.nth LIMIT ${count} FOR UPDATE OF ${sql.table(work.table)} SKIP LOCKED)`;
}

function candidate(work: DueAtParties): RawBuilder<unknown> {
  const pairs = ["account_id", ...work.key].map(
    (column) => sql`${sql.lit(column)}, ${columnOf(work, column)}`,
  );
  return sql`${columnOf(work, work.party)} AS party, jsonb_build_object(${sql.join(pairs)}) AS key`;
}

function columnOf({ table }: DueAtParties, column: string) {
  return sql.ref(`${table}.${column}`);
}
