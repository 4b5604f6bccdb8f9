/** A statement as PostgreSQL's own parser returns it: objects whose single key is their kind. */
export type Tree = Record<string, unknown>;

export function isNode(value: unknown): value is Tree {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The content of a node of that kind; null for any other. */
export function partOf(node: unknown, kind: string): Tree | null {
  const part = isNode(node) ? node[kind] : null;
  return isNode(part) ? part : null;
}

export function nodesIn(list: unknown): unknown[] {
  return Array.isArray(list) ? (list as unknown[]) : [];
}

/** The text under a key of a node; empty where there is none. */
export function textIn(node: Tree | null, key: string): string {
  const text = node?.[key];
  return typeof text === "string" ? text : "";
}

/** The names in a list, such as those of a table and its column. */
export function literalsOf(list: unknown): string[] {
  return nodesIn(list).map((each) => textIn(partOf(each, "String"), "sval"));
}

/** The conditions joined by AND. */
export function conjuncts(condition: unknown): Tree[] {
  if (!isNode(condition)) return [];
  const all = partOf(condition, "BoolExpr");
  return all?.["boolop"] === "AND_EXPR" ? nodesIn(all["args"]).flatMap(conjuncts) : [condition];
}

export interface Found {
  kind: string;
  node: Tree;
}

/** Every node of a tree, including the root, with its kind. */
export function walk(value: unknown): Found[] {
  const found: Found[] = [];
  visit(value, (each) => {
    found.push(each);
    return false;
  });
  return found;
}

/** Whether there is a node of that kind somewhere in the tree. */
export function has(
  tree: unknown,
  kind: string,
  is: (node: Tree) => boolean = () => true,
): boolean {
  return visit(tree, (each) => each.kind === kind && is(each.node));
}

/** Whether `see` has ended the visit by true. No generator: in a deep tree it would pass each node through every level. */
function visit(value: unknown, see: (found: Found) => boolean): boolean {
  if (Array.isArray(value)) return value.some((each) => visit(each, see));
  if (!isNode(value)) return false;
  return Object.entries(value).some(
    ([kind, node]) => (isNode(node) && see({ kind, node })) || visit(node, see),
  );
}
