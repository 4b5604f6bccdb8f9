import type { Lists } from "../generated/resources.ts";
import type { operations } from "../generated/types.ts";

/** What a call may be given in addition to its input. */
export interface CallOptions {
  /** Ends the call and its retries with the signal's reason. */
  signal?: AbortSignal;
  /** For each try; the client's, or 30 seconds. */
  timeoutMs?: number;
  /** For network failures, 429, 503 and a first request that still runs; the client's, or 2. */
  maxRetries?: number;
  /** One for each intended effect; a call without one makes its own, and keeps it over its retries. */
  idempotencyKey?: string;
  headers?: Record<string, string>;
}

/** Options of a list, for each of its pages. */
export type PageOptions = Omit<CallOptions, "idempotencyKey">;

/** What is said about each answer apart from its body. */
export interface Facts {
  /** The answer of an earlier request with the same Idempotency-Key. */
  isReplay: boolean;
  /** To quote when something is unclear; in the server's log, too. */
  requestId: string | null;
}

/** An answer that is awaited, or taken with its status and headers. */
export interface Call<T> extends Promise<T> {
  /** The same answer with the HTTP response, whose body is read. */
  withResponse(): Promise<{ result: T; response: Response }>;
}

export type OperationId = keyof operations;

/** Two of them only where an operation takes a file: as JSON, or as a form. */
type BodyOf<T> = T extends { content: infer C }
  ? C extends { "application/json": infer J }
    ? J | (C extends { "multipart/form-data": unknown } ? FormData : never)
    : never
  : never;

/** The body that an operation takes. */
export type Body<Id extends OperationId> = operations[Id] extends { requestBody?: infer B }
  ? BodyOf<NonNullable<B>>
  : never;

/** Values with commas between them may be an array. */
type WithLists<Q, L> = Omit<Q, keyof L> & { [Name in keyof L]?: readonly L[Name][] | string };

/** The query that an operation takes. */
export type Query<Id extends OperationId> = operations[Id] extends {
  parameters: { query?: infer Q };
}
  ? WithLists<NonNullable<Q>, Id extends keyof Lists ? Lists[Id] : unknown>
  : never;

type Json<R> = R extends { content: { "application/json": infer J } }
  ? J
  : R extends { content?: never }
    ? { data: null }
    : never;

type Answers<R> = { [Status in keyof R & (200 | 201 | 202 | 204)]: Json<R[Status]> };

/** The body of a success. */
export type Success<Id extends OperationId> = operations[Id] extends { responses: infer R }
  ? Answers<R>[keyof Answers<R>]
  : never;

/** The body of a success, with what is said about it. A 204 has `data: null`. */
export type Envelope<Id extends OperationId> = Success<Id> & Facts;

/** One entry of a list. */
export type Item<Id extends OperationId> = Success<Id> extends { data: (infer T)[] } ? T : never;
