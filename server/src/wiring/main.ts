import { pino, type Logger } from "pino";
import { buildApp } from "./app.ts";
import type { Carrier } from "../carriers/carrier.ts";
import { carrierRegister, createCarriers } from "../carriers/register.ts";
import { runSimulator, takeOverSimulator } from "./run-simulator.ts";
import type { Config } from "../config.ts";
import type { Platform } from "../context.ts";
import { findHazards, refuseHazards } from "../database/health/durability.ts";
import { startHeartbeat } from "../database/health/heartbeat.ts";
import { refuseUnfitPooler } from "../database/health/pooler.ts";
import type { Database } from "../database/tables.ts";
import { readNetworks, type Reach } from "../domain/reach/reach.ts";
import { activityOf } from "../domain/scheduling/activity.ts";
import { systemClock } from "../domain/time/clock.ts";
import { hostInUrl } from "../domain/reach/listen-host.ts";
import { createSealer } from "../domain/accounts/sealer.ts";
import { withoutTokens } from "../http/tokens.ts";
import { callerCache } from "../http/caller-cache.ts";
import { startLoops } from "../jobs/loops.ts";
import { guardedCarriers } from "./guarded-carriers.ts";
import { createMetrics } from "../metrics.ts";
import type { CrashPoints } from "../domain/scheduling/step.ts";
import { createClassifiers } from "../providers/classification/register.ts";
import { keepLogPartitions } from "./log-upkeep.ts";
import { newRequestLog, openLogWriter } from "./open-request-log.ts";
import { openDatabase } from "./open-database.ts";
import { openFiles, refuseUnfitFiles } from "./open-files.ts";
import { journalOf } from "./open-journal.ts";
import { createPayments } from "../providers/payments/register.ts";
import { openDataDirectory, readPreviousSecrets } from "./secret.ts";
import { readDemo, writeDemo } from "../seed/demo-file.ts";
import { seedSandboxConnections } from "../seed/sandbox-connections.ts";
import { seedSandboxLocations } from "../seed/sandbox-locations.ts";
import { seedDemo } from "../seed/seed.ts";
import type { Demo } from "../resources/admin/service.ts";
import { connectionBook, unheardPolicies } from "../shipping/connections/connection-book.ts";
import { refusalCounter } from "../shipping/connections/failing.ts";
import { exchangeBook } from "../shipping/exchange-rates/exchange-book.ts";
import { publicCaller } from "../transport/public-call.ts";
import { makeLabelOn } from "../threads/make-label-on.ts";
import { searchOn } from "../threads/search-on.ts";
import { openThreads } from "../threads/threads.ts";
import { hsTableVersion, listHsEntries } from "../resources/products/service.ts";
import { workerLoops } from "./worker.ts";

/**
 * Starts the parts and stops them in reverse order. Everything that a process shares is created here once; a
 * failed start stops what had been started before.
 */

interface Roles {
  api: boolean;
  worker: boolean;
}

export interface StartOptions extends Roles {
  /** Starts, with a warning each time, on a database that may lose acknowledged commits. */
  is_data_loss_accepted?: boolean;
  /** Refuses to start where there is no database yet, instead of making one. */
  must_exist?: boolean | undefined;
  /** Keeps the standard output for what a command prints. */
  logs_to_stderr?: boolean;
  /** For tests that stop the process during an outside effect. */
  crash_points?: CrashPoints;
  /** For the same tests, of carriers with other facts than the catalogue's. */
  carriers?: (all: readonly Carrier[]) => readonly Carrier[];
}

export interface Waybill {
  platform: Platform;
  /** The same database, without a statement timeout. */
  no_timeout_db: Database;
  /** The API's address; empty for a worker. */
  address: string;
  simulator_url: string;
  /** This start created the demo organization. */
  has_new_demo: boolean;
  stop(): Promise<void>;
}

export function createLogger(config: Config, { logs_to_stderr = false } = {}): Logger {
  // No log line of Waybill contains a token. One that a client sends as a path or an X-Request-Id must not be
  // logged either.
  const options = { level: config.log_level, base: null, hooks: { streamWrite: withoutTokens } };
  if (logs_to_stderr) return pino(options, pino.destination(2));
  const pretty = process.stdout.isTTY ? { transport: { target: "pino-pretty" } } : {};
  return pino({ ...options, ...pretty });
}

/** What would lose rows or files: refused, but for a database that the operator accepts as it is. */
async function refuseUnfitStorage(
  config: Config,
  { db, log, roles }: { db: Platform["db"]; log: Logger; roles: StartOptions },
): Promise<void> {
  if (!roles.is_data_loss_accepted) await refuseHazards(db);
  else log.warn({ hazards: await findHazards(db) }, "database.unsafe");
  if (roles.api || roles.worker) await refuseUnfitFiles(config, log);
}

/** Starts the requested roles and resolves when they answer. */
export async function startWaybill(config: Config, roles: StartOptions): Promise<Waybill> {
  const log = createLogger(config, roles);
  const undo: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const { must_exist } = roles;
    const secret = openDataDirectory(config, { must_exist });
    const database = await openDatabase(config, undo, { log, must_exist });
    await refuseUnfitPooler(database.db);
    await refuseUnfitStorage(config, { db: database.db, log, roles });
    const threads = openThreads();
    const simulatorUrl = await findSimulator(config, { log, threads }, undo);
    const { lease_seconds } = config;
    const role = roleName(roles);
    const heartbeat = await startHeartbeat(database.db, { role, lease_seconds, log });
    undo.push(() => heartbeat.stop());
    const isAnyPort = config.public_url === "" && config.port === 0;
    const address = { url: config.public_url || `http://${hostInUrl(config.host)}:${config.port}` };
    const platform = assemble({
      config,
      log,
      secret,
      previous_secrets: readPreviousSecrets(config),
      db: database.db,
      simulatorUrl,
      processId: heartbeat.process_id,
      address,
      threads,
      carriers: roles.carriers && changedCarriers(roles.carriers, simulatorUrl),
      ...(roles.crash_points ? { crash_points: roles.crash_points } : {}),
    });
    undo.push(() => closeParts(platform));
    undo.push(openLogWriter(platform, database.url));
    // Without a day's partition its lines are kept in the default one.
    await keepLogPartitions(platform).catch((error: unknown) =>
      log.error({ err: error }, "logs.not_partitioned"),
    );
    const keepDemo = (demo: Demo) =>
      writeDemo(config, demo, { address: address.url, simulator_url: simulatorUrl });
    const demo = roles.api ? await seedDemo(platform, keepDemo) : null;
    if (roles.api) {
      await seedSandboxLocations(platform);
      await seedSandboxConnections(platform);
      const app = await buildApp(platform);
      undo.push(() => app.close());
      const listening = await app.listen({ host: config.host, port: config.port });
      if (isAnyPort) address.url = listening;
      // A start on a free port, or next to a simulator on one, changes the addresses in the file.
      const known = demo ?? readDemo(config);
      if (known) keepDemo(known);
    }
    // Last, because building the API blocks the process for longer than a connection may take to open.
    if (roles.worker) {
      // A worker alone receives no requests: it polls for those of others.
      const activity = roles.api ? activityOf(platform.db) : null;
      const loops = startLoops(workerLoops(platform), log, activity);
      undo.push(() => loops.stop());
    }
    return {
      platform,
      no_timeout_db: database.no_timeout_db,
      address: address.url,
      simulator_url: simulatorUrl,
      has_new_demo: demo !== null,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function closeParts({ journal, public_caller, threads }: Platform): Promise<void> {
  journal.close();
  await public_caller.close();
  await threads.close();
}

function roleName(roles: Roles): string {
  return (
    [roles.api ? "api" : "", roles.worker ? "worker" : ""].filter(Boolean).join("+") || "shell"
  );
}

function changedCarriers(
  change: NonNullable<StartOptions["carriers"]>,
  simulator_url: string,
): Platform["carriers"] {
  return carrierRegister(change(createCarriers({ simulator_url }).all));
}

/**
 * The simulated carriers: a program elsewhere, the one that another process already runs on this data
 * directory, or one started within this process.
 */
async function findSimulator(
  config: Config,
  { log, threads }: Pick<Platform, "threads"> & { log: Logger },
  undo: (() => Promise<unknown>)[],
) {
  if (config.simulator_url !== "") return config.simulator_url;
  const running = await runSimulator(config, {
    host: "127.0.0.1",
    port: config.simulator_port,
    threads,
  });
  undo.push(running.close ?? takeOverSimulator(config, { url: running.url, threads, log }));
  log.info({ url: running.url, ours: running.close !== null }, "simulator.found");
  return running.url;
}

/** The platform from its parts. A test assembles its own with its own database and simulator. */
export function assemble(parts: {
  config: Config;
  log: Platform["log"];
  secret: string;
  /** What they signed and sealed is still accepted. */
  previous_secrets?: readonly string[];
  db: Platform["db"];
  simulatorUrl: string;
  processId: string;
  /** Set once the server listens: links start with it. */
  address: { url: string };
  clock?: Platform["clock"];
  crash_points?: CrashPoints;
  /** Other carriers than the catalogue's. */
  carriers?: Platform["carriers"] | undefined;
  threads?: Platform["threads"] | undefined;
  unheard_policy?: Platform["unheard_policy"] | undefined;
}): Platform {
  const { config, log, db, secret, previous_secrets = [], address } = parts;
  const { clock = systemClock, threads = openThreads() } = parts;
  const metrics = createMetrics();
  const request_log = newRequestLog(clock, metrics);
  const sealer = createSealer(secret, previous_secrets);
  const connections = connectionBook({ db, sealer, config });
  const health = refusalCounter({ db, log, metrics, connections });
  const journal = journalOf(config, { log, clock, process_id: parts.processId });
  const catalogue =
    parts.carriers ??
    createCarriers({ simulator_url: parts.simulatorUrl, make_label: makeLabelOn(threads) });
  const guarding = { health, config, metrics, log: request_log, clock, db, ...journal.noting };
  const { carriers, openCircuits } = guardedCarriers(catalogue, guarding);
  return {
    config,
    db,
    clock,
    log,
    carriers,
    open_circuits: openCircuits,
    payments: createPayments({
      simulator_url: parts.simulatorUrl,
      live: config.payments,
      stripe: stripeOf(config),
    }),
    classifiers: createClassifiers({
      live: config.classifier,
      zonos: zonosOf(config),
      table: { version: () => hsTableVersion(db), entries: () => listHsEntries(db) },
      searchFor: searchOn(threads),
    }),
    public_caller: publicCaller({
      reach: reachOf(config),
      egress_proxy: config.egress_proxy,
      onForbidden: () => metrics.forbidden_address.inc(),
    }),
    journal: journal.kept,
    files: openFiles(config, { secret, previous_secrets, public_url: () => address.url }),
    exchange: exchangeBook({ db, clock, config }),
    connections,
    sealer,
    threads,
    metrics,
    request_log,
    callers: callerCache(db, config),
    outbound: outboundOf(parts, clock),
    // A carrier without a connection is one of the simulator's, whose lookups prove what they do not find.
    unheard_policy: parts.unheard_policy ?? unheardPolicies(connections),
    process_id: parts.processId,
  };
}

function outboundOf(
  { config, db, log, processId, crash_points }: Parameters<typeof assemble>[0],
  clock: Platform["clock"],
): Platform["outbound"] {
  return {
    db,
    clock,
    log,
    process_id: processId,
    lease_seconds: config.lease_seconds,
    review_after_seconds: config.review_after_minutes * 60,
    ...(crash_points ? { crash_points } : {}),
  };
}

/** Also without being selected: charges made before the setting changed can then still be looked up. */
function stripeOf({ stripe_secret_key: secret_key, stripe_url: url }: Config) {
  return secret_key === "" ? null : { secret_key, url };
}

/** The ports of https: others are no receivers of webhooks, but what else a host serves. */
function reachOf({ webhook_allow, webhook_deny }: Config): Reach {
  return {
    allow: readNetworks(webhook_allow),
    deny: readNetworks(webhook_deny),
    ports: [443, 8443],
  };
}

function zonosOf(config: Config) {
  const { zonos_credential_token: credential_token, zonos_url: url } = config;
  const timeout_ms = config.classifier_timeout_seconds * 1_000;
  return credential_token === "" ? null : { credential_token, url, timeout_ms };
}
