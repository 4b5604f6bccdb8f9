import { sql } from "kysely";
import { actualCatalogue, expectedCatalogue } from "../../database/catalogue.ts";
import { json } from "../../database/tables.ts";
import type { Rule } from "./rule.ts";

/** The constraints and triggers that refuse wrong writes exist, and are in force. */

/** Foreign keys are enforced by triggers that are in no catalogue. */
const disabledForeignKeys = sql`
  SELECT DISTINCT conrelid::regclass::text AS relation, conname::text AS name
  FROM pg_trigger JOIN pg_constraint ON pg_constraint.oid = tgconstraint
  WHERE tgisinternal AND tgenabled <> 'O' AND connamespace = current_schema()::regnamespace`;

const expected = () => sql`
  jsonb_to_recordset(${json(expectedCatalogue().entries)}::jsonb) AS expected (kind text, relation text, name text, definition text)`;

/** A later release, with which this one is compatible, may have added columns that are never null. */
const areAllThere = sql`
  coalesce(string_to_array(expected.definition, ' ') <@ string_to_array(actual.definition, ' '), false)`;

/**
 * An operator may have added indexes, constraints and functions; an added trigger may change what is written.
 */
export const schemaRules: readonly Rule[] = [
  {
    rule: "schema_is_as_migrated",
    promise:
      "Every constraint, index, trigger and function is there and in force as the migrations made it, and no other trigger is.",
    get broken_by() {
      return sql<never>`
        SELECT 'schema' AS account_id, btrim(format('%s %s %s', kind, relation, name)) AS subject,
          coalesce(expected.definition, 'none') AS expected, coalesce(actual.definition, 'none') AS found
        FROM ${expected()} FULL JOIN ${actualCatalogue} AS actual USING (kind, relation, name)
        WHERE expected.definition IS DISTINCT FROM actual.definition
          AND (expected.definition IS NOT NULL OR kind = 'trigger')
          AND NOT (kind = 'table' AND ${areAllThere})
        UNION ALL
        SELECT 'schema', relation || ' ' || name, 'a foreign key in force', 'disabled triggers' FROM (${disabledForeignKeys}) AS off`;
    },
  },
];
