import type { Insertable } from "kysely";
import type { CarrierCallsTable, RequestBodiesTable, RequestLogTable } from "../database/tables.ts";

/** A line of the log with what belongs to it. */
export type LogLine =
  | {
      request: Insertable<RequestLogTable>;
      bodies: Pick<RequestBodiesTable, "request_body" | "response_body"> | null;
      /** Ids of the shipments, orders and batches that it was about. */
      subject_ids: readonly string[];
    }
  | { carrier_call: Insertable<CarrierCallsTable> };

/** Where lines are left to be written. Never waits and never throws. */
export interface RequestLog {
  append(line: LogLine): void;
}

/** Lines that were lost since the last report of lost ones. */
export interface Lost {
  count: number;
  /** When the last of them was. */
  at: Date;
}

/** Lines in memory until they are written, the oldest first. */
export interface Ring extends RequestLog {
  /** Takes the oldest lines out; they still count against the limit, until `release`. */
  take(linesMax: number): LogLine[];
  /** Those taken are written, or are given up and count as lost. */
  release(outcome: "written" | "lost"): void;
  hasMore(): boolean;
  /** Null when none were lost; until the next `reported`. */
  lost(): Lost | null;
  /** So many lost lines were written down. */
  reported(count: number): void;
}

interface RingLimits {
  lines_max: number;
  bytes_max: number;
  now(): Date;
  on_lost(count: number): void;
}

/** Of memory, without its bodies. */
const lineBytes = 600;
const subjectBytes = 60;

/** When it is full, the oldest lines are dropped: the newest are looked for first. */
export function ring({ lines_max, bytes_max, now, on_lost }: RingLimits): Ring {
  let waiting: { line: LogLine; bytes: number }[] = [];
  /** Lines before this one were taken or dropped. */
  let first = 0;
  let waitingBytes = 0;
  let taken = { lines: 0, bytes: 0 };
  let lost: Lost | null = null;

  function lose(count: number): void {
    if (count === 0) return;
    lost = { count: (lost?.count ?? 0) + count, at: now() };
    on_lost(count);
  }

  function shift() {
    const entry = waiting[first]!;
    first += 1;
    waitingBytes -= entry.bytes;
    // Not at each line: moving thousands of entries for one would cost more than writing it.
    if (first >= 1024 && first * 2 > waiting.length) {
      waiting = waiting.slice(first);
      first = 0;
    }
    return entry;
  }

  const length = () => waiting.length - first;
  const isOver = () => length() + taken.lines > lines_max || waitingBytes + taken.bytes > bytes_max;

  return {
    append(line) {
      const bytes = bytesOf(line);
      waiting.push({ line, bytes });
      waitingBytes += bytes;
      let dropped = 0;
      for (; isOver() && length() > 0; dropped++) shift();
      lose(dropped);
    },
    take(linesMax) {
      const lines: LogLine[] = [];
      while (lines.length < linesMax && length() > 0) {
        const { line, bytes } = shift();
        lines.push(line);
        taken = { lines: taken.lines + 1, bytes: taken.bytes + bytes };
      }
      return lines;
    },
    release(outcome) {
      if (outcome === "lost") lose(taken.lines);
      taken = { lines: 0, bytes: 0 };
    },
    hasMore: () => length() > 0,
    lost: () => lost,
    reported(count) {
      if (lost) lost = lost.count > count ? { ...lost, count: lost.count - count } : null;
    },
  };
}

function bytesOf(line: LogLine): number {
  if ("carrier_call" in line) return lineBytes + lengthOf(line.carrier_call);
  return lineBytes + lengthOf(line.bodies) + line.subject_ids.length * subjectBytes;
}

/** Two bytes a character. */
function lengthOf(bodies: Partial<RequestBodiesTable> | null): number {
  return 2 * ((bodies?.request_body?.length ?? 0) + (bodies?.response_body?.length ?? 0));
}
