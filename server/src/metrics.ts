import { collectDefaultMetrics, Counter, Histogram, Registry } from "prom-client";

/** What the process counts about itself, for `/metrics` (decision 24). */
export interface Metrics {
  registry: Registry;
  /** Calls to outside parties, however they ended. */
  carrier_calls: Counter<"carrier" | "operation">;
  request_seconds: Histogram<"method" | "route" | "status">;
  idempotent_replays: Counter;
}

/** A registry of its own for each platform, so that two in one process (tests) do not share counts. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  return {
    registry,
    carrier_calls: new Counter({
      name: "waybill_carrier_calls_total",
      help: "Calls to carriers and other outside parties, by operation.",
      labelNames: ["carrier", "operation"],
      registers,
    }),
    request_seconds: new Histogram({
      name: "waybill_http_request_seconds",
      help: "Time from a request's arrival to its answer, by route.",
      labelNames: ["method", "route", "status"],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers,
    }),
    idempotent_replays: new Counter({
      name: "waybill_idempotent_replays_total",
      help: "Requests that were answered with what their Idempotency-Key had stored.",
      registers,
    }),
  };
}
