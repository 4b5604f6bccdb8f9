import type { FastifyRequest } from "fastify";
import type { ReferenceExpression, SelectQueryBuilder } from "kysely";
import { Type, type TObject } from "typebox";
import type { Config } from "../config.ts";
import type { Account, Context } from "../context.ts";
import {
  addProblem,
  addRuleProblems,
  ApiError,
  throwIfAny,
  type Problems,
} from "../domain/errors/errors.ts";
import { Annotated } from "../domain/values/schema.ts";
import { decodeCursor, encodeCursor, type Position } from "./cursors.ts";
import { chosenFields, fieldsQuery, listText, rowSchemaOf, rowWriter } from "./list-fields.ts";
import { writtenJson } from "./serialize.ts";
import { mapYielding } from "../domain/scheduling/time-slices.ts";

/**
 * Lists, newest first unless stated otherwise (decision 1). By default a page starts after a row, which costs
 * the same at any depth; page numbers are for people who read the first few, and end where they would get
 * slow.
 */

/** The paging parameters of a list, for its query string's schema. */
export const pageParameters = {
  per_page: Type.Optional(
    Annotated(Type.Integer({ minimum: 1, maximum: 100, description: "Rows of a page." }), {
      default: 25,
    }),
  ),
  cursor: Type.Optional(
    Type.String({ description: "`meta.next_cursor` or `meta.prev_cursor` of another page." }),
  ),
  page: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: "Page number, in place of a cursor; the first 10,000 rows only.",
    }),
  ),
};

/** The same for a list of the API, with a choice of its rows' fields. */
export function pageQuery(row: TObject) {
  return { ...pageParameters, ...fieldsQuery(row) };
}

/** Which rows a page shows. */
export interface Page {
  per_page: number;
  /** How many rows to read: by cursor one more than shown, which tells whether there are others. */
  limit: number;
  offset: number;
  /** Null at the start. */
  beside: Position | null;
  /** The page's number, or null by cursor. */
  number: number | null;
}

interface PageQuery {
  per_page?: number;
  cursor?: string;
  page?: number;
}

/** Throws 422 for a foreign cursor, both ways of paging at once, or a page too far. */
function readPage(query: PageQuery, list: string, config: Config): Page {
  throwIfAny(pageProblems(query, list, config));
  const { per_page, beside, offset } = positionOf(query, list, config);
  if (query.page === undefined)
    return { per_page, limit: per_page + 1, offset: 0, beside, number: null };
  const limit = Math.min(per_page, config.page_rows_max - offset);
  return { per_page, limit, offset, beside: null, number: query.page };
}

function positionOf(query: PageQuery, list: string, config: Config) {
  const per_page = query.per_page ?? config.per_page_default;
  const beside = query.cursor === undefined ? null : decodeCursor(list, query.cursor);
  const offset = query.page === undefined ? 0 : (query.page - 1) * per_page;
  return { per_page, beside, offset };
}

/**
 * All problems of a list's query string but those that the database knows, where the route has `attachValidation` and
 * so leaves to its handler what is wrong with their shape.
 */
export function queryProblems(
  request: ListRequest & Pick<FastifyRequest, "validationError">,
): Problems {
  const { query, ctx, validationError: error } = request;
  if (error && !(error instanceof ApiError)) throw error;
  const problems: Problems = { ...((error?.details ?? {}) as Problems) };
  addRuleProblems(problems, pageProblems(query as PageQuery, addressOf(request).list, ctx.config));
  return problems;
}

function pageProblems(query: PageQuery, list: string, config: Config): Problems {
  const problems: Problems = {};
  const { beside, offset } = positionOf(query, list, config);
  if (query.cursor !== undefined && !beside)
    addProblem(problems, "cursor", "is not a cursor of this list.");
  if (query.cursor !== undefined && query.page !== undefined) {
    addProblem(problems, "page", "must not be combined with cursor.");
  }
  if (offset >= config.page_rows_max) {
    addProblem(
      problems,
      "page",
      `reaches only the first ${config.page_rows_max} rows; use cursor for more.`,
    );
  }
  return problems;
}

/** The newest rows and no others, where no list is needed. */
export function firstPage(limit: number): Page {
  return { per_page: limit, limit, offset: 0, beside: null, number: null };
}

/**
 * Restricts a query to the page, newest first unless stated otherwise. The index must be on what
 * the query asks to be equal, such as the account, and then `id`.
 */
export function onPage<DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  page: Page,
  id: ReferenceExpression<DB, TB> & string,
  first: "newest" | "oldest" = "newest",
): SelectQueryBuilder<DB, TB, O> {
  const ascending = (page.beside?.direction === "prev") === (first === "newest");
  const narrowed = page.beside
    ? query.where(id, ascending ? ">" : "<", page.beside.id as never)
    : query;
  return narrowed
    .orderBy(id as never, ascending ? "asc" : "desc")
    .limit(page.limit)
    .$if(page.offset > 0, (deep) => deep.offset(page.offset));
}

/**
 * The source of a list's rows. `count` is called only when the client pages by number: it need not count further than
 * `most`, which is one more than can be reached.
 */
export interface ListSource<Row extends { id: string }, Shown> {
  rows: (page: Page) => Promise<Row[]>;
  count: (most: number) => Promise<number>;
  show: (row: Row) => Shown;
}

/** A request for a list: an account's, or the operator's with only this much context. */
export type ListRequest = Pick<FastifyRequest, "url" | "query" | "server" | "routeOptions"> & {
  ctx: Pick<Context, "config" | "base_url"> & { account?: Pick<Account, "account_id"> };
};

/** The whole answer of a list route, of the fields that were asked for. */
export async function listResponse<Row extends { id: string }, Shown extends object>(
  request: ListRequest,
  source: ListSource<Row, Shown>,
) {
  const fields = chosenFields(request);
  if (fields === null) return pageOfList(request, source);
  const write = rowWriter(rowSchemaOf(request), fields);
  const list = await pageOfList(request, { ...source, show: (row) => write(source.show(row)) });
  return writtenJson<Awaited<ReturnType<typeof pageOfList<Row, Shown>>>>(listText(list));
}

/** Reads the page from the query string and fills the envelope. */
export async function pageOfList<Row extends { id: string }, Shown>(
  request: ListRequest,
  source: ListSource<Row, Shown>,
) {
  const address = addressOf(request);
  const page = readPage(request.query as PageQuery, address.list, request.ctx.config);
  const rows = await source.rows(page);
  if (page.number === null) return byCursor(page, rows, { address, show: source.show });
  const rows_max = request.ctx.config.page_rows_max;
  const counted = await source.count(rows_max + 1);
  const data = await mapYielding(rows, source.show);
  return { data, ...byNumber(page, { address, counted, shown: data.length, rows_max }) };
}

interface Address {
  path: string;
  /** Whose list, and which: its cursors are for no other. Without the host, which may have several names. */
  list: string;
  /** For `meta`: the query parameters that the list does not know and ignores (decision 1). */
  unknown: { ignored_parameters?: string[] };
  link(position: { cursor: string } | { page: number } | null): string;
}

/** The list's own address, and those of its other pages with every other parameter kept. */
function addressOf({ url, ctx, server, routeOptions }: ListRequest): Address {
  const [local = "", query = ""] = url.split("?", 2);
  const below = local.slice(server.prefix.length);
  const path = ctx.base_url + below;
  return {
    path,
    list: `${ctx.account?.account_id ?? ""}${below}`,
    unknown: unknownIn(query, routeOptions.schema?.querystring),
    link(position) {
      const parameters = new URLSearchParams(query);
      parameters.delete("cursor");
      parameters.delete("page");
      for (const [name, value] of Object.entries(position ?? {}))
        parameters.set(name, String(value));
      return parameters.size > 0 ? `${path}?${parameters.toString()}` : path;
    },
  };
}

function unknownIn(query: string, schema: unknown): Address["unknown"] {
  const { properties = {} } = (schema ?? {}) as { properties?: object };
  const names = new Set(new URLSearchParams(query).keys());
  const unknown = [...names].filter((name) => !Object.hasOwn(properties, name));
  return unknown.length > 0 ? { ignored_parameters: unknown.slice(0, 50) } : {};
}

async function byCursor<Row extends { id: string }, Shown>(
  page: Page,
  read: Row[],
  { address, show }: { address: Address; show: (row: Row) => Shown },
) {
  const backwards = page.beside?.direction === "prev";
  const more = read.length > page.per_page;
  const rows = more ? read.slice(0, page.per_page) : read;
  if (backwards) rows.reverse();
  const first = rows[0];
  const last = rows.at(-1);
  const cursor = (direction: Position["direction"], id: string) =>
    encodeCursor(address.list, { direction, id });
  const next_cursor = last && (more || backwards) ? cursor("next", last.id) : null;
  const prev_cursor = first && (backwards ? more : page.beside) ? cursor("prev", first.id) : null;
  return {
    data: await mapYielding(rows, show),
    meta: {
      path: address.path,
      per_page: page.per_page,
      next_cursor,
      prev_cursor,
      ...address.unknown,
    },
    links: {
      first: address.link(null),
      last: null,
      prev: prev_cursor === null ? null : address.link({ cursor: prev_cursor }),
      next: next_cursor === null ? null : address.link({ cursor: next_cursor }),
    },
  };
}

interface Numbered {
  address: Address;
  /** One more than `rows_max` stands for any number beyond. */
  counted: number;
  shown: number;
  rows_max: number;
}

function byNumber(page: Page, { address, counted, shown, rows_max }: Numbered) {
  const current_page = page.number ?? 1;
  const total = Math.min(counted, rows_max);
  const last_page = Math.max(1, Math.ceil(total / page.per_page));
  const link = (number: number) => address.link({ page: number });
  return {
    meta: {
      path: address.path,
      per_page: page.per_page,
      current_page,
      last_page,
      from: shown > 0 ? page.offset + 1 : null,
      to: shown > 0 ? page.offset + shown : null,
      total,
      ...(counted > rows_max ? { total_capped: true } : {}),
      ...address.unknown,
    },
    links: {
      first: link(1),
      last: link(last_page),
      prev: current_page > 1 ? link(Math.min(current_page - 1, last_page)) : null,
      next: current_page < last_page ? link(current_page + 1) : null,
    },
  };
}
