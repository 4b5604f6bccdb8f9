import type { TSchema } from "typebox";
import { documentKeys } from "../values/schema.ts";

/**
 * The order of a record's keys. A row that was just written has the order of the code that made it, and jsonb
 * is returned by the length of its keys: the schema gives both the same.
 */

const known = new WeakMap<object, KeyOrder>();

/**
 * The same value with the keys of its objects in the schema's order; where it lists none, alphabetically. An
 * ordered value is not copied.
 */
export function inOrderOf<T>(schema: TSchema, value: T): T {
  const order = orderOf(schema);
  return (order.isKept(value) ? value : order.apply(value)) as T;
}

/** The order of keys by one schema. Every record of a list passes through it, so it is written for speed. */
class KeyOrder {
  private readonly names: string[];
  private readonly inner: KeyOrder[];
  private readonly places: Map<string, number>;
  private readonly entries: KeyOrder | null;

  constructor({ properties, items }: Parts) {
    this.names = [...properties.keys()];
    this.inner = [...properties.values()];
    this.places = new Map(this.names.map((name, place) => [name, place]));
    this.entries = items;
  }

  /** Whether the keys are in order, at every depth. A check of each costs less than a copy. */
  isKept(value: unknown): boolean {
    if (typeof value !== "object" || value === null) return true;
    if (Array.isArray(value)) return value.every((entry) => this.ofEntries().isKept(entry));
    if (!isPlain(value)) return true;
    let place = 0;
    for (const name in value) {
      while (place < this.names.length && this.names[place] !== name) place++;
      if (place === this.names.length || !this.inner[place]!.isKept(value[name])) return false;
      place++;
    }
    return true;
  }

  apply(value: unknown): unknown {
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map((entry) => this.ofEntries().apply(entry));
    if (!isPlain(value)) return value;
    const ordered: Record<string, unknown> = {};
    const given = Object.keys(value);
    let found = 0;
    for (const [place, name] of this.names.entries()) {
      const inner = value[name];
      if (inner === undefined && !Object.hasOwn(value, name)) continue;
      ordered[name] = this.inner[place]!.apply(inner);
      found++;
    }
    if (given.length === found) return ordered;
    for (const name of given.filter((each) => !this.places.has(each)).sort())
      define(ordered, name, unlisted.apply(value[name]));
    return ordered;
  }

  private ofEntries(): KeyOrder {
    return this.entries ?? unlisted;
  }
}

interface Parts {
  properties: Map<string, KeyOrder>;
  items: KeyOrder | null;
}

/** Of keys that no schema lists. */
const unlisted: KeyOrder = new KeyOrder({ properties: new Map(), items: null });

function orderOf(schema: object): KeyOrder {
  const made = known.get(schema) ?? new KeyOrder(partsOf(schema));
  known.set(schema, made);
  return made;
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
  const properties = new Map<string, KeyOrder>();
  let items = stated.items ? orderOf(stated.items) : null;
  for (const [name, inner] of Object.entries(stated.properties ?? {}))
    properties.set(name, orderOf(inner));
  for (const choice of [...(stated.anyOf ?? []), ...(stated.oneOf ?? [])]) {
    const parts = partsOf(choice);
    items ??= parts.items;
    for (const [name, order] of parts.properties)
      if (!properties.has(name)) properties.set(name, order);
  }
  return { properties, items };
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

function isPlain(value: object): value is Record<string, unknown> {
  return Object.getPrototypeOf(value) === Object.prototype;
}
