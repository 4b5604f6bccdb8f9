import { isNode, literalsOf, nodesIn, partOf, textIn, type Tree } from "./tree.ts";

/** The tables of which a statement returns all columns, through any `*`. */
export function tablesReturnedWhole(
  statement: Tree,
  isTable: (name: string) => boolean,
  outer: ReadonlyMap<string, Tree> = new Map(),
): string[] {
  const [level] = Object.values(statement);
  if (!isNode(level)) return [];
  const withs = new Map(outer);
  for (const each of nodesIn(partOf(level, "withClause")?.["ctes"])) {
    const expression = partOf(each, "CommonTableExpr");
    const query = expression?.["ctequery"];
    if (isNode(query)) withs.set(textIn(expression, "ctename"), query);
  }
  const sources = sourcesOf(level);
  const returned = partOf(level, "returningClause")?.["exprs"] ?? level["targetList"];
  // In an UPDATE, `targetList` is what it sets.
  if ("relation" in level && !("returningClause" in level)) return [];
  const stars = nodesIn(returned).flatMap(
    (each) => starOf(partOf(each, "ResTarget")?.["val"]) ?? [],
  );
  return stars.flatMap((alias) =>
    sources
      .filter((source) => alias === "" || source.alias === alias)
      .flatMap(({ name, query }) => {
        const inner = query ?? withs.get(name);
        // A recursive one is followed once.
        const others = new Map([...withs].filter(([each]) => each !== name));
        if (inner) return tablesReturnedWhole(inner, isTable, others);
        return isTable(name) ? [name] : [];
      }),
  );
}

/** The alias before `.*`, empty for a bare `*`; null for any other expression. */
function starOf(value: unknown): string | null {
  const fields = nodesIn(partOf(value, "ColumnRef")?.["fields"]);
  if (!partOf(fields.at(-1), "A_Star")) return null;
  return fields.length > 1 ? literalsOf(fields).at(-2)! : "";
}

interface Source {
  alias: string;
  name: string;
  query: Tree | null;
}

function sourcesOf(level: Tree): Source[] {
  const items = [level["relation"], ...nodesIn(level["fromClause"])].filter(isNode);
  return items.flatMap((item) => sourcesIn(item));
}

function sourcesIn(item: Tree): Source[] {
  const join = partOf(item, "JoinExpr");
  if (join) return [join["larg"], join["rarg"]].filter(isNode).flatMap(sourcesIn);
  const select = partOf(item, "RangeSubselect");
  const table = partOf(item, "RangeVar") ?? ("relname" in item ? item : null);
  const of = select ?? table;
  if (!of) return [];
  const name = textIn(table, "relname");
  const alias = textIn(partOf(of, "alias"), "aliasname") || name;
  const query = select && isNode(select["subquery"]) ? select["subquery"] : null;
  return [{ alias, name, query }];
}
