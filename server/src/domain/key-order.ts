import type { TSchema } from "typebox";
import { documentKeys } from "./schema.ts";

/**
 * The order of a record's keys. A row that was just written has the order of the code that made it, and what the
 * database kept as jsonb comes back by the length of its keys: the schema gives both the same.
 */

type Orderer = (value: unknown) => unknown;

const orderers = new WeakMap<object, Orderer>();

/** The same value with the keys of its objects as the schema lists them; where it lists none, by the alphabet. */
export function inOrderOf<T>(schema: TSchema, value: T): T {
  return ordererOf(schema)(value) as T;
}

function ordererOf(schema: object): Orderer {
  const known = orderers.get(schema);
  if (known) return known;
  const made = makeOrderer(schema);
  orderers.set(schema, made);
  return made;
}

interface Parts {
  properties: Map<string, Orderer>;
  items: Orderer | null;
}

function makeOrderer(schema: object): Orderer {
  const { properties, items } = partsOf(schema);
  const listed = [...properties];
  const orderEntry: Orderer = items ?? ((entry) => unlisted(entry));
  // Every record of a list passes here: written out, because closures and pairs cost several times as much.
  return function order(value) {
    if (Array.isArray(value)) return value.map((entry) => inOrder(orderEntry, entry));
    if (!isPlain(value)) return value;
    const ordered: Record<string, unknown> = {};
    let found = 0;
    for (const [name, orderInner] of listed) {
      const inner = value[name];
      if (inner === undefined && !Object.hasOwn(value, name)) continue;
      ordered[name] = inOrder(orderInner, inner);
      found++;
    }
    const names = Object.keys(value);
    if (names.length === found) return ordered;
    for (const name of names.filter((each) => !properties.has(each)).sort())
      define(ordered, name, inOrder(unlisted, value[name]));
    return ordered;
  };
}

function inOrder(order: Orderer, value: unknown): unknown {
  return typeof value === "object" && value !== null ? order(value) : value;
}

/** An assignment would set the prototype where the name is `__proto__`. */
function define(record: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(record, name, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

/** Of a choice of schemas all keys, in turn. */
function partsOf(schema: object): Parts {
  const documented = (schema as Record<string, object | undefined>)[documentKeys.documented];
  const stated = (documented ?? schema) as {
    anyOf?: object[];
    oneOf?: object[];
    properties?: Record<string, object>;
    items?: object;
  };
  const properties = new Map<string, Orderer>();
  let items = stated.items ? ordererOf(stated.items) : null;
  for (const [name, inner] of Object.entries(stated.properties ?? {}))
    properties.set(name, ordererOf(inner));
  for (const choice of [...(stated.anyOf ?? []), ...(stated.oneOf ?? [])]) {
    const parts = partsOf(choice);
    items ??= parts.items;
    for (const [name, orderer] of parts.properties)
      if (!properties.has(name)) properties.set(name, orderer);
  }
  return { properties, items };
}

const unlisted: Orderer = makeOrderer({});

function isPlain(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype
  );
}
