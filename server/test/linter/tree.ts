/** A statement as PostgreSQL's own parser gives it: objects whose single key says what they are. */
export type Tree = Record<string, unknown>;

export function isNode(value: unknown): value is Tree {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What is in a node of that kind; null for any other. */
export function partOf(node: unknown, kind: string): Tree | null {
  const part = isNode(node) ? node[kind] : null;
  return isNode(part) ? part : null;
}

export function nodesIn(list: unknown): unknown[] {
  return Array.isArray(list) ? (list as unknown[]) : [];
}

/** The text that a node has under a key; empty where it has none. */
export function textIn(node: Tree | null, key: string): string {
  const text = node?.[key];
  return typeof text === "string" ? text : "";
}

/** The names in a list of them, such as a column's with its table's. */
export function literalsOf(list: unknown): string[] {
  return nodesIn(list).map((each) => textIn(partOf(each, "String"), "sval"));
}

/** The conditions that all have to be true. */
export function conjuncts(condition: unknown): Tree[] {
  if (!isNode(condition)) return [];
  const all = partOf(condition, "BoolExpr");
  return all?.["boolop"] === "AND_EXPR" ? nodesIn(all["args"]).flatMap(conjuncts) : [condition];
}

/** Every node in a tree, itself too, with its kind; `skip` leaves out those below a kind. */
export function* walk(value: unknown): Generator<{ kind: string; node: Tree }> {
  if (Array.isArray(value)) for (const each of value) yield* walk(each);
  if (!isNode(value)) return;
  for (const [kind, node] of Object.entries(value)) {
    if (isNode(node)) yield { kind, node };
    yield* walk(node);
  }
}

/** Whether there is a node of that kind somewhere in the tree. */
export function has(
  tree: unknown,
  kind: string,
  is: (node: Tree) => boolean = () => true,
): boolean {
  for (const each of walk(tree)) if (each.kind === kind && is(each.node)) return true;
  return false;
}
