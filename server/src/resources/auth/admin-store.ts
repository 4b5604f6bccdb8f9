import { sql } from "kysely";
import type { Database } from "../../database/tables.ts";

/** The SQL of the operator's lists of people. */

/** Users whose e-mail or name contains the text, with their organizations; the newest first. */
export async function listUsers(db: Database, text: string) {
  const pattern = `%${text
    .trim()
    .toLowerCase()
    .replaceAll(/[\\%_]/g, "\\$&")}%`;
  const { rows } = await sql<{ id: string; email: string; name: string; memberships: object[] }>`
    SELECT users.id, users.email, users.name, users.totp_confirmed_at IS NOT NULL AS has_totp,
      users.disabled_at, users.created_at,
      coalesce((
        SELECT jsonb_agg(jsonb_build_object('organization_id', organization_id, 'role', role) ORDER BY organization_id)
        FROM memberships WHERE memberships.user_id = users.id), '[]') AS memberships
    FROM users WHERE users.email LIKE ${pattern} OR lower(users.name) LIKE ${pattern}
    ORDER BY users.id DESC LIMIT 100`.execute(db);
  return rows;
}

export async function hasUser(db: Database, id: string): Promise<boolean> {
  const row = await db.selectFrom("users").select("id").where("id", "=", id).executeTakeFirst();
  return row !== undefined;
}

/** The newest thousand, disabled ones too. */
export async function listOperators(db: Database) {
  const { rows } = await sql<{ id: string; email: string; name: string }>`
    SELECT id, email, name, totp_confirmed_at IS NOT NULL AS has_totp,
      password_hash IS NOT NULL AS has_password, disabled_at, created_at
    FROM operators ORDER BY id DESC LIMIT 1000`.execute(db);
  return rows;
}
