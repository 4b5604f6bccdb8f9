import {
  AliasNode,
  IdentifierNode,
  RawNode,
  ReferenceNode,
  SelectAllNode,
  SelectionNode,
  TableNode,
  type OperationNode,
  type RootOperationNode,
} from "kysely";
import { expectedColumns } from "../columns.ts";

/**
 * Replaces `*` of a table by the columns that this release knows: a later release may add one, and PostgreSQL
 * then refuses statements prepared before ("cached plan must not change result type"), once on each
 * connection. A `*` of several tables together stays; no statement of Waybill has one.
 */
export function withKnownColumns(node: RootOperationNode): RootOperationNode {
  if (node.kind === "SelectQueryNode" && node.selections) {
    const tables = tablesOf([...(node.from?.froms ?? []), ...joined(node.joins)]);
    return { ...node, selections: named(node.selections, tables) };
  }
  if (node.kind === "InsertQueryNode" && node.returning && node.into)
    return { ...node, returning: returningOf(node.returning, tablesOf([node.into])) };
  if (node.kind === "UpdateQueryNode" && node.returning && node.table) {
    const tables = tablesOf([node.table, ...(node.from?.froms ?? []), ...joined(node.joins)]);
    return { ...node, returning: returningOf(node.returning, tables) };
  }
  return node;
}

/** A table as a query has it; an empty name is no table of the schema. */
interface Source {
  table: string;
  alias: string;
}

function joined(joins: readonly { table: OperationNode }[] | undefined): OperationNode[] {
  return (joins ?? []).map(({ table }) => table);
}

function tablesOf(items: readonly OperationNode[]): Source[] {
  return items.map((item) => {
    const of = AliasNode.is(item) ? item.node : item;
    const table = TableNode.is(of) ? of.table.identifier.name : "";
    const alias = AliasNode.is(item) && IdentifierNode.is(item.alias) ? item.alias.name : table;
    return { table, alias };
  });
}

function returningOf<Returning extends { selections: readonly SelectionNode[] }>(
  returning: Returning,
  tables: readonly Source[],
): Returning {
  return { ...returning, selections: named(returning.selections, tables) };
}

function named(selections: readonly SelectionNode[], tables: readonly Source[]): SelectionNode[] {
  return selections.map((each) => {
    const { selection } = each;
    if (SelectAllNode.is(selection) && tables.length === 1)
      return columnsOf(tables[0]!, { is_qualified: false }) ?? each;
    if (!ReferenceNode.is(selection) || !SelectAllNode.is(selection.column)) return each;
    const name = selection.table?.table.identifier.name;
    const source = tables.find(({ alias }) => alias === name);
    return (source && columnsOf(source, { is_qualified: true })) ?? each;
  });
}

// Cached: compiling sixty columns one by one would take longer than the rest of the query.
const known = new Map<string, SelectionNode>();

function columnsOf(
  { table, alias }: Source,
  { is_qualified }: { is_qualified: boolean },
): SelectionNode | null {
  const columns = expectedColumns()[table];
  if (!columns) return null;
  const prefix = is_qualified ? `"${alias}".` : "";
  const key = `${table} ${prefix}`;
  const there = known.get(key);
  if (there) return there;
  const list = columns.map((column) => `${prefix}"${column}"`).join(", ");
  // Raw SQL may stand wherever a column does.
  const made = SelectionNode.create(RawNode.createWithSql(list) as never);
  known.set(key, made);
  return made;
}
