import type { FastifyRequest } from "fastify";
import { Type, type Static, type TObject, type TSchema } from "typebox";
import { CommaSeparated } from "../domain/values/schema.ts";
import { ListLinks, ListMeta } from "./routes.ts";
import { serializerOf } from "./serialize.ts";

/**
 * `fields` of lists: the rows with some of their fields only, for clients that show a table. What is left out is not
 * written, and where a list reads its rows as texts, not read either.
 */

/** The names of the rows' fields that a client asked for. */
export type Fields = ReadonlySet<string>;

/** The parameter, for a list of such rows. Another name than those of its fields is 422. */
export function fieldsQuery(row: TObject) {
  const names = Object.keys(row.properties);
  return {
    fields: Type.Optional(
      CommaSeparated(names, {
        maxLength: 1000,
        description:
          "Which fields the rows have, separated by commas: all when absent. The others are missing, also those that the schema of a row requires. Paging is the same with any.",
        examples: [names.slice(0, 2).join(",")],
      }),
    ),
  };
}

interface ListRequest {
  query: unknown;
  routeOptions: Pick<FastifyRequest["routeOptions"], "schema">;
}

/** The fields that the request names; null for all of them. */
export function chosenFields({ query }: ListRequest): Fields | null {
  const { fields } = query as { fields?: string };
  return fields === undefined ? null : new Set(fields.split(","));
}

/** The schema of the rows that the route states for its 200, which is `ListOf` them. */
export function rowSchemaOf({ routeOptions }: ListRequest): TObject {
  const { response } = routeOptions.schema as { response: { 200: TSchema } };
  const list = response[200] as unknown as { properties: { data: { items: TObject } } };
  return list.properties.data.items;
}

/** Writes these fields of a row in the order of its schema, as the whole row's serializer would write them. */
export function rowWriter(row: TObject, fields: Fields): (shown: object) => string {
  const parts = Object.entries(row.properties)
    .filter(([name]) => fields.has(name))
    .map(([name, schema]) => ({ name, write: serializerOf(schema) }));
  return (shown) => {
    const values = shown as Record<string, unknown>;
    const written = parts.flatMap(({ name, write }) =>
      values[name] === undefined ? [] : [`"${name}":${write(values[name])}`],
    );
    return `{${written.join(",")}}`;
  };
}

/** A list's whole body, of rows that are JSON already. */
export function listText(list: {
  data: readonly string[];
  meta: Static<typeof ListMeta>;
  links: Static<typeof ListLinks>;
}): string {
  const meta = serializerOf(ListMeta)(list.meta);
  const links = serializerOf(ListLinks)(list.links);
  return `{"data":[${list.data.join(",")}],"meta":${meta},"links":${links}}`;
}
