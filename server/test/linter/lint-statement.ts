import { parseSync } from "libpg-query";
import { expectedColumns } from "../../src/database/columns.ts";
import { tablesReturnedWhole } from "./stars.ts";
import { isOfOneAccount, scopeOf, type Names, type Scope } from "./scope.ts";
import { has, isNode, literalsOf, nodesIn, partOf, textIn, walk, type Tree } from "./tree.ts";

/**
 * Checks a statement, parsed by PostgreSQL's own parser, against the rules that let the tables be distributed
 * by account (docs/adr/0025-statements-by-rules.md). `loadModule()` of libpg-query has to have run.
 */
export const rules = {
  account: "a tenant's table is read or changed without a condition on its own account_id",
  lock: "FOR UPDATE or SHARE of a tenant's rows that are not of one account that a parameter names",
  insert_in_cte: "INSERT inside a WITH",
  now: "a clock or chance in CASE, COALESCE, RETURNING or DO UPDATE SET",
  insert_sub_select: "a sub-select in VALUES or ON CONFLICT of an INSERT",
  simple_case: "CASE with an argument in the WHERE of an UPDATE",
  lateral: "LATERAL that looks up a tenant's table for each of a list",
  star: "the result has all columns of a table, whichever those are by then",
} as const;
export type Rule = keyof typeof rules;

interface Violation {
  rule: Rule;
  /** The part of the statement that breaks it, such as a table. */
  at: string;
}

/** An exception from the rules. */
export interface Allowed {
  /** A part of the text, with white space as one space, that only these statements contain. */
  statement: string;
  /** Each rule, with the parts that break it. */
  breaks: readonly `${Rule} ${string}`[];
  reason: string;
}

const tables = expectedColumns();
const isTenants = (table: string) => tables[table]?.includes("account_id") ?? false;

/** Throws for what PostgreSQL could not parse. */
export function lintStatement(text: string): Violation[] {
  const found: Violation[] = [];
  for (const { stmt } of parseSync(text).stmts ?? []) {
    if (touchesTenants(stmt)) {
      lintLevel(stmt, new Map(), found);
      checkMoments(stmt, found);
    }
    for (const at of tablesReturnedWhole(stmt as Tree, (name) => name in tables))
      found.push({ rule: "star", at });
  }
  const seen = new Map(found.map((each) => [`${each.rule} ${each.at}`, each]));
  return [...seen.values()];
}

/** Tables without an account stay on one server with one clock, however the others are distributed. */
function touchesTenants(tree: unknown): boolean {
  if (Array.isArray(tree)) return tree.some(touchesTenants);
  if (!isNode(tree)) return false;
  return isTenants(textIn(tree, "relname")) || Object.values(tree).some(touchesTenants);
}

const levels = ["SelectStmt", "UpdateStmt", "DeleteStmt", "InsertStmt"] as const;

/** Visits each level of the tree with the names that WITH defines there. */
function lintLevel(tree: unknown, names: Names, found: Violation[]): void {
  if (Array.isArray(tree)) return tree.forEach((each) => lintLevel(each, names, found));
  if (!isNode(tree)) return;
  for (const [key, value] of Object.entries(tree)) {
    const kind = key === "larg" || key === "rarg" ? "SelectStmt" : key;
    const isLevel = levels.some((level) => level === kind) && isNode(value);
    if (!isLevel || isJoined(value)) lintLevel(value, names, found);
    else {
      const inner = withNames(value, names);
      checkLevel(kind, value, { names: inner, found });
      lintLevel(value, inner, found);
    }
  }
}

/** The two sides of a JOIN have the same keys as a UNION's, but are wrapped. */
function isJoined(value: Tree): boolean {
  return ["RangeVar", "RangeSubselect", "RangeFunction", "JoinExpr"].some((kind) => kind in value);
}

function withNames(level: Tree, names: Names): Names {
  const inner = new Map(names);
  const expressions = nodesIn(partOf(level, "withClause")?.["ctes"]);
  for (const each of expressions) {
    const expression = partOf(each, "CommonTableExpr");
    const name = textIn(expression, "ctename");
    // Defined before its own body is visited: it may be recursive.
    inner.set(name, false);
    inner.set(name, isWithOfOneAccount(expression?.["ctequery"], inner));
  }
  return inner;
}

function isWithOfOneAccount(query: unknown, names: Names): boolean {
  const select = partOf(query, "SelectStmt");
  if (select) return isOfOneAccount(select, names, isTenants);
  const change = partOf(query, "UpdateStmt") ?? partOf(query, "DeleteStmt");
  if (!change) return false;
  const target = partOf(change, "relation");
  const alias = textIn(partOf(target, "alias"), "aliasname") || textIn(target, "relname");
  return scopeOf(change, names, isTenants).single.has(alias);
}

interface Around {
  names: Names;
  found: Violation[];
}

function checkLevel(kind: string, level: Tree, { names, found }: Around): void {
  const add = (rule: Rule, at: string) => found.push({ rule, at });
  if (kind === "InsertStmt") checkInsert(level, add);
  else {
    const scope = scopeOf(level, names, isTenants);
    for (const [alias, table] of scope.tables) if (!scope.named.has(alias)) add("account", table);
    checkLocks(level, scope, add);
    checkLaterals(level, names, add);
  }
  for (const each of nodesIn(partOf(level, "withClause")?.["ctes"])) {
    const expression = partOf(each, "CommonTableExpr");
    if (partOf(expression?.["ctequery"], "InsertStmt"))
      add("insert_in_cte", textIn(expression, "ctename"));
  }
  if (has(level["returningClause"], "FuncCall", isMoving)) add("now", "RETURNING");
  if (kind === "UpdateStmt" && has(level["whereClause"], "CaseExpr", (each) => "arg" in each))
    add("simple_case", "WHERE");
}

type Add = (rule: Rule, at: string) => void;

function checkInsert(level: Tree, add: Add): void {
  const values = partOf(level["selectStmt"], "SelectStmt")?.["valuesLists"];
  if (has(values, "SubLink")) add("insert_sub_select", "VALUES");
  const conflict = level["onConflictClause"];
  if (has(conflict, "SubLink")) add("insert_sub_select", "ON CONFLICT");
  if (isNode(conflict) && has(conflict["targetList"], "FuncCall", isMoving))
    add("now", "DO UPDATE SET");
}

function checkLocks(level: Tree, { tables, single }: Scope, add: Add): void {
  for (const each of nodesIn(level["lockingClause"])) {
    const locked = nodesIn(partOf(each, "LockingClause")?.["lockedRels"]).map((rel) =>
      textIn(partOf(rel, "RangeVar"), "relname"),
    );
    for (const [alias, table] of tables)
      if ((locked.length === 0 || locked.includes(alias)) && !single.has(alias)) add("lock", table);
  }
}

function checkLaterals(level: Tree, names: Names, add: Add): void {
  const items = nodesIn(level["fromClause"]).flatMap(itemsOf);
  const isLateral = (item: Tree) => partOf(item, "RangeSubselect")?.["lateral"] === true;
  const isList = (item: Tree) =>
    !isLateral(item) &&
    (has(item, "RangeFunction") || names.has(textIn(partOf(item, "RangeVar"), "relname")));
  if (!items.some(isList)) return;
  for (const { kind, node } of items.filter(isLateral).flatMap((item) => [...walk(item)])) {
    const name = textIn(node, "relname");
    if (kind === "RangeVar" && !names.has(name) && isTenants(name)) add("lateral", name);
  }
}

/** The sources of a FROM. */
function itemsOf(item: unknown): Tree[] {
  const join = partOf(item, "JoinExpr");
  if (join) return [...itemsOf(join["larg"]), ...itemsOf(join["rarg"])];
  return isNode(item) ? [item] : [];
}

/** Of all levels at once. What is in another one is found again: `found` is made unique. */
function checkMoments(statement: unknown, found: Violation[]): void {
  for (const { kind, node } of walk(statement))
    if ((kind === "CaseExpr" || kind === "CoalesceExpr") && has(node, "FuncCall", isMoving))
      found.push({ rule: "now", at: kind === "CaseExpr" ? "CASE" : "COALESCE" });
}

const moving = new Set([
  "now",
  "clock_timestamp",
  "statement_timestamp",
  "transaction_timestamp",
  "random",
  "gen_random_uuid",
]);

function isMoving(call: Tree): boolean {
  return moving.has(literalsOf(call["funcname"]).at(-1) ?? "");
}
