import { sql, type SqlBool } from "kysely";
import type { Database } from "../database/tables.ts";
import type { Cents } from "../domain/values/money.ts";
import type { ReviewItem } from "./operation.ts";
import { unknownActor } from "./recovery-store.ts";

/** The SQL of review items: attempts that wait for an operator's decision, or got one. */

/** The index `attempts_reviewed` has this condition. */
const isReviewed = sql<SqlBool>`(attempts.status = 'review' OR attempts.decision IS NOT NULL)`;

/** By convention an operation that holds money names the hold `hold_id` in its input. */
function selectItems(db: Database) {
  return db
    .selectFrom("attempts")
    .innerJoin("balances", "balances.account_id", "attempts.account_id")
    .leftJoin("holds", (join) =>
      join
        .onRef("holds.account_id", "=", "attempts.account_id")
        .on(sql<SqlBool>`holds.id = attempts.input ->> 'hold_id'`),
    )
    .selectAll("attempts")
    .select("balances.currency")
    .select(sql<string>`coalesce(attempts.actor, ${unknownActor})`.as("actor"))
    .select(
      sql<Cents | null>`CASE holds.status WHEN 'held' THEN holds.amount_cents
        WHEN 'captured' THEN 0 WHEN 'released' THEN 0 END`.as("held_cents"),
    )
    .where(isReviewed);
}

/** What waits for a decision, oldest first: ids are made in the order of time. */
export function selectOpenItems(db: Database) {
  return selectItems(db).where("attempts.status", "=", "review");
}

/** An attempt that waits for a decision or got one; null for every other. */
export async function findItem(db: Database, id: string): Promise<ReviewItem | null> {
  const row = await selectItems(db).where("attempts.id", "=", id).executeTakeFirst();
  return (row as ReviewItem | undefined) ?? null;
}

/** How many wait for a decision, by kind and party. */
export async function countOpenItems(db: Database) {
  return db
    .selectFrom("attempts")
    .select(["kind", "party", (eb) => eb.fn.countAll<number>().as("count")])
    .where("status", "=", "review")
    .where(isReviewed)
    .groupBy(["kind", "party"])
    .execute();
}
