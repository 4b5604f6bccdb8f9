import type { FastifyBaseLogger } from "fastify";
import type { CarrierRegister } from "./carriers/register.ts";
import type { Config } from "./config.ts";
import type { Database, Environment } from "./database/tables.ts";
import type { AccountSettings } from "./domain/accounts/account-settings.ts";
import type { Address } from "./domain/addresses/address.ts";
import type { Clock } from "./domain/time/clock.ts";
import type { Principal } from "./domain/accounts/principal.ts";
import type { Scope } from "./domain/accounts/scopes.ts";
import type { Sealer } from "./domain/accounts/sealer.ts";
import type { Metrics } from "./metrics.ts";
import type { Outbound } from "./outbound/operation.ts";
import type { ClassifierRegister } from "./providers/classification/register.ts";
import type { Files } from "./providers/files/files.ts";
import type { Threads } from "./threads/threads.ts";
import type { PaymentsRegister } from "./providers/payments/register.ts";

/** What the whole process shares: made once in `wiring/main.ts` (or by a test), never a global. */
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
  principal: Principal;
  /** Of the request that asks for it, or that began what is gone on with; null when there was none. */
  request_id: string | null;
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
  /** What the request asks for, by its operationId; its method and route where it has none. */
  operation: string;
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
  /** As granted; what they imply is decided in `domain/accounts/scopes.ts`. */
  scopes: readonly string[];
}

export interface FoundToken {
  account: Account;
  token: TokenIdentity;
  expires_at: Date | null;
  revoked_at: Date | null;
  suspended_at: Date | null;
}

/**
 * What this process lately learnt about tokens and their accounts, so that not every request asks the
 * database. Another process may trust an older answer for `token_cache_ms`; the one that changes a
 * token or an account calls `forget` after the commit, and its very next request sees the change.
 */
export interface CallerCache {
  /** The token with this hash; null when there is none. */
  find(hash: Buffer): Promise<FoundToken | null>;
  /** Everything: changes are rare, and asking anew is cheap. */
  forget(): void;
}

export interface IdempotencyKey {
  account_id: string;
  key: string;
}

/** What the stored answer goes through where it holds a secret. */
export interface Seal {
  seal(body: string): string;
  /** Null when it was sealed under another secret. */
  open(sealed: string): string | null;
}

/** A request that carries a key. */
export interface Keyed extends IdempotencyKey {
  fingerprint: Buffer;
  seal?: Seal;
}

/** This request's right to be the one that runs, for as long as its process keeps its lease. */
export interface IdempotencyClaim extends Keyed {
  /** The process that runs it. */
  holder_id: string;
  /** What an earlier run of this request made or began before it died, or this one by `linkKey`. */
  subject_id: string | null;
  /** Set by a verb whose answer is not the last word, such as a top-up that is still pending. */
  unresolved?: boolean;
}
