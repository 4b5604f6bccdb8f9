import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import type { Platform } from "../src/context.ts";
import { buildApp } from "../src/wiring/app.ts";
import type { CarrierRegister } from "../src/carriers/register.ts";
import { dialects } from "../src/carriers/dialects.ts";
import { startSimulator } from "../src/carriers/simulator/simulator.ts";
import { readConfig } from "../src/config.ts";
import { startHeartbeat } from "../src/database/health/heartbeat.ts";
import type { Database, Environment } from "../src/database/tables.ts";
import type { Clock } from "../src/domain/time/clock.ts";
import { toCents } from "../src/domain/values/money.ts";
import { hashToken, newToken } from "../src/http/tokens.ts";
import { startLoops } from "../src/jobs/loops.ts";
import { assemble, createLogger } from "../src/wiring/main.ts";
import { openLogWriter } from "../src/wiring/open-request-log.ts";
import { mintForAccount } from "../src/resources/tokens/service.ts";
import { seedSandboxConnections } from "../src/seed/sandbox-connections.ts";
import type { Files } from "../src/providers/files/files.ts";
import { openThreads, type Threads } from "../src/threads/threads.ts";
import { workerLoops } from "../src/wiring/worker.ts";
import { adjust } from "./adjust.ts";
import { aClientLog, logged, type ClientLog } from "./client-log.ts";
import { platformDatabase, type TestDatabase } from "./setup/database.ts";
import {
  aClient,
  type Balance,
  type Client,
  type DataOf,
  type Purchase,
  type Rates,
  type Reply,
  type Shipment,
} from "./client.ts";
import type { FreightEntry } from "./freight-shipments.ts";
import { frozenTracking } from "./frozen-tracking.ts";
import { aShipment, type ShipmentEntry } from "./shipments.ts";

/**
 * A complete platform for one test file: its own database, its own simulated carriers behind real HTTP with
 * their journal, the API on a port of its own, and the worker's loops.
 */
export interface World {
  /** The address of the API, without a base. */
  url: string;
  db: Database;
  database_url: string;
  /** Its `files` folder has the labels. */
  data_dir: string;
  simulator_url: string;
  operator: Client;
  /** The calls and responses of the accounts' clients, for `assertInvariants` to check. */
  client_log: ClientLog;
  close(): Promise<void>;
}

/** The options for opening an account; its calls are logged where there is a log. */
type Opener = Pick<World, "url" | "db" | "operator"> & Partial<Pick<World, "client_log">>;

/** Parts that a platform may be given instead of making its own; they stay open when the platform closes. */
export interface Found {
  database: TestDatabase;
  simulator_url: string;
  /** Other carriers than the catalogue's, at the simulator's address. */
  carriers: (simulator_url: string) => CarrierRegister;
  /** Others than the platform's own. */
  threads: Threads;
  /** Another clock than the machine's. */
  clock: Clock;
  /** Another file store, made of the platform's own. */
  files: (own: Files) => Files;
  /** Another log than the silent one. */
  log: Platform["log"];
  /** Another choice of the operator's than to hold what was not heard of. */
  unheard_policy: Platform["unheard_policy"];
}

/**
 * Of all platforms in a process, so that none closes them: a thread spends half a second of a processor on loading what
 * draws documents. They start when there is work, and do not keep the process alive.
 */
const ofProcess = openThreads();
const sharedThreads: Threads = { run: ofProcess.run, close: async () => {} };

/** `connected`: tests call the adapters, as the sandbox does, where they bring no carriers of their own. One may ask for it by its settings. */
const sandboxCarriers = process.env["WAYBILL_TEST_SANDBOX_CARRIERS"];

export async function aPlatform(
  settings: Record<string, string> = {},
  found: Partial<Found> = {},
): Promise<World> {
  const undo: (() => Promise<unknown>)[] = [];
  const data_dir = await mkdtemp(join(tmpdir(), "waybill-world-"));
  undo.push(() => rm(data_dir, { recursive: true, force: true }));
  const config = readConfig({
    WAYBILL_DATA_DIR: data_dir,
    WAYBILL_LOG_LEVEL: "silent",
    WAYBILL_RATE_LIMITS: "off",
    WAYBILL_DEMO: "off",
    // An operator's change takes effect in the very next call.
    WAYBILL_TOKEN_CACHE_MS: "0",
    ...settings,
  });
  const log = found.log ?? createLogger(config);
  const database = found.database ?? (await platformDatabase());
  if (!found.database) undo.push(() => database.close());
  const simulator_url = found.simulator_url ?? (await simulate(data_dir, undo));
  const { lease_seconds } = config;
  const heartbeat = await startHeartbeat(database.db, { role: "test", lease_seconds, log });
  undo.push(() => heartbeat.stop());
  const address = { url: "" };
  const assembled = assemble({
    config,
    log,
    secret: "a secret of forty characters for tests ab",
    db: database.db,
    simulatorUrl: simulator_url,
    processId: heartbeat.process_id,
    address,
    carriers: found.carriers?.(simulator_url),
    threads: found.threads ?? sharedThreads,
    unheard_policy: found.unheard_policy,
    ...(found.clock ? { clock: found.clock } : {}),
  });
  const { files } = assembled;
  const platform = { ...assembled, files: found.files?.(files) ?? files };
  const carriersOfSandbox = settings["WAYBILL_SANDBOX_CARRIERS"] ?? sandboxCarriers;
  if (carriersOfSandbox === "connected" && !found.carriers) {
    await seedSandboxConnections({
      ...platform,
      config: { ...config, sandbox_carriers: "connected" },
    });
  }
  undo.push(() => platform.threads.close());
  undo.push(async () => platform.journal.close());
  undo.push(openLogWriter(platform, database.url));
  const loops = startLoops(workerLoops(platform), log);
  undo.push(() => loops.stop());
  const app = await buildApp(platform);
  undo.push(() => app.close());
  address.url = await app.listen({ host: "127.0.0.1", port: 0 });
  return {
    url: address.url,
    db: database.db,
    database_url: database.url,
    data_dir,
    simulator_url,
    operator: await anOperator(database.db, address.url),
    client_log: aClientLog(),
    async close() {
      for (const step of undo.reverse()) await step();
    },
  };
}

async function simulate(data_dir: string, undo: (() => Promise<unknown>)[]): Promise<string> {
  const simulator = await startSimulator({
    host: "127.0.0.1",
    port: 0,
    journal_path: join(data_dir, "simulator", "journal.jsonl"),
    pace: frozenTracking,
    dialects,
  });
  undo.push(() => simulator.close());
  return simulator.url;
}

/** A client of the operator's API, with a token inserted into the database: the first one always is. */
export async function anOperator(db: Database, url: string): Promise<Client> {
  const token = newToken("op");
  const row = { token_hash: hashToken(token), name: "test operator" };
  await db.insertInto("operator_tokens").values(row).execute();
  return aClient(`${url}/api/admin`, token);
}

/** An account with a token, and the calls that most end-to-end tests make. */
export interface TestAccount extends Client {
  account_id: string;
  /** Creates one shipment, which must succeed. */
  create(entry: ShipmentEntry | FreightEntry): Promise<Shipment>;
  show(id: string): Promise<Shipment>;
  rates(id: string, query?: string): Promise<Rates>;
  buy(
    id: string,
    body?: object,
    headers?: Record<string, string>,
  ): Promise<Reply<DataOf<Purchase>>>;
  /** Buys, which must succeed. */
  bought(id: string, body?: object): Promise<Purchase>;
  balance(): Promise<Balance>;
  balanceCents(): Promise<number>;
}

export interface AccountOptions {
  balance_cents?: number;
  /** All of them when absent. */
  scopes?: string[];
  environment?: Environment;
  currency?: string;
}

/** Opens an organization and returns one of its accounts, with its balance set by the operator. */
export async function anAccount(
  world: Opener,
  { balance_cents = 100_000, scopes, environment = "test", currency }: AccountOptions = {},
): Promise<TestAccount> {
  interface Created {
    accounts: { id: string; environment: Environment; token: string }[];
  }
  const name = "Test Shop";
  const created = await world.operator.post<DataOf<Created>>("/organizations", {
    name,
    owner_email: "shop@example.com",
    ...(currency ? { currency } : {}),
  });
  expect(created.status).toBe(201);
  const account = created.body.data.accounts.find((each) => each.environment === environment)!;
  if (balance_cents > 0) {
    const opening = { amount: balance_cents / 100, description: "Opening balance" };
    must(await adjust(world, account.id, opening), 201);
  }
  const token = scopes
    ? await mintForAccount(world.db, { account_id: account.id, name, scopes })
    : account.token;
  return withToken(world, { account_id: account.id, environment, token });
}

/** The calls of an account through any of its tokens. */
export function withToken(
  { url, client_log }: Pick<Opener, "url" | "client_log">,
  caller: { account_id: string; environment: Environment; token: string },
): TestAccount {
  const base = caller.environment === "live" ? "/api/v5" : "/sandbox/api/v5";
  const plain = aClient(url + base, caller.token);
  const client = client_log ? logged(plain, client_log, caller.account_id) : plain;
  const buy: TestAccount["buy"] = (id, body = { service: "cheapest" }, headers) =>
    client.post(`/labels/${id}`, body, headers);
  const balance = async () => must(await client.get<DataOf<Balance>>("/credits/balance"), 200).data;
  return {
    ...client,
    account_id: caller.account_id,
    create: async (entry) =>
      must(await client.post<DataOf<Shipment>>("/shipments", entry), 201).data,
    show: async (id) => must(await client.get<DataOf<Shipment>>(`/shipments/${id}`), 200).data,
    rates: async (id, query = "") => must(await client.get<Rates>(`/rates/${id}${query}`), 200),
    buy,
    bought: async (id, body) => must(await buy(id, body), 201).data,
    balance,
    balanceCents: async () => toCents((await balance()).balance),
  };
}

/** The same account, through another process of its world. */
export function throughProcess(
  world: Pick<Opener, "client_log">,
  { account_id, token, base_url }: Pick<TestAccount, "account_id" | "token" | "base_url">,
  { url }: { url: string },
): TestAccount {
  const environment = base_url.includes("/sandbox/") ? "test" : "live";
  return withToken({ ...world, url }, { account_id, token, environment });
}

/** A shipment that was quoted, of an account of its own, with its cheapest service and that one's price. */
export async function aQuotedDraft(world: Opener, balance_cents: number, entry = aShipment()) {
  const account = await anAccount(world, { balance_cents });
  const shipment = await account.create(entry);
  const { service, carrier, total } = (await account.rates(shipment.id)).data[0]!;
  return { account, shipment, service, carrier: carrier.code, price_cents: toCents(total) };
}

/** The body of a reply that must have that status; otherwise it is quoted in the failure. */
export function must<T>(reply: Reply<T>, status: number): T {
  if (reply.status !== status)
    expect.fail(
      `expected ${status}, got ${reply.status}: ${reply.bytes.toString().slice(0, 2000)}`,
    );
  return reply.body;
}

/** Sets the simulator's dials; `{}` sets all of them back. */
export async function setDials(
  { simulator_url }: Pick<World, "simulator_url">,
  dials: object,
): Promise<void> {
  must(await aClient(simulator_url, "").put("/dials", dials), 200);
}
