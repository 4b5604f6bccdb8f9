import { sql } from "kysely";
import type { CookieKind } from "../../http/cookies.ts";
import {
  json,
  type Database,
  type SessionNeeds,
  type SessionsTable,
  type Tx,
} from "../../database/tables.ts";

/** The SQL of people and their sessions. Users and operators have the same columns for signing in. */

export type PersonKind = "user" | "operator";

export const cookieOf: Record<PersonKind, CookieKind> = { user: "ses", operator: "ops" };

const tableOf = { user: "users", operator: "operators" } as const;
const columnOf = { user: "user_id", operator: "operator_id" } as const;

export interface Person {
  id: string;
  email: string;
  name: string;
  password_hash: string | null;
  totp_secret: string | null;
  totp_confirmed_at: Date | null;
  totp_step: number;
  disabled_at: Date | null;
}

const personColumns = sql.raw(
  "id, email, name, password_hash, totp_secret, totp_confirmed_at, totp_step::float8 AS totp_step, disabled_at",
);

/** Null for none. The address is compared as it is stored. */
export async function findPersonByEmail(
  db: Database | Tx,
  kind: PersonKind,
  email: string,
): Promise<Person | null> {
  const { rows } = await sql<Person>`
    SELECT ${personColumns} FROM ${sql.table(tableOf[kind])} WHERE email = ${email}`.execute(db);
  return rows[0] ?? null;
}

/** The person with that id, which must exist. */
export async function getPerson(db: Database | Tx, kind: PersonKind, id: string): Promise<Person> {
  const { rows } = await sql<Person>`
    SELECT ${personColumns} FROM ${sql.table(tableOf[kind])} WHERE id = ${id}`.execute(db);
  return rows[0]!;
}

/** False, and nothing written, where the e-mail address is taken. */
export async function insertUser(
  tx: Tx,
  user: { id: string; email: string; name: string; password_hash: string },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    INSERT INTO users (id, email, name, password_hash)
    VALUES (${user.id}, ${user.email}, ${user.name}, ${user.password_hash})
    ON CONFLICT (email) DO NOTHING`.execute(tx);
  return numAffectedRows === 1n;
}

export async function insertOperator(
  tx: Tx,
  operator: { id: string; email: string; name: string; password_hash: string | null },
): Promise<void> {
  await tx.insertInto("operators").values(operator).execute();
}

export async function setPassword(
  tx: Tx,
  kind: PersonKind,
  { id, password_hash }: { id: string; password_hash: string },
): Promise<void> {
  await sql`UPDATE ${sql.table(tableOf[kind])} SET password_hash = ${password_hash} WHERE id = ${id}`.execute(
    tx,
  );
}

/** What is not given stays. */
export async function setProfile(
  tx: Tx,
  id: string,
  { name, locale }: { name?: string; locale?: string },
): Promise<void> {
  await sql`
    UPDATE users SET name = coalesce(${name ?? null}, name), locale = coalesce(${locale ?? null}, locale)
    WHERE id = ${id}`.execute(tx);
}

export async function getProfile(db: Database, id: string) {
  return db
    .selectFrom("users")
    .select(["id", "email", "name", "locale", "totp_confirmed_at", "preferences"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
}

export async function setPreferences(db: Database, id: string, preferences: object): Promise<void> {
  await db
    .updateTable("users")
    .set({ preferences: json(preferences) })
    .where("id", "=", id)
    .execute();
}

interface NewSession {
  token_hash: Buffer;
  id: string;
  person: { kind: PersonKind; id: string };
  needs: SessionNeeds | null;
  at: Date;
  expires_at: Date;
  strong_until: Date | null;
  ip: string;
  user_agent: string;
}

export async function insertSession(tx: Tx, { person, at, ...session }: NewSession): Promise<void> {
  const whose = {
    user_id: person.kind === "user" ? person.id : null,
    operator_id: person.kind === "operator" ? person.id : null,
  };
  await tx
    .insertInto("sessions")
    .values({ ...session, ...whose, created_at: at, seen_at: at })
    .execute();
}

export async function deleteSession(db: Database | Tx, token_hash: Buffer): Promise<void> {
  await sql`DELETE FROM sessions WHERE token_hash = ${token_hash}`.execute(db);
}

/** All of a person's, or all but one. */
export async function deleteSessionsOf(
  tx: Tx,
  { kind, id }: { kind: PersonKind; id: string },
  but: string | null = null,
): Promise<void> {
  await sql`
    DELETE FROM sessions WHERE ${sql.ref(columnOf[kind])} = ${id} AND id IS DISTINCT FROM ${but}`.execute(
    tx,
  );
}

/** False where the person has no such session. */
export async function deleteOneSession(
  tx: Tx,
  { kind, id }: { kind: PersonKind; id: string },
  session_id: string,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    DELETE FROM sessions WHERE ${sql.ref(columnOf[kind])} = ${id} AND id = ${session_id}`.execute(
    tx,
  );
  return numAffectedRows === 1n;
}

type SessionRow = Pick<
  SessionsTable,
  "id" | "created_at" | "seen_at" | "expires_at" | "ip" | "user_agent"
>;

/** At most a hundred in force at `now`, the last used first. A sign-in that lacks its second factor is none. */
export async function listSessions(
  db: Database,
  { kind, id }: { kind: PersonKind; id: string },
  now: Date,
): Promise<SessionRow[]> {
  const { rows } = await sql<SessionRow>`
    SELECT id, created_at, seen_at, expires_at, ip, user_agent FROM sessions
    WHERE ${sql.ref(columnOf[kind])} = ${id} AND needs IS NULL AND expires_at > ${now}
    ORDER BY seen_at DESC, id DESC LIMIT 100`.execute(db);
  return rows;
}

export async function setStrongUntil(tx: Tx, session_id: string, until: Date): Promise<void> {
  await sql`UPDATE sessions SET strong_until = ${until} WHERE id = ${session_id}`.execute(tx);
}
