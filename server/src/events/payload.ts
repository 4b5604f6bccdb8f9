import type { Environment } from "../database/tables.ts";

/** An event that has its place in the account's feed, as every reader is sent it. */
export interface PlacedEvent {
  id: string;
  type: string;
  /** When it happened: the moment of its transaction. */
  created_at: Date;
  subject_id: string;
  /** Among the events of its subject, from 1. */
  sequence: number;
  position: number;
  actor: string | null;
  request_id: string | null;
  data: object;
}

/** The body of a delivery, of an entry of the feed and of a message of the stream. */
export interface EventPayload {
  id: string;
  type: string;
  timestamp: string;
  api_version: "v5";
  environment: Environment;
  subject_id: string;
  sequence: number;
  cursor: string;
  request_id: string | null;
  actor: { type: string; id: string } | null;
  data: object;
}

/**
 * The same value whenever and wherever it is made, so that a delivery has the same bytes at each attempt, and
 * the feed and the stream say the same.
 */
export function toPayload(event: PlacedEvent, environment: Environment): EventPayload {
  return {
    id: event.id,
    type: event.type,
    timestamp: event.created_at.toISOString(),
    api_version: "v5",
    environment,
    subject_id: event.subject_id,
    sequence: event.sequence,
    cursor: String(event.position),
    request_id: event.request_id,
    actor: toActor(event.actor),
    data: event.data,
  };
}

/** `token:tok_…` as `{type: "token", id: "tok_…"}`. Null for events from before actors were recorded. */
export function toActor(actor: string | null): EventPayload["actor"] {
  const [, type, id] = /^([a-z]+):(.+)$/s.exec(actor ?? "") ?? [];
  return type !== undefined && id !== undefined ? { type, id } : null;
}
