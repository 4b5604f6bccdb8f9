import type { FastifyBaseLogger } from "fastify";
import type { CarrierConnection } from "./carriers/connection.ts";
import type { CarrierRegister } from "./carriers/register.ts";
import type { Config } from "./config.ts";
import type { Database, Environment, SessionNeeds } from "./database/tables.ts";
import type { AccountSettings } from "./domain/accounts/account-settings.ts";
import type { Address } from "./domain/addresses/address.ts";
import type { Clock } from "./domain/time/clock.ts";
import type { ExchangeTable } from "./domain/values/exchange-table.ts";
import type { ConnectionStatus, UnheardPolicy } from "./domain/accounts/connection-status.ts";
import type { Principal } from "./domain/accounts/principal.ts";
import type { Role } from "./domain/accounts/roles.ts";
import type { Scope } from "./domain/accounts/scopes.ts";
import type { Sealer } from "./domain/accounts/sealer.ts";
import type { Metrics } from "./metrics.ts";
import type { Outbound } from "./outbound/operation.ts";
import type { ClassifierRegister } from "./providers/classification/register.ts";
import type { AppendedFiles } from "./providers/files/appended.ts";
import type { Files } from "./providers/files/files.ts";
import type { Ring } from "./request-log/ring.ts";
import type { Threads } from "./threads/threads.ts";
import type { PaymentsRegister } from "./providers/payments/register.ts";
import type { PublicCaller } from "./transport/public-call.ts";

/**
 * `hold`: the money stays on hold until the purchase is found or an operator decides. `release_and_watch`: it
 * is free again after the carrier's horizon, and a label that appears is reversed, where the carrier does so.
 */
/** What the whole process shares: made once in `wiring/main.ts` (or by a test), never a global. */
export interface Platform {
  config: Config;
  db: Database;
  clock: Clock;
  log: FastifyBaseLogger;
  carriers: CarrierRegister;
  /**
   * The open circuits: accounts and carriers whose calls this process does not make at the moment, because
   * they seem dead.
   */
  open_circuits(): { carrier: string; account_id: string; connection_id?: string }[];
  payments: PaymentsRegister;
  classifiers: ClassifierRegister;
  /** Calls what customers name, such as the addresses of webhooks. */
  public_caller: PublicCaller;
  files: Files;
  /** What was sent to carriers that cannot list it, outside the database (`journal/`). */
  journal: { files: AppendedFiles; prune(): Promise<void>; close(): void };
  exchange: ExchangeBook;
  connections: ConnectionBook;
  /** For work whose duration depends on a caller's texts. */
  threads: Threads;
  /** Seals the secrets that the database stores. */
  sealer: Sealer;
  metrics: Metrics;
  /** Lines of the request log and of calls of carriers, until they are written. */
  request_log: Ring;
  /** To be cleared after the commit of a change of a token or an account. */
  callers: CallerCache;
  /** What `perform` needs to cause an outside effect. */
  outbound: Outbound;
  /** The operator's choice for a connection's purchases that were not heard of, and that no lookup finds. */
  unheard_policy(accountId: string, connectionId: string | null): Promise<UnheardPolicy>;
  /** The row in `processes` whose heartbeat keeps the claims of this process alive. */
  process_id: string;
}

/** Contracts with carriers, of the platform and of accounts (decision 27). */
export interface ConnectionBook {
  /** Those that an account's quotes and purchases use: its own, else the platform's default. */
  inForce(
    account: Pick<Account, "account_id" | "environment"> & {
      settings: Pick<AccountSettings, "own_carrier_accounts">;
    },
  ): Promise<ConnectionsInForce>;
  /** The account's or the platform's with that id, whatever its state; null for none. */
  find(accountId: string, id: string | null): Promise<FoundConnection | null>;
  /** To be called after the commit of a change. */
  forget(): void;
}

export interface ConnectionsInForce {
  find(carrier: string): FoundConnection | null;
}

export interface FoundConnection extends CarrierConnection {
  carrier: string;
  is_default: boolean;
  status: ConnectionStatus;
  unheard_policy: UnheardPolicy;
}

/** The exchange rates of today (decision 26). */
export interface ExchangeBook {
  /** Reads them where the last read is older than `token_cache_ms`. Not in a transaction. */
  fresh(): Promise<ExchangeTable>;
  /** As last read by this process: for rules without I/O, whose caller has read them. */
  known(): ExchangeTable;
  /** To be called after the commit of a change. */
  forget(): void;
}

/** The platform on an account's behalf, with or without a request: the context of background work. */
export interface AccountContext extends Platform {
  account: Account;
  principal: Principal;
  /** Of the request that asks for it, or that began what is gone on with; null when there was none. */
  request_id: string | null;
}

/** The context of a verb: the platform, the account, and the request. */
export interface Context extends AccountContext {
  token: TokenIdentity;
  /** The session of a person who calls with a cookie; absent where a token calls. */
  session?: SessionIdentity;
  /**
   * Set when the token's scopes open this route for LTL shipments only (decision 3); `needs` has those
   * of which any would open it for every shipment.
   */
  ltl_only?: { needs: readonly Scope[] };
  /** Further scopes that the verb may require, as the route states them: for `requireVerbScope`. */
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
  /** The token's, or the user's who calls with a cookie. */
  id: string;
  /** As granted; implied ones are added in `domain/accounts/scopes.ts`. */
  scopes: readonly string[];
}

/** What verbs may know of the session that calls. */
export interface SessionIdentity {
  id: string;
  role: Role;
  /** Until when the password counts as just given. */
  strong_until: Date | null;
}

export interface FoundToken {
  account: Account;
  token: TokenIdentity;
  principal: Principal;
  expires_at: Date | null;
  revoked_at: Date | null;
  suspended_at: Date | null;
}

interface FoundSession {
  /** The session's. */
  id: string;
  email: string;
  name: string;
  needs: SessionNeeds | null;
  is_disabled: boolean;
  seen_at: Date;
  expires_at: Date;
  strong_until: Date | null;
}

/** The session of a member of organizations, with what it opens. */
export interface FoundUser extends FoundSession {
  user_id: string;
  memberships: readonly Membership[];
}

export interface FoundOperator extends FoundSession {
  operator_id: string;
}

export interface Membership {
  organization_id: string;
  organization_name: string;
  role: Role;
  accounts: readonly { account: Account; suspended_at: Date | null }[];
}

/**
 * A cache of tokens and sessions with their accounts, so that not every request queries the database. Another
 * process may use an older entry for `token_cache_ms`; the one that changes a token, a person or an account
 * calls `forget` after the commit, and its very next request sees the change.
 */
export interface CallerCache {
  /** The token with this hash; null when there is none. */
  find(hash: Buffer): Promise<FoundToken | null>;
  /** The user's session whose cookie has this hash; null when there is none. */
  findUser(hash: Buffer): Promise<FoundUser | null>;
  findOperator(hash: Buffer): Promise<FoundOperator | null>;
  /** Clears everything: changes are rare, and a query is cheap. */
  forget(): void;
}

export interface IdempotencyKey {
  account_id: string;
  key: string;
}

/** Seals the stored response where it contains a secret. */
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

/** This request's right to run, for as long as its process keeps its lease. */
export interface IdempotencyClaim extends Keyed {
  /** The process that runs it. */
  holder_id: string;
  /**
   * The resource that an earlier run of this request made or began before it died, or this one by `linkKey`.
   */
  subject_id: string | null;
  /** Set by a verb whose response is not final, such as a top-up that is still pending. */
  unresolved?: boolean;
}
