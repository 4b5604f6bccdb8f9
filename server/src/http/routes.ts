import type { FastifyBaseLogger, FastifyInstance, FastifyRequest, RawServerDefault } from "fastify";
import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Type, type TSchema } from "typebox";
import type { Context } from "../context.ts";
import type { ErrorCode } from "../domain/errors/errors.ts";
import { Nullable } from "../domain/values/schema.ts";
import { jsonType } from "./errors.ts";
import type { StoredResponse } from "./idempotency.ts";
import type { Scope } from "../domain/accounts/scopes.ts";

/** What route files are written with: the contract of a route, and the envelopes of its answers. */

declare module "fastify" {
  interface FastifyContextConfig {
    /** Any of these opens the route; none at all means any valid token. Every API route states it. */
    scopes?: readonly Scope[];
    /** Any of these opens the route as well, for LTL shipments and nothing else: see `ltl_only`. */
    ltl_scopes?: readonly Scope[];
    /** Each of these may be needed as well, which only the verb can decide: see `requireVerbScope`. */
    verb_scopes?: readonly Scope[];
    /**
     * The answer shows a secret: it is stored sealed, and replayed to the token that asked, and to no
     * other.
     */
    secret_answer?: true;
    /** A second, tighter rate limit in addition to the general one. */
    limit?: "carrier" | "top_up" | "import";
    /** `required`: a call without an Idempotency-Key is refused. */
    key?: "required";
    /** Its SQL conditions are criteria that the client sends. */
    is_by_criteria?: true;
    /** `bulk` accepts a larger body. */
    body?: "bulk";
    /** The list in the body's object that may be long, where each entry counts by itself: see `parseJson`. */
    rows?: string;
    /** A form with files is accepted in addition to JSON: fields are texts, files are bytes. */
    multipart?: true;
    /**
     * `in_verb`: the verb validates the body itself, so that it can report semantic problems along with
     * it.
     */
    validation?: "in_verb";
    /**
     * The large schemas that the verb validates by: compiled soon after the start, and not in the first
     * call.
     */
    validated_by?: readonly object[];
    /**
     * The type of the file that the path names: a client that prefers it to JSON is redirected to the
     * file.
     */
    file_type?: string;
    /** The path of what a 201 created, with a field of its `data` in braces, for `Location`. */
    creates?: string;
    /** The `status` that `data` has once it can be read there; any, where none is stated. */
    creates_with_status?: string;
    /** Seconds after which the state of what a 202 began is worth polling. */
    retry_after?: number;
    /** For the document: codes that this route answers in addition to those that every route may. */
    errors?: readonly ErrorCode[];
    /** For the document: bodies that work unchanged, by what they show. A test sends them all. */
    examples?: Readonly<Record<string, unknown>>;
  }
  interface FastifyRequest {
    ctx: Context;
    /** Gives the request's slot of admission to others while it waits for what takes no work, then asks for one. */
    withoutSlot(wait: () => Promise<void>): Promise<void>;
  }
}

type Api = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** A route file: registers its routes, relative to the base address. */
export type Routes = (app: Api) => Promise<void>;

/** `{ "data": … }`. */
export function DataOf<T extends TSchema>(schema: T) {
  return Type.Object({ data: schema }, nameAfter(schema, "Data"));
}

/** An envelope is named for its content, so that generated clients have a name for it. */
function nameAfter(schema: TSchema, ending: string): { $id?: string } {
  const { $id } = schema as { $id?: string };
  return $id === undefined ? {} : { $id: `${$id}${ending}` };
}

export const ListMeta = Type.Object(
  {
    path: Type.String({ description: "The list's address, without its query." }),
    per_page: Type.Integer(),
    next_cursor: Type.Optional(Nullable(Type.String())),
    prev_cursor: Type.Optional(Nullable(Type.String())),
    current_page: Type.Optional(Type.Integer()),
    last_page: Type.Optional(Type.Integer()),
    from: Type.Optional(Nullable(Type.Integer())),
    to: Type.Optional(Nullable(Type.Integer())),
    total: Type.Optional(
      Type.Integer({ description: "Counted up to the last row that page numbers reach: 10,000." }),
    ),
    total_capped: Type.Optional(
      Type.Boolean({
        description: "True, and only then present, where there are more than `total`.",
      }),
    ),
    ignored_parameters: Type.Optional(
      Type.Array(Type.String(), {
        description: "Query parameters that this list does not know, when there were some.",
      }),
    ),
  },
  { $id: "ListMeta", description: "Cursors by default; page numbers when `page` was asked for." },
);

export const ListLinks = Type.Object(
  {
    first: Nullable(Type.String()),
    last: Nullable(Type.String()),
    prev: Nullable(Type.String()),
    next: Nullable(Type.String()),
  },
  { $id: "ListLinks" },
);

/** `{ "data": […], "meta": {…}, "links": {…} }`. */
export function ListOf<T extends TSchema>(schema: T) {
  const list = { data: Type.Array(schema), meta: ListMeta, links: ListLinks };
  return Type.Object(list, nameAfter(schema, "List"));
}

/** What `send` needs of a reply, whatever replies the route declares. */
interface Sendable {
  request: Pick<FastifyRequest, "ctx" | "routeOptions">;
  /** The answer that is sent, to be stored under the key. */
  answer?: StoredResponse;
  raw: ServerResponse;
  statusCode: number;
  header(name: string, value: string): unknown;
  send(payload: never): unknown;
}

/**
 * Sends an answer byte for byte: no serializer comes between what was stored for the key and what
 * the client gets. The result satisfies any return type that a route's schema asks for.
 */
export function send(reply: Sendable): (answer: StoredResponse) => never {
  return (answer) => {
    reply.answer = answer;
    reply.statusCode = answer.status;
    const headers = { ...answer.headers, ...headersOf(reply.request, answer) };
    for (const [name, value] of Object.entries(headers)) reply.header(name, value);
    return (reply.send as (payload: string | undefined) => unknown).call(
      reply,
      answer.body || undefined,
    ) as never;
  };
}

/** Sends what is JSON already, in the form of the schema that the route states for its 200. */
export function sendJson(reply: Pick<Sendable, "header" | "send">, body: string): never {
  reply.header("content-type", jsonType);
  return (reply.send as (payload: string) => unknown).call(reply, body) as never;
}

/**
 * The headers that the route declares for its 201 and 202, derived from the answer itself, so that a
 * replay has the same.
 */
function headersOf(
  { ctx, routeOptions }: Sendable["request"],
  { status, body }: StoredResponse,
): Record<string, string> {
  const { creates, creates_with_status: wanted, retry_after } = routeOptions.config;
  if (status === 202 && retry_after !== undefined) return { "retry-after": String(retry_after) };
  // A list of rows has no one location.
  if (status !== 201 || creates === undefined || !body.startsWith('{"data":{')) return {};
  if (wanted !== undefined && fieldOfData(body, "status") !== wanted) return {};
  const path = creates.replace(/\{(\w+)\}/, (_, field: string) =>
    encodeURIComponent(fieldOfData(body, field)),
  );
  return { location: ctx.base_url + path };
}

/** A thing's id comes first, so the rest of its answer is seldom read. */
function fieldOfData(body: string, field: string): string {
  const [, first, text] = /^\{"data":\{"(\w+)":"([^"\\]*)"/.exec(body) ?? [];
  if (first === field && text !== undefined) return text;
  const { data } = JSON.parse(body) as { data: Record<string, unknown> };
  return String(data[field]);
}
