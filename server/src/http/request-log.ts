import { createHash } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Account, FoundToken, Platform } from "../context.ts";
import { actorOf } from "../domain/accounts/principal.ts";
import { redactedError } from "../domain/logs/redact-error.ts";
import { fieldsOf, hidden, redacted } from "../domain/logs/redact.ts";
import { newId } from "../domain/values/ids.ts";
import { knownCodes } from "../request-log/known-codes.ts";
import { withoutTokens } from "./tokens.ts";

/**
 * The request log: each call of a known account is noted once its answer has gone. Nothing here waits,
 * and nothing reaches the log but what a schema's allow-list shows (`domain/logs/redact.ts`).
 */

declare module "fastify" {
  interface FastifyRequest {
    /** Of the token or session that was sent, even where it is refused; null for an unknown one. */
    known_caller: Pick<FoundToken, "account" | "principal"> | null;
    /** The body of the answer, where the log keeps it. */
    logged_answer: string | null;
  }
}

/** Adds the hooks of a base address. To be called after the hooks that may replace an answer. */
export function logRequests(scope: FastifyInstance, platform: Platform, base: string): void {
  const describe = describer(platform, base);
  scope.addHook("onRoute", ({ url }) => describe.learn(url));
  scope.addHook("onSend", (request, reply, payload, done) => {
    const isKept = typeof payload === "string" && keepsBodies(request, reply);
    if (isKept) request.logged_answer = payload;
    done();
  });
  scope.addHook("onResponse", (request, reply, done) => {
    const caller = request.known_caller;
    if (caller) {
      try {
        platform.request_log.append(describe.line(request, reply, caller.account));
      } catch (error) {
        request.log.error({ err: error }, "request_log.not_appended");
      }
    }
    done();
  });
}

function isMutation({ method }: FastifyRequest): boolean {
  return method !== "GET" && method !== "HEAD";
}

function keepsBodies(request: FastifyRequest, reply: FastifyReply): boolean {
  return isMutation(request) || reply.statusCode >= 400;
}

/** A longer body is not parsed for the log. */
const parsedBytesMax = 65_536;

function describer({ clock, carriers }: Platform, base: string) {
  const known = knownCodes(carriers);
  const segments = new Set<string>();
  const fields = new WeakMap<object, ReadonlySet<string>>();

  function fieldNames(schema: object): ReadonlySet<string> {
    let names = fields.get(schema);
    if (!names) {
      const { body, querystring, params } = schema as Record<string, object>;
      const all = fieldsOf([body, querystring, params].filter((each) => each !== undefined));
      fields.set(schema, (names = all.add("body")));
    }
    return names;
  }

  function bodiesOf(request: FastifyRequest, reply: FastifyReply, account: Account) {
    if (account.settings.request_log_bodies === "off" || !keepsBodies(request, reply)) return null;
    const { schema = {} } = request.routeOptions;
    const sent = bodyOf(request.body);
    const answer = parsed(request.logged_answer);
    const answers = schema.response as Record<string, object> | undefined;
    return {
      request_body: sent === undefined ? null : redacted(sent, schema.body ?? {}, { known }),
      response_body:
        answer === undefined
          ? null
          : (redactedError(answer, fieldNames(schema), { known }) ??
            redacted(answer, answers?.[reply.statusCode] ?? {}, { known })),
    };
  }

  return {
    learn(url: string): void {
      for (const part of url.split("/")) if (!part.startsWith(":")) segments.add(part);
    },
    line(request: FastifyRequest, reply: FastifyReply, account: Account) {
      const at = new Date(clock.now().getTime() - Math.round(reply.elapsedTime));
      const path = pathOf(request, base, segments);
      const subjects = subjectsOf(request, path);
      const isPlainRead = !isMutation(request) && !path.startsWith("/rates/");
      // What a timeline tells is found by rows of its own (`shipping/timeline/log-store.ts`); most lines need none.
      const hasRows = !isPlainRead || subjects.length > 1;
      return {
        request: {
          account_id: account.account_id,
          at,
          id: newId("req", at),
          request_id: withoutTokens(request.id),
          method: request.method,
          route: routeOf(request, base),
          path,
          status: reply.statusCode,
          ms: Math.round(reply.elapsedTime),
          actor: actorOf(request.known_caller!.principal),
          idempotency_key: loggedKey(request.headers["idempotency-key"]),
          is_replay: reply.getHeader("idempotent-replay") === "true",
          error_code: request.refusal?.code ?? codeIn(reply.statusCode, request.logged_answer),
          ip: request.ip,
          subject_id: hasRows ? null : (subjects[0] ?? null),
        },
        bodies: bodiesOf(request, reply, account),
        subject_ids: hasRows ? subjects : [],
      };
    },
  };
}

/** Of a path only what routes are made of, and ids: a client may write anything in between. */
function pathOf(request: FastifyRequest, base: string, segments: ReadonlySet<string>): string {
  const url = request.originalUrl;
  const end = url.indexOf("?");
  const parts = url.slice(base.length, end === -1 ? undefined : end).split("/");
  if (parts.length > 12) parts.length = 12;
  for (const [place, part] of parts.entries())
    if (part !== "" && !segments.has(part) && !isAnyId.test(part)) parts[place] = hidden;
  return end === -1 ? parts.join("/") : parts.join("/") + parametersOf(request, url.slice(end + 1));
}

function parametersOf(request: FastifyRequest, query: string): string {
  const names = [...new Set(new URLSearchParams(query).keys())].filter((name) =>
    Object.hasOwn(propertiesOf(request.routeOptions.schema?.querystring), name),
  );
  const parameters = names.map((name) => `${name}=${hidden}`).join("&");
  return parameters && `?${parameters}`;
}

function propertiesOf(schema: unknown): object {
  return (schema as { properties?: object } | undefined)?.properties ?? {};
}

/** As the document writes it: `/shipments/{shipment_id}`; empty for a path that no route has. */
function routeOf({ routeOptions, is404 }: FastifyRequest, base: string): string {
  if (is404) return "";
  const { url = "" } = routeOptions;
  let route = routes.get(url);
  if (route === undefined)
    routes.set(url, (route = url.slice(base.length).replaceAll(/:(\w+)/g, "{$1}")));
  return route;
}

/** By the route's address with its base; there are a few hundred. */
const routes = new Map<string, string>();

/** A replay's body was never parsed, and a refused one neither. Undefined for none. */
function bodyOf(body: unknown): unknown {
  if (body === null || body === undefined) return undefined;
  if (!Buffer.isBuffer(body)) return body;
  return body.length === 0 ? undefined : parsed(body.toString());
}

/** Text that is no JSON, or is long, becomes a text that no schema shows. */
function parsed(text: string | null): unknown {
  if (text === null || text === "") return undefined;
  if (text.length > parsedBytesMax) return hidden;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return hidden;
  }
}

/** A replayed refusal is not thrown again. */
function codeIn(status: number, answer: string | null): string | null {
  if (status < 400 || answer === null) return null;
  return /^\{"error":\{"code":"([a-z_]{1,60})"/.exec(answer)?.[1] ?? null;
}

/** With a digit: what is only a word can be a name, and hardly a key. */
const plainKey = /^(?=.*\d)[A-Za-z0-9][\w.:/-]{0,254}$/;
/** A card's number, or a token. */
const secretKey = /\d{13,19}|wb_[a-z]{2,4}_/;

/** An Idempotency-Key as the log keeps it: one that may hold more than a name of a request as its digest. */
export function loggedKey(header: unknown): string | null {
  if (typeof header !== "string" || header === "") return null;
  if (plainKey.test(header) && !secretKey.test(header)) return header;
  return `sha256:${createHash("sha256").update(header).digest("hex").slice(0, 32)}`;
}

const isAnyId = /^[a-z]{2,3}_[0-7][0-9a-hjkmnp-tv-z]{25}$/;
const subjectIds = /\b(?:shp|ord|bat)_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g;
const subjectsMax = 500;
const scannedMax = 1_048_576;

/** The shipments, orders and batches that the path, the body and the answer name. */
function subjectsOf({ body, ctx, logged_answer }: FastifyRequest, path: string): string[] {
  const inPath = path.match(subjectIds) ?? [];
  const begun = (ctx as typeof ctx | null)?.claim?.subject_id;
  // Most reads end here.
  if (inPath.length < 2 && !body && logged_answer === null && !begun) return inPath;
  const ids = new Set<string>(inPath);
  for (const id of (logged_answer ?? "").slice(0, scannedMax).match(subjectIds) ?? []) ids.add(id);
  for (const text of textsIn(body)) if (text.length === 30 && text.match(subjectIds)) ids.add(text);
  if (begun?.match(subjectIds)) ids.add(begun);
  return [...ids].slice(0, subjectsMax);
}

const valuesMax = 20_000;
/** No call has ids as deep; a client may send ten thousand lists in each other, more than the stack has room for. */
const depthMax = 64;

/** The texts among the first values of a body, where it is not too deep. */
function textsIn(body: unknown): string[] {
  const texts: string[] = [];
  let left = valuesMax;
  const visit = (value: unknown, depth: number): void => {
    if ((left -= 1) < 0 || depth > depthMax || ArrayBuffer.isView(value)) return;
    if (typeof value === "string") texts.push(value);
    if (typeof value !== "object" || value === null) return;
    // Of a list of a million no copy is made.
    for (const inner of Array.isArray(value) ? value : Object.values(value)) {
      if (left < 0) return;
      visit(inner, depth + 1);
    }
  };
  visit(body, 0);
  return texts;
}
