import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";

type Registers = Registry[];

const dayMs = 86_400_000;

/** What the process counts about itself, for `/metrics` (decision 24). */
export type Metrics = { registry: Registry } & ReturnType<typeof requestMetrics> &
  ReturnType<typeof carrierMetrics> &
  ReturnType<typeof eventMetrics>;

/** A registry of its own for each platform, so that two in one process (tests) do not share counts. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  // It would take a sample each 10 ms, half of what a process at rest does; `event_loop_blocked_seconds` tells more.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: dayMs });
  for (const figure of ["min", "max", "mean", "stddev", "p50", "p90", "p99"])
    registry.removeSingleMetric(`nodejs_eventloop_lag_${figure}_seconds`);
  const registers = [registry];
  return {
    registry,
    ...requestMetrics(registers),
    ...carrierMetrics(registers),
    ...eventMetrics(registers),
  };
}

/** Of requests to the API. */
function requestMetrics(registers: Registers) {
  return {
    request_seconds: new Histogram({
      name: "waybill_http_request_seconds",
      help: "Time from a request's arrival to its answer, by route.",
      labelNames: ["method", "route", "status"],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers,
    }),
    /** How long the event loop was blocked, where that was long. */
    event_loop_blocked_seconds: new Histogram({
      name: "waybill_event_loop_blocked_seconds",
      help: "Times of more than 50 ms for which one piece of work held the event loop.",
      buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    idempotent_replays: new Counter({
      name: "waybill_idempotent_replays_total",
      help: "Requests that were answered with what their Idempotency-Key had stored.",
      registers,
    }),
    /** Lines of the request log that could not be written in time. */
    request_log_dropped: new Counter({
      name: "waybill_request_log_dropped_total",
      help: "Lines of the request log, and of calls of carriers, that were dropped because they could not be written in time.",
      registers,
    }),
  };
}

/** Of calls to carriers and other outside parties. */
function carrierMetrics(registers: Registers) {
  return {
    /** Calls to outside parties, however they ended. */
    carrier_calls: new Counter({
      name: "waybill_carrier_calls_total",
      help: "Calls to carriers and other outside parties, by operation.",
      labelNames: ["carrier", "operation"],
      registers,
    }),
    /** Calls that were not made: `carrier_busy`, `circuit_open` or `over_budget`. */
    carrier_calls_refused: new Counter({
      name: "waybill_carrier_calls_refused_total",
      help: "Calls to carriers that were not made, because too many were under way, the circuit is open or the contract's budget is used up; by group of operations.",
      labelNames: ["carrier", "operation", "reason"],
      registers,
    }),
    /** Connections whose credentials a carrier has refused repeatedly. */
    carrier_connections_failed: new Counter({
      name: "waybill_carrier_connections_failed_total",
      help: "Carrier connections that became `failing`, because the carrier refused their credentials three times in a row.",
      labelNames: ["carrier", "origin"],
      registers,
    }),
    /** Accounts whose calls to the carrier this process does not make at the moment. */
    carrier_circuit_open: new Gauge({
      name: "waybill_carrier_circuit_open",
      help: "Accounts whose calls to the carrier this process does not make, because it seems dead.",
      labelNames: ["carrier"],
      registers,
    }),
    /** How often carriers were polled for a parcel: `changed`, `unchanged` or `failed`. */
    tracking_looks: new Counter({
      name: "waybill_tracking_looks_total",
      help: "Questions to carriers where a parcel is, by what came of them.",
      labelNames: ["carrier", "result"],
      registers,
    }),
    /** The delay of the poll of the parcel that was due first: a lasting one requires more workers. */
    tracking_lag_seconds: new Gauge({
      name: "waybill_tracking_lag_seconds",
      help: "How late the longest due parcel was that this process asked a carrier for last.",
      labelNames: ["carrier"],
      registers,
    }),
    /** Updated by workers, each for the whole database: not to be added up. */
    review_items: new Gauge({
      name: "waybill_review_items",
      help: "Attempts that wait for an operator's decision, in the whole database.",
      labelNames: ["kind", "party"],
      registers,
    }),
  };
}

/** Of the feed and its readers. */
function eventMetrics(registers: Registers) {
  return {
    /** Calls of addresses that customers name, not made because they would have led to one that is not public. */
    forbidden_address: new Counter({
      name: "waybill_forbidden_address_total",
      help: "Calls of webhooks that were not made, because their host has an address that is not public.",
      registers,
    }),
    /** Attempts at deliveries: `delivered`, `refused` (another status than 2xx) or `no_answer`. */
    webhook_deliveries: new Counter({
      name: "waybill_webhook_deliveries_total",
      help: "Attempts at deliveries to webhooks: delivered, refused (another status than 2xx), no_answer.",
      labelNames: ["result"],
      registers,
    }),
    /** From an event's commit to the 2xx of its receiver. */
    webhook_delivery_seconds: new Histogram({
      name: "waybill_webhook_delivery_seconds",
      help: "Time from an event to the 2xx of its receiver.",
      buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 600, 3600, 86_400],
      registers,
    }),
    /** Webhooks that this process holds; `failing` are those whose last attempt failed. */
    webhook_lanes: new Gauge({
      name: "waybill_webhook_lanes",
      help: "Webhooks that this process is sending to; failing are those whose last attempt failed.",
      labelNames: ["pool"],
      registers,
    }),
    webhook_places: new Gauge({
      name: "waybill_webhook_places",
      help: "Deliveries under way in this process.",
      labelNames: ["pool"],
      registers,
    }),
    webhook_pending_oldest_seconds: new Gauge({
      name: "waybill_webhook_pending_oldest_seconds",
      help: "How long the webhook that has waited longest was due, of those that this process is sending to.",
      registers,
    }),
    webhooks_disabled: new Counter({
      name: "waybill_webhooks_disabled_total",
      help: "Webhooks that were disabled because they kept failing or answered 410.",
      labelNames: ["reason"],
      registers,
    }),
    /** Events that have no position yet; updated by workers, each for the whole database. */
    events_unplaced: new Gauge({
      name: "waybill_events_unplaced",
      help: "Events that wait for their position in a feed, in the whole database; 100000 stands for more.",
      registers,
    }),
    /** Open streams of events. */
    streams: new Gauge({
      name: "waybill_streams",
      help: "Streams of events that are open in this process.",
      registers,
    }),
    /** How long before its position the oldest event of the last round had happened. */
    events_place_lag_seconds: new Gauge({
      name: "waybill_events_place_lag_seconds",
      help: "Time from the oldest event that this process placed last to its position in the feed.",
      registers,
    }),
  };
}
