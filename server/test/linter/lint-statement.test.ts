import { loadModule } from "libpg-query";
import { beforeAll, expect, test } from "vitest";
import { lintStatement, type Rule } from "./lint-statement.ts";

beforeAll(loadModule);

const keys = "jsonb_to_recordset($1::jsonb) AS each (account_id text, id text)";
const ofOne = `(SELECT * FROM ${keys} WHERE account_id || '' = $2)`;

/** Statements that break a rule, with the part that does, and similar ones that keep it. */
const statements: Record<Rule, { breaks: [string, string][]; keeps: string[] }> = {
  account: {
    breaks: [
      ["SELECT id FROM shipments WHERE id = $1", "shipments"],
      ["SELECT FROM orders WHERE account_id = $1 OR id = $2", "orders"],
      ["SELECT FROM orders WHERE account_id > $1", "orders"],
      ["UPDATE shipments SET on_hold = true WHERE id = $1", "shipments"],
      ["DELETE FROM tokens WHERE token_hash = $1", "tokens"],
      ["SELECT FROM orders AS o JOIN shipments AS s ON s.account_id = o.account_id", "shipments"],
      ["SELECT FROM orders AS o JOIN shipments AS s USING (account_id)", "shipments"],
      [
        "SELECT FROM orders AS o JOIN shipments AS s ON s.order_id = o.id WHERE o.account_id = $1",
        "shipments",
      ],
      ["SELECT FROM orders WHERE account_id = $1 AND EXISTS (SELECT FROM shipments)", "shipments"],
      ["WITH due AS (SELECT id FROM batches) SELECT FROM due", "batches"],
      ["SELECT id FROM orders WHERE account_id = $1 UNION SELECT id FROM shipments", "shipments"],
      ["INSERT INTO events (account_id) SELECT account_id FROM orders", "orders"],
    ],
    keeps: [
      "SELECT id FROM shipments WHERE account_id = $1 AND id = $2",
      "SELECT id FROM processes",
      "UPDATE shipments AS s SET on_hold = true FROM orders AS o WHERE s.account_id = $1 AND o.account_id = s.account_id",
      `UPDATE shipments SET on_hold = true FROM ${keys} WHERE shipments.account_id = each.account_id`,
      "SELECT FROM orders AS o JOIN shipments AS s USING (account_id) WHERE o.account_id = $1",
      "SELECT FROM orders AS o WHERE account_id = $1 AND EXISTS (SELECT FROM shipments AS s WHERE s.account_id = o.account_id)",
      "SELECT FROM orders WHERE (account_id, id) IN (SELECT account_id, order_id FROM shipments WHERE account_id = $1)",
      "SELECT FROM orders WHERE account_id = ANY ($1)",
      "WITH orders AS (SELECT 1 AS id) SELECT id FROM orders",
      "INSERT INTO events (account_id, id) VALUES ($1, $2)",
    ],
  },
  lock: {
    breaks: [
      ["SELECT FROM shipments WHERE account_id = ANY ($1) FOR UPDATE", "shipments"],
      [
        `SELECT FROM ${keys} JOIN shipments ON shipments.account_id = each.account_id FOR SHARE`,
        "shipments",
      ],
      [
        "SELECT FROM shipments WHERE account_id IN (SELECT account_id FROM orders WHERE account_id = $1) FOR UPDATE SKIP LOCKED",
        "shipments",
      ],
    ],
    keeps: [
      "SELECT FROM shipments WHERE account_id = $1 FOR UPDATE",
      "SELECT FROM processes FOR UPDATE",
      `SELECT FROM ${ofOne} AS each JOIN shipments ON shipments.account_id = each.account_id FOR UPDATE OF shipments`,
      `WITH wanted AS (SELECT * FROM ${ofOne} AS each)
        SELECT FROM wanted JOIN orders ON orders.account_id = wanted.account_id FOR UPDATE OF orders`,
    ],
  },
  insert_in_cte: {
    breaks: [["WITH made AS (INSERT INTO events (id) VALUES ($1)) SELECT", "made"]],
    keeps: [
      "WITH wanted AS (SELECT 1 AS id) INSERT INTO events (id) SELECT id FROM wanted",
      "WITH made AS (INSERT INTO processes (id) VALUES ($1)) SELECT",
    ],
  },
  now: {
    breaks: [
      ["SELECT CASE WHEN $1 THEN now() END FROM holds WHERE account_id = $2", "CASE"],
      ["SELECT coalesce($1, clock_timestamp()) FROM holds WHERE account_id = $2", "COALESCE"],
      ["INSERT INTO holds (id) VALUES ($1) RETURNING now()", "RETURNING"],
      [
        "INSERT INTO holds (id) VALUES ($1) ON CONFLICT (id) DO UPDATE SET created_at = now()",
        "DO UPDATE SET",
      ],
    ],
    keeps: [
      "UPDATE holds SET created_at = now() WHERE account_id = $1 RETURNING created_at",
      "INSERT INTO processes (id) VALUES ($1) ON CONFLICT (id) DO UPDATE SET heartbeat_at = now()",
    ],
  },
  insert_sub_select: {
    breaks: [
      ["INSERT INTO holds (id) VALUES ((SELECT $1))", "VALUES"],
      [
        "INSERT INTO holds (id) VALUES ($1) ON CONFLICT (id) DO UPDATE SET status = $2 WHERE EXISTS (SELECT)",
        "ON CONFLICT",
      ],
    ],
    keeps: ["INSERT INTO holds (id) SELECT $1 WHERE EXISTS (SELECT)"],
  },
  simple_case: {
    breaks: [
      [
        "UPDATE holds SET id = $1 WHERE account_id = $2 AND CASE status WHEN 'a' THEN true END",
        "WHERE",
      ],
    ],
    keeps: [
      "UPDATE holds SET id = $1 WHERE account_id = $2 AND CASE WHEN status = 'a' THEN true END",
    ],
  },
  lateral: {
    breaks: [
      [
        `SELECT FROM ${keys} CROSS JOIN LATERAL (
          SELECT FROM orders WHERE orders.account_id = each.account_id LIMIT 1) AS found`,
        "orders",
      ],
    ],
    keeps: [
      `SELECT FROM orders AS o CROSS JOIN LATERAL (
        SELECT FROM shipments AS s WHERE s.account_id = o.account_id LIMIT 1) AS found WHERE o.account_id = $1`,
      `SELECT FROM ${keys}, LATERAL (SELECT 1) AS one`,
    ],
  },
  star: {
    breaks: [
      ["SELECT * FROM processes", "processes"],
      ["SELECT p.*, 1 FROM processes AS p", "processes"],
      ["SELECT * FROM (SELECT * FROM processes) AS all_of_them", "processes"],
      ["WITH all_of_them AS (SELECT * FROM processes) SELECT * FROM all_of_them", "processes"],
      ["UPDATE processes SET role = $1 RETURNING *", "processes"],
    ],
    keeps: [
      "SELECT id FROM processes",
      "SELECT count(*) FROM processes",
      "SELECT * FROM (SELECT id FROM processes) AS known",
      "SELECT id FROM (SELECT * FROM processes) AS all_of_them",
      "UPDATE processes SET role = $1",
    ],
  },
};

for (const [rule, { breaks, keeps }] of Object.entries(statements)) {
  test.each(breaks)(`${rule} is broken by %s`, (text, at) => {
    expect(lintStatement(text)).toContainEqual({ rule, at });
  });

  test.each(keeps)(`${rule} is kept by %s`, (text) => {
    expect(lintStatement(text)).toEqual([]);
  });
}

test("a text that is no statement is refused", () => {
  expect(() => lintStatement("SELECT FROM WHERE")).toThrow("syntax error");
});
