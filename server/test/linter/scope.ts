import { conjuncts, isNode, literalsOf, nodesIn, partOf, textIn, type Tree } from "./tree.ts";

/** The tables that one level of a statement reads and writes, and those whose account its conditions name. */
export interface Scope {
  /** The tenants' tables of this level, by their alias. */
  tables: Map<string, string>;
  /** Aliases of those whose account is given, by a parameter or by another part of the statement. */
  named: Set<string>;
  /** Aliases of those tables, and of other parts of the statement, whose rows are of one account only. */
  single: Set<string>;
}

/** The names of the enclosing WITHs, each with whether its rows are of one account. */
export type Names = ReadonlyMap<string, boolean>;

interface Source {
  alias: string;
  /** Null for what is not a tenant's table. */
  table: string | null;
  /** Its rows are of one account, according to the level that defines it. */
  is_single: boolean;
}

/** The level of a SELECT, UPDATE or DELETE; `isTenants` knows the tables. */
export function scopeOf(level: Tree, names: Names, isTenants: (table: string) => boolean): Scope {
  const items = [
    level["relation"],
    ...listOf(level, "fromClause"),
    ...listOf(level, "usingClause"),
  ];
  const conditions = conjuncts(level["whereClause"]);
  const sources: Source[] = [];
  const shared: string[][] = [];
  for (const item of items) collect(item);

  function collect(item: unknown): void {
    if (!isNode(item)) return;
    const join = partOf(item, "JoinExpr");
    if (join) {
      const before = sources.length;
      collect(join["larg"]);
      collect(join["rarg"]);
      conditions.push(...conjuncts(join["quals"]));
      if (literalsOf(join["usingClause"]).includes("account_id"))
        shared.push(sources.slice(before).map(({ alias }) => alias));
      return;
    }
    const table = partOf(item, "RangeVar") ?? ("relname" in item ? item : null);
    if (table) {
      const name = textIn(table, "relname");
      const alias = aliasOf(table) ?? name;
      const isTable = !names.has(name) && isTenants(name);
      sources.push({
        alias,
        table: isTable ? name : null,
        is_single: names.get(name) ?? false,
      });
      return;
    }
    const select = partOf(item, "RangeSubselect");
    if (select) {
      const inner = partOf(select["subquery"], "SelectStmt");
      sources.push({
        alias: aliasOf(select) ?? "",
        table: null,
        is_single: inner !== null && isOfOneAccount(inner, names, isTenants),
      });
    }
    const made = partOf(item, "RangeFunction");
    if (made) sources.push({ alias: aliasOf(made) ?? "", table: null, is_single: false });
  }

  return settle(sources, conditions, shared);
}

/** Whether all rows of a SELECT are of one account that a parameter names. */
export function isOfOneAccount(
  select: Tree,
  names: Names,
  isTenants: (table: string) => boolean,
): boolean {
  const both = [select["larg"], select["rarg"]].filter(isNode);
  if (both.length > 0) return both.every((each) => isOfOneAccount(each, names, isTenants));
  if (conjuncts(select["whereClause"]).some((each) => isEqualToParameter(each))) return true;
  const { tables, single } = scopeOf(select, names, isTenants);
  return single.size > 0 && [...tables.keys()].every((alias) => single.has(alias));
}

/** `account_id = $1`, of any source of the level, also in the form that hides it from the planner. */
function isEqualToParameter(condition: Tree): boolean {
  const sides = equalSides(condition);
  return (
    sides !== null && sides.some(isParameter) && sides.some((side) => accountIn(side) !== null)
  );
}

/** Propagates known accounts along equalities. */
function settle(sources: Source[], conditions: Tree[], shared: string[][]): Scope {
  const tables = new Map(sources.flatMap(({ alias, table }) => (table ? [[alias, table]] : [])));
  const named = new Set<string>();
  const single = new Set(sources.flatMap(({ alias, is_single }) => (is_single ? [alias] : [])));
  const equal: [string, string][] = shared.flatMap((aliases) =>
    aliases.slice(1).map((alias): [string, string] => [aliases[0]!, alias]),
  );
  const own = (alias: string) => (alias === "" ? [...tables.keys()] : [alias]);

  for (const condition of conditions) {
    for (const [left, right] of pairsOf(condition)) {
      for (const [one, other] of [
        [left, right],
        [right, left],
      ] as const) {
        const alias = accountIn(one);
        if (alias === null || !own(alias).some((each) => tables.has(each) || single.has(each)))
          continue;
        const from = columnAlias(other);
        const isHere = from !== null && sources.some((source) => source.alias === from);
        if (from !== null && isHere) equal.push([own(alias)[0]!, from]);
        else {
          own(alias).forEach((each) => named.add(each));
          if (isParameter(other)) own(alias).forEach((each) => single.add(each));
        }
      }
    }
  }
  for (const { alias, table } of sources) if (table === null) named.add(alias);
  for (let changed = true; changed;) {
    changed = false;
    for (const [one, other] of [...equal, ...equal.map(([a, b]): [string, string] => [b, a])])
      for (const known of [named, single])
        if (known.has(one) && !known.has(other)) {
          known.add(other);
          changed = true;
        }
  }
  return { tables, named, single };
}

/** The pairs that a condition requires to be equal. */
function pairsOf(condition: Tree): [Tree, Tree][] {
  const sides = equalSides(condition);
  if (sides) {
    const [left, right] = sides.map((side) => partOf(side, "RowExpr"));
    if (!left || !right) return [sides];
    const others = listOf(right, "args");
    return listOf(left, "args").flatMap((each, index): [Tree, Tree][] =>
      isNode(each) && isNode(others[index]) ? [[each, others[index]]] : [],
    );
  }
  // `(account_id, id) IN (SELECT …)`: the sub-select's rows give the accounts.
  const link = partOf(condition, "SubLink");
  if (link?.["subLinkType"] !== "ANY_SUBLINK" || !isNode(link["testexpr"])) return [];
  const row = partOf(link["testexpr"], "RowExpr");
  const tested = row ? listOf(row, "args") : [link["testexpr"]];
  return tested.filter(isNode).map((each) => [each, condition]);
}

/** The two sides of `=`, also of `IN (…)` and `= ANY (…)`. */
function equalSides(condition: Tree): [Tree, Tree] | null {
  const expression = partOf(condition, "A_Expr");
  const isEquality =
    expression && ["AEXPR_OP", "AEXPR_IN", "AEXPR_OP_ANY"].includes(textIn(expression, "kind"));
  if (!isEquality || literalsOf(expression["name"])[0] !== "=") return null;
  const { lexpr, rexpr } = expression;
  const isList = expression["kind"] !== "AEXPR_OP";
  return isNode(lexpr) && isNode(rexpr) ? [lexpr, isList ? { list: rexpr } : rexpr] : null;
}

/** The alias whose `account_id` an expression is, empty without an alias; null for any other expression. */
function accountIn(expression: Tree): string | null {
  const fields = literalsOf(partOf(expression, "ColumnRef")?.["fields"]);
  if (fields.at(-1) === "account_id") return fields.length > 1 ? fields.at(-2)! : "";
  // Hidden from the planner: `account_id || ''`.
  const kept = partOf(expression, "A_Expr");
  return kept && literalsOf(kept["name"])[0] === "||" && isNode(kept["lexpr"])
    ? accountIn(kept["lexpr"])
    : null;
}

function columnAlias(expression: Tree): string | null {
  const fields = literalsOf(partOf(expression, "ColumnRef")?.["fields"]);
  return fields.length > 1 ? fields.at(-2)! : null;
}

function isParameter(expression: Tree): boolean {
  const cast = partOf(expression, "TypeCast");
  if (cast && isNode(cast["arg"])) return isParameter(cast["arg"]);
  return partOf(expression, "ParamRef") !== null || partOf(expression, "A_Const") !== null;
}

function aliasOf(item: Tree): string | undefined {
  return textIn(partOf(item, "alias"), "aliasname") || undefined;
}

function listOf(node: Tree, key: string): unknown[] {
  return nodesIn(node[key]);
}
