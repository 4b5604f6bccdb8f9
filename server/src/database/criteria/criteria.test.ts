import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testDatabase, type TestDatabase } from "../../../test/setup/database.ts";
import {
  aConditionOf,
  anOrderSubject,
  aShipmentSubject,
  pairsOf,
  someCriteria,
  context,
} from "../../domain/criteria/criteria-world.ts";
import { fieldNames, hasField, type SubjectKind } from "../../domain/criteria/fields.ts";
import { folded } from "../../domain/criteria/folded.ts";
import { matcherOf } from "../../domain/criteria/matches.ts";
import { readCriteria } from "../../domain/criteria/read-criteria.ts";
import {
  readFields,
  readOrder,
  readShipment,
  type Reading,
} from "../../domain/criteria/reading.ts";
import type { Condition, Criteria } from "../../domain/criteria/schema.ts";
import { newId } from "../../domain/values/ids.ts";
import { columnNames } from "./criteria-columns.ts";
import { matchesCriteria } from "./criteria.ts";

/** Both readers of criteria, in memory and in PostgreSQL, give the same results, whatever the criteria. */

const account_id = "acc_criteria";
const seed = 20_260_310;
const kinds = ["shipments", "orders"] as const;

let database: TestDatabase;
const readings: Partial<Record<SubjectKind, Reading[]>> = {};
const ids: Partial<Record<SubjectKind, string[]>> = {};
beforeAll(async () => {
  database = await testDatabase();
  const shipments = fc.sample(aShipmentSubject, { numRuns: 300, seed });
  readings.shipments = shipments.map((shipment) => readShipment(shipment, context));
  ids.shipments = shipments.map(({ created_at }) => newId("shp", created_at));
  await insert("shipments", shipments);
  const orders = fc.sample(anOrderSubject, { numRuns: 300, seed });
  readings.orders = orders.map((order) => readOrder(order, context));
  ids.orders = orders.map(({ created_at }) => newId("ord", created_at));
  await insert("orders", orders);
});
afterAll(() => database.close());

async function insert(kind: SubjectKind, subjects: readonly object[]): Promise<void> {
  const rows = subjects.map((subject, index) => ({
    ...filler,
    ...subject,
    account_id,
    id: ids[kind]![index],
    order_number: index,
  }));
  await sql`INSERT INTO ${sql.table(kind)}
    SELECT * FROM jsonb_populate_recordset(NULL::${sql.table(kind)}, ${JSON.stringify(rows)}::jsonb)`.execute(
    database.db,
  );
}

/** Columns that no criteria read. */
const filler = {
  ship_code: "X",
  revision: 1,
  return_address: {},
  is_return: false,
  cost_unconfirmed: false,
  add_ons: [],
  documents: [],
  metadata: {},
  messages: [],
  on_hold: false,
  shipment_actions: [],
  updated_at: context.now,
};

/** Which rows match each of the criteria, by both readers. */
async function held(
  kind: SubjectKind,
  many: readonly Criteria[],
): Promise<{ memory: string[][]; database: string[][] }> {
  const rows = readings[kind]!;
  const memory = many.map((criteria) => {
    const matches = matcherOf(criteria);
    return rows.flatMap((reading, index) => (matches(reading) ? [ids[kind]![index]!] : [])).sort();
  });
  const selections = many.map(
    (criteria) =>
      sql`ARRAY(SELECT id::text FROM ${sql.table(kind)} WHERE account_id = ${account_id}
        AND ${matchesCriteria(criteria, kind, { ...context, account_id })} ORDER BY id)`,
  );
  const { rows: found } = await sql<{ held: string[] }>`
    SELECT * FROM (${sql.join(
      selections.map(
        (selection, index) => sql`SELECT ${index}::int AS place, ${selection} AS held`,
      ),
      sql` UNION ALL `,
    )}) AS all_of_them ORDER BY place`.execute(database.db);
  return { memory, database: found.map((row) => row.held) };
}

function alone(condition: Condition): Criteria {
  return { match: "all", conditions: [condition] };
}

describe.each(kinds)("criteria on %s", (kind) => {
  test("have every field of the table in both readers", () => {
    const there = fieldNames.filter((name) => hasField(kind, name)).sort();
    expect(readFields[kind].toSorted()).toEqual(there);
    expect(columnNames(kind).sort()).toEqual(there);
  });

  test("mean the same in both readers, for every operator on every field", async () => {
    const conditions = pairsOf(kind).flatMap(({ field, operator }) =>
      fc.sample(aConditionOf(kind, field, operator), { numRuns: 6, seed }),
    );
    const outcomes = new Map<string, Set<boolean>>();
    for (let start = 0; start < conditions.length; start += 100) {
      const some = conditions.slice(start, start + 100);
      const both = await held(kind, some.map(alone));
      for (const [index, condition] of some.entries()) {
        expect(both.database[index], JSON.stringify(condition)).toEqual(both.memory[index]);
        const pair = `${condition.field} ${condition.operator}`;
        const seen = outcomes.get(pair) ?? outcomes.set(pair, new Set()).get(pair)!;
        if (both.memory[index]!.length > 0) seen.add(true);
        if (both.memory[index]!.length < readings[kind]!.length) seen.add(false);
      }
    }
    // Each pair was seen to match and not to match, except for fields that are never missing.
    const vacuous = [...outcomes].filter(([pair, seen]) => seen.size < 2 && !/exists/.test(pair));
    expect(vacuous).toEqual([]);
    expect(outcomes.size).toBe(pairsOf(kind).length);
  });

  test("mean the same in both readers, whatever the tree", async () => {
    const trees = fc.array(someCriteria(kind), { minLength: 10, maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(trees, async (some) => {
        const both = await held(kind, some);
        expect(both.database).toEqual(both.memory);
      }),
      { numRuns: 40 },
    );
  });

  test("of the tests are such as may be saved", () => {
    const someMore = fc.sample(someCriteria(kind), { numRuns: 300, seed });
    for (const criteria of someMore) {
      const problems = {};
      const read = readCriteria(problems, criteria, {
        target: kind,
        path: "criteria",
        strict: true,
      });
      const wrong = Object.values(problems).flat();
      if (read) expect(read).toEqual(criteria);
      else expect(new Set(wrong)).toEqual(new Set(["must have the low value first."]));
    }
  });
});

test("texts fold alike in both readers, for every character and with accents after it", async () => {
  // Unicode 16 decomposes these; PostgreSQL before 18 uses an older version.
  const unlike = ["\u{105c9}", "\u{105e4}"];
  const characters = [];
  for (let code = 0x20; code <= 0x10ffff; code++)
    if ((code < 0xd800 || code > 0xdfff) && !/\p{Cn}|\p{Co}/u.test(String.fromCodePoint(code)))
      if (!unlike.includes(String.fromCodePoint(code))) characters.push(String.fromCodePoint(code));
  const letters = characters.filter(
    (character) => /\p{L}/u.test(character) && character < "\u2000",
  );
  const marked = letters.flatMap((letter) =>
    ["\u0301", "\u0308\u0301", "\u0323\u0307", "\u0345"].map((marks) => letter + marks),
  );
  const all = [...characters, ...marked];
  const { rows } = await sql<{ text: string; other: string }>`
    SELECT text, folded(text) AS other FROM jsonb_array_elements_text(${JSON.stringify(all)}::jsonb) AS text`.execute(
    database.db,
  );
  expect(rows).toHaveLength(all.length);
  const different = rows.filter(({ text, other }) => folded(text) !== other);
  expect(different).toEqual([]);
  expect(rows.filter(({ other }) => folded(other) !== other)).toEqual([]);
});
