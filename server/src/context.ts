import type { FastifyBaseLogger } from "fastify";
import type { CarrierRegister } from "./carriers/register.ts";
import type { Config } from "./config.ts";
import type { Database, Environment } from "./database/tables.ts";
import type { AccountSettings } from "./domain/account-settings.ts";
import type { Address } from "./domain/address.ts";
import type { Clock } from "./domain/clock.ts";
import type { Scope } from "./domain/scopes.ts";
import type { Sealer } from "./domain/sealer.ts";
import type { CallerCache } from "./http/caller-cache.ts";
import type { IdempotencyClaim } from "./http/idempotency.ts";
import type { Metrics } from "./metrics.ts";
import type { Outbound } from "./outbound/operation.ts";
import type { ClassifierRegister } from "./providers/classification/register.ts";
import type { Files } from "./providers/files/files.ts";
import type { Threads } from "./threads/threads.ts";
import type { PaymentsRegister } from "./providers/payments/register.ts";

/** What the whole process shares: made once in `main.ts` (or by a test), never a global. */
export interface Platform {
  config: Config;
  db: Database;
  clock: Clock;
  log: FastifyBaseLogger;
  carriers: CarrierRegister;
  /** Whose calls to which carriers this process does not make at the moment, because they seem dead. */
  open_circuits(): { carrier: string; account_id: string }[];
  payments: PaymentsRegister;
  classifiers: ClassifierRegister;
  files: Files;
  /** For what takes as long as a caller's texts want. */
  threads: Threads;
  /** Seals the secrets that the database keeps. */
  sealer: Sealer;
  metrics: Metrics;
  /** Whoever changes a token or an account makes it forget, after the commit. */
  callers: CallerCache;
  /** What `perform` needs to cause an outside effect. */
  outbound: Outbound;
  /** The row in `processes` whose heartbeat keeps alive whatever this process has claimed. */
  process_id: string;
}

/** The platform on an account's behalf, with or without a request: what work in the background has. */
export interface AccountContext extends Platform {
  account: Account;
}

/** What a verb may touch: the platform, on whose behalf it acts, and the request that asks for it. */
export interface Context extends AccountContext {
  token: TokenIdentity;
  /**
   * Set when the token's scopes open this route for LTL shipments only (decision 3); `needs` has those
   * of which any would open it for every shipment.
   */
  ltl_only?: { needs: readonly Scope[] };
  /** What the verb may find that it needs besides, as the route states it: for `requireVerbScope`. */
  verb_scopes?: readonly Scope[];
  /** The claim on the request's Idempotency-Key, or null when it carries none. */
  claim: IdempotencyClaim | null;
  /** Absolute address that links start with, e.g. `http://127.0.0.1:8080/sandbox/api/v5`. */
  base_url: string;
}

export interface Account {
  account_id: string;
  organization_id: string;
  environment: Environment;
  currency: string;
  default_from_address: Address | null;
  settings: AccountSettings;
}

export interface TokenIdentity {
  id: string;
  /** As granted; what they imply is decided in `domain/scopes.ts`. */
  scopes: readonly string[];
}
