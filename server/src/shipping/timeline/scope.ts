import type { Position } from "../../domain/timeline/entry.ts";

/** What a timeline reads: the rows of some subjects, and of one request where it is a request's. */
export interface TimelineScope {
  account_id: string;
  /** The shipment, order or batch; of a request all that it was about. */
  subjects: readonly string[];
  /** Only rows of this request, which came at that moment: its id may be a client's own, and not be unique. */
  request: { request_id: string; at: Date } | null;
  /** Only events of these types; null for all. */
  event_types: readonly string[] | null;
  /** Whether the bodies of requests and of carriers' calls are shown. */
  with_bodies: boolean;
}

/** The next entries of a source: up to `limit` of them after the position. */
export interface Slice {
  after: Position;
  limit: number;
}
