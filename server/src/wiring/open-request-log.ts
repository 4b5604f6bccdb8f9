import type { Platform } from "../context.ts";
import { connect } from "../database/connect.ts";
import { onNobodysBehalf } from "../database/driver/on-behalf-of.ts";
import type { Clock } from "../domain/time/clock.ts";
import type { Metrics } from "../metrics.ts";
import { ring, type Ring } from "../request-log/ring.ts";
import { startLogWriter } from "../request-log/writer.ts";

/** The log in memory, with what it may hold when the database cannot keep up. */
export function newRequestLog(clock: Clock, metrics: Metrics): Ring {
  return ring({
    lines_max: 5000,
    bytes_max: 8 * 1024 * 1024,
    now: () => clock.now(),
    on_lost: (count) => metrics.request_log_dropped.inc(count),
  });
}

/** A database that does not answer must not keep lines in flight for long: others are dropped meanwhile. */
const statementTimeoutMs = 5000;

/** Starts to write it, on a connection of its own; the function that it returns stops. */
export function openLogWriter(platform: Platform, url: string): () => Promise<void> {
  const { request_log, process_id, log } = platform;
  const connection = connect({
    url,
    connections_max: 1,
    application_name: "waybill log",
    statement_timeout_ms: statementTimeoutMs,
  });
  const writer = onNobodysBehalf(() =>
    startLogWriter({ db: connection.db, ring: request_log, process_id, log }),
  );
  return async () => {
    await writer.stop();
    await connection.close();
  };
}
