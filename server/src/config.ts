import { Type, type Static } from "typebox";
import { Ajv, type ErrorObject } from "ajv";
import { wrongTexts } from "./domain/settings/setting-texts.ts";
import { nearestOf } from "./domain/text/nearest.ts";

/**
 * The only reader of the environment. Every limit and default of the decisions is a named setting
 * here, `WAYBILL_<NAME>` in the environment; `docs/operating.md` lists them from this table.
 */
const settings = {
  rate_timeout_seconds: Type.Integer({
    default: 10,
    minimum: 1,
    maximum: 25,
    description: "Rate-fetch timeout when the caller names none (spec 8).",
  }),
  rate_valid_minutes: Type.Integer({
    default: 30,
    minimum: 1,
    description: "How long a courier rate may be bought.",
  }),
  ltl_rate_valid_minutes: Type.Integer({
    default: 1440,
    minimum: 1,
    description: "How long an LTL quote may be booked.",
  }),
  exchange_margin_percent: Type.Number({
    default: 0,
    minimum: 0,
    maximum: 100,
    description:
      "Added to the exchange rate by which a carrier's price in another currency becomes the account's; an account's setting replaces it.",
  }),
  freight_bill_to: Type.String({
    default: "Waybill",
    minLength: 1,
    description:
      "Who pays the LTL carriers, as bills of lading print it: a name and lines of an address, with semicolons between them.",
  }),
  rate_limits: Type.Unsafe<"on" | "off">({
    type: "string",
    enum: ["on", "off"],
    default: "on",
    description: "off lifts all rate limits, for load tests.",
  }),
  requests_per_minute: Type.Integer({
    default: 600,
    minimum: 1,
    description: "Requests per minute and token.",
  }),
  account_requests_per_minute: Type.Integer({
    default: 1800,
    minimum: 1,
    description: "The same for all tokens of an account together.",
  }),
  carrier_requests_per_minute: Type.Integer({
    default: 120,
    minimum: 1,
    description:
      "Carrier-bound requests (rates, labels, voids, pickups, classifications) per minute and token.",
  }),
  account_carrier_requests_per_minute: Type.Integer({
    default: 360,
    minimum: 1,
    description: "The same for all tokens of an account together.",
  }),
  top_ups_per_minute: Type.Integer({
    default: 10,
    minimum: 1,
    description: "Top-ups per minute and account.",
  }),
  imports_per_minute: Type.Integer({
    default: 60,
    minimum: 1,
    description: "Imports per minute and account.",
  }),
  requests_in_work_max: Type.Integer({
    default: 256,
    minimum: 8,
    description:
      "Requests that one process works on at once; more wait. A quarter of the slots is for production alone.",
  }),
  account_requests_in_work_max: Type.Integer({
    default: 64,
    minimum: 1,
    description: "The same for one account.",
  }),
  bulk_requests_in_work_max: Type.Integer({
    default: 2,
    minimum: 1,
    description:
      "Of them calls with bodies beyond 256 KiB (large bulks, imports), pages of more than 50 rows, or filters; one account has half of the slots. They are worked on by one processor, so more at once are no faster.",
  }),
  admission_wait_seconds: Type.Integer({
    default: 10,
    minimum: 0,
    maximum: 20,
    description: "How long a request waits for its slot before it is refused with 429 or 503.",
  }),
  failed_authentications_per_minute: Type.Integer({
    default: 20,
    minimum: 1,
    description: "Failed authentications per minute and IP address.",
  }),
  stored_answer_bytes_per_hour: Type.Integer({
    default: 536_870_912,
    minimum: 1024,
    description:
      "Bytes of answers that one account may add in an hour to those kept for its Idempotency-Keys; beyond them calls with a new key are 429.",
  }),
  tokens_max: Type.Integer({
    default: 100,
    minimum: 1,
    description: "Most tokens of one account that are neither revoked nor expired.",
  }),
  body_limit_bytes: Type.Integer({
    default: 1_048_576,
    minimum: 1024,
    description: "Largest request body.",
  }),
  bulk_body_limit_bytes: Type.Integer({
    default: 5_242_880,
    minimum: 1024,
    description: "Largest body of bulk and import calls.",
  }),
  bulk_rows_max: Type.Integer({
    default: 500,
    minimum: 1,
    description: "Most rows in one bulk creation of shipments or orders.",
  }),
  import_rows_max: Type.Integer({
    default: 50_000,
    minimum: 1,
    description: "Most products in one import over HTTP; `waybill import products` has no limit.",
  }),
  order_shipments_max: Type.Integer({
    default: 1000,
    minimum: 1,
    description: "Most shipments that are linked to one order.",
  }),
  per_page_default: Type.Integer({
    default: 25,
    minimum: 1,
    maximum: 100,
    description: "Rows of a list page.",
  }),
  page_rows_max: Type.Integer({
    default: 10_000,
    minimum: 100,
    description: "Rows that page-number paging can reach.",
  }),
  batch_shipments_max: Type.Integer({
    default: 10_000,
    minimum: 1,
    description: "Most shipments in one batch.",
  }),
  batch_items_max: Type.Integer({
    default: 64,
    minimum: 1,
    description: "Shipments of batches that one process buys labels for at once.",
  }),
  batch_account_items_max: Type.Integer({
    default: 24,
    minimum: 1,
    description:
      "The same for one account, so that one account's slow carriers keep no other waiting.",
  }),
  rules_max: Type.Integer({
    default: 200,
    minimum: 1,
    description: "Most automation rules of one account.",
  }),
  idempotency_window_hours: Type.Integer({
    default: 24,
    minimum: 1,
    description: "How long a key replays (spec 8).",
  }),
  idempotency_in_flight_wait_ms: Type.Integer({
    default: 2000,
    minimum: 0,
    description: "How long a concurrent duplicate waits for the first.",
  }),
  lease_seconds: Type.Integer({
    default: 15,
    minimum: 2,
    description:
      "A process without a heartbeat for so long counts as dead, and what it held is taken over.",
  }),
  carrier_quotes_max: Type.Integer({
    default: 50,
    minimum: 1,
    description: "Concurrent quotes of one account at one carrier; more wait.",
  }),
  carrier_purchases_max: Type.Integer({
    default: 32,
    minimum: 1,
    description: "Purchases of one account under way at one carrier at once; more wait.",
  }),
  carrier_calls_max: Type.Integer({
    default: 200,
    minimum: 10,
    description:
      "Calls of all accounts under way at one carrier: 45 % for quotes, 30 % purchases, 10 % lookups, 6 % voids, 4 % pickups, 5 % tracking.",
  }),
  carrier_circuit_failures: Type.Integer({
    default: 5,
    minimum: 1,
    description:
      "Failures in a row after which a carrier counts as dead and an account's calls to it pause for two seconds.",
  }),
  review_after_minutes: Type.Integer({
    default: 1440,
    minimum: 0,
    description:
      "An outcome that a party could not be asked for in so long, or that its lookups cannot prove, becomes a review item for the operator.",
  }),
  token_cache_ms: Type.Integer({
    default: 500,
    minimum: 0,
    maximum: 1000,
    description: "How long a process may trust a token it has seen.",
  }),
  url_valid_minutes: Type.Integer({
    default: 30,
    minimum: 1,
    description: "Life of a signed link (spec 8).",
  }),
  refund_hold_days_live: Type.Integer({
    default: 14,
    minimum: 0,
    description:
      "Production: a void's refund is credited after so many days, unless the carrier answers sooner.",
  }),
  refund_hold_days_test: Type.Integer({
    default: 0,
    minimum: 0,
    description: "The same for the sandbox.",
  }),
  void_days_max: Type.Integer({
    default: 21,
    minimum: 0,
    description: "Days after purchase in which a label can be voided.",
  }),
  tracking_first_poll_seconds_live: Type.Integer({
    default: 3600,
    minimum: 0,
    description: "Production: when a carrier is first polled for a parcel, after the purchase.",
  }),
  tracking_first_poll_seconds_test: Type.Integer({
    default: 60,
    minimum: 0,
    description: "The same for the sandbox.",
  }),
  tracking_poll_seconds_live: Type.Integer({
    default: 1800,
    minimum: 1,
    description:
      "Production: the interval between two polls; longer the longer there was no news, up to a day.",
  }),
  tracking_poll_seconds_test: Type.Integer({
    default: 10,
    minimum: 1,
    description: "The same for the sandbox.",
  }),
  tracking_polls_per_second: Type.Integer({
    default: 20,
    minimum: 1,
    description: "Parcels that one worker polls one carrier for in a second.",
  }),
  tracking_quiet_days_max: Type.Integer({
    default: 60,
    minimum: 1,
    description: "A parcel without news for so many days is no longer polled.",
  }),
  tracking_pages_per_minute: Type.Integer({
    default: 60,
    minimum: 1,
    description: "Public tracking pages per minute and IP address.",
  }),
  events_days: Type.Integer({
    default: 30,
    minimum: 1,
    description: "Days that events, ended deliveries and attempts at them are kept.",
  }),
  journal_days: Type.Integer({
    default: 400,
    minimum: 1,
    description:
      "Days that the journal of purchases at carriers which cannot list them is kept: longer than the oldest backup that may be restored.",
  }),
  request_log_days: Type.Integer({
    default: 30,
    minimum: 1,
    description: "Days that the lines of the request log are kept.",
  }),
  request_bodies_days: Type.Integer({
    default: 7,
    minimum: 1,
    description: "Days that the bodies of the request log, and calls of carriers, are kept.",
  }),
  rule_runs_days: Type.Integer({
    default: 90,
    minimum: 1,
    description: "Days that runs of rules are kept.",
  }),
  import_rows_days: Type.Integer({
    default: 90,
    minimum: 1,
    description: "Days that the rows of an import are kept after its end; the import itself stays.",
  }),
  database_connections_max: Type.Integer({
    default: 20,
    minimum: 2,
    description: "Size of the connection pool.",
  }),
  criteria_timeout_ms: Type.Integer({
    default: 2500,
    minimum: 100,
    maximum: 10_000,
    description: "Longest that a statement by a filter's criteria may take.",
  }),
  request_timeout_seconds: Type.Integer({
    default: 30,
    minimum: 1,
    description: "Longest time to receive and answer a request.",
  }),
  stop_seconds: Type.Integer({
    default: 30,
    minimum: 1,
    maximum: 3600,
    description:
      "Longest time that a graceful stop may take; then the process ends, as if it had been killed.",
  }),
  headers_timeout_seconds: Type.Integer({
    default: 10,
    minimum: 1,
    description: "Longest time to receive the headers.",
  }),
  connections_max: Type.Integer({
    default: 10_000,
    minimum: 10,
    description: "Connections of clients that are open at once; further ones are closed at once.",
  }),
  smtp_url: Type.String({
    default: "",
    description:
      "The mail server for invitations and new passwords, such as smtps://name:secret@mail.example.com; without one, links are passed on by hand.",
  }),
  mail_from: Type.String({
    default: "Waybill <waybill@localhost>",
    minLength: 3,
    description: "The sender of those e-mails.",
  }),
  cors_origins: Type.String({
    default: "",
    description: "Comma-separated origins that browsers may call from; empty is none.",
  }),
  log_level: Type.Unsafe<"silent" | "error" | "warn" | "info" | "debug">({
    type: "string",
    enum: ["silent", "error", "warn", "info", "debug"],
    default: "info",
    description: "Least severe level that is logged.",
  }),
  data_dir: Type.String({
    default: "./.waybill",
    description: "Embedded database, files, the simulator's journal.",
  }),
  demo: Type.Unsafe<"local" | "on" | "off">({
    type: "string",
    enum: ["local", "on", "off"],
    default: "local",
    description:
      "Whether an empty database is seeded with the demo organization: local does so where HOST is a loopback address. On any other HOST a database that has one is served only with on.",
  }),
  sandbox_carriers: Type.Unsafe<"simulated" | "connected">({
    type: "string",
    enum: ["simulated", "connected"],
    default: "connected",
    description:
      "connected gives the sandbox a connection with each carrier that has an adapter, so that its calls go through the adapter, in the carrier's own form; simulated leaves those that were made. See sandbox.md.",
  }),
  simulator_port: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: 65535,
    description: "Port of the simulated carriers started in this process; 0 picks a free one.",
  }),
  simulator_first_scan_seconds: Type.Integer({
    default: 60,
    minimum: 0,
    maximum: 31_536_000,
    description: "When the simulated carriers first scan what was bought, after the purchase.",
  }),
  simulator_delivery_seconds: Type.Integer({
    default: 150,
    minimum: 0,
    maximum: 31_536_000,
    description: "When they deliver it, after the purchase.",
  }),
  simulator_url: Type.String({
    default: "",
    description: "Address of the simulated carriers; empty starts them in this process.",
  }),
  public_url: Type.String({
    default: "",
    description: "Address that clients use, for links; empty derives it from HOST and PORT.",
  }),
  trusted_proxies: Type.String({
    default: "",
    description:
      "Addresses of proxies before Waybill whose `X-Forwarded-For` tells the client's address: CIDRs with commas between them. Limits of failed sign-ins and of anonymous calls count by that address.",
  }),
  s3_bucket: Type.String({
    default: "",
    description:
      "Bucket of an S3-compatible store for all files, instead of the data directory; links are then the store's own.",
  }),
  s3_region: Type.String({
    default: "us-east-1",
    minLength: 1,
    description: "The bucket's region.",
  }),
  s3_endpoint: Type.String({
    default: "",
    description: "The store's address, where it is not Amazon's.",
  }),
  s3_access_key_id: Type.String({
    default: "",
    description: "The access key id at the store. Required with WAYBILL_S3_BUCKET.",
  }),
  s3_secret_access_key: Type.String({
    default: "",
    description: "The secret access key at the store. Required with WAYBILL_S3_BUCKET.",
  }),
  payments: Type.Unsafe<"simulated" | "stripe">({
    type: "string",
    enum: ["simulated", "stripe"],
    default: "simulated",
    description:
      "The processor that charges the cards of production accounts; the sandbox's are always simulated.",
  }),
  stripe_secret_key: Type.String({
    default: "",
    description: "Stripe's secret key. Required with WAYBILL_PAYMENTS=stripe.",
  }),
  stripe_url: Type.String({
    default: "https://api.stripe.com",
    description: "Where Stripe answers; another address is for tests.",
  }),
  classifier: Type.Unsafe<"built_in" | "zonos">({
    type: "string",
    enum: ["built_in", "zonos"],
    default: "built_in",
    description:
      "The classifier of customs codes for production accounts; the sandbox's goods are always classified by Waybill itself.",
  }),
  classifier_timeout_seconds: Type.Integer({
    default: 10,
    minimum: 1,
    maximum: 25,
    description: "How long a classification service outside may take.",
  }),
  zonos_credential_token: Type.String({
    default: "",
    description: "Zonos' credential token. Required with WAYBILL_CLASSIFIER=zonos.",
  }),
  zonos_url: Type.String({
    default: "https://api.zonos.com/graphql",
    description: "Where Zonos answers; another address is for tests.",
  }),
  webhook_schedule: Type.String({
    default: "0,5,300,1800,7200,18000,36000,50400,72000,86400",
    pattern: "^\\d+(\\.\\d+)?(,\\d+(\\.\\d+)?){0,29}$",
    examples: ["0,5,300"],
    description:
      "Seconds before each attempt at a delivery to a webhook, with commas between them; there are as many attempts as numbers, and the first is made at once.",
  }),
  webhook_allow: Type.String({
    default: "",
    description:
      "Addresses that webhooks may name although they are not public: CIDRs with commas between them. There http and every port are allowed, too.",
  }),
  webhook_deny: Type.String({
    default: "",
    description:
      "Addresses that webhooks may not name although they are public or in WAYBILL_WEBHOOK_ALLOW: CIDRs with commas between them.",
  }),
  egress_proxy: Type.String({
    default: "",
    description:
      "Proxy through which webhooks are sent to public addresses: it is asked to CONNECT to addresses that Waybill has looked up and checked.",
  }),
  secret: Type.String({
    default: "",
    description:
      "Signs links and seals secrets in the database; 32 characters or more. Required with DATABASE_URL.",
  }),
  secret_previous: Type.String({
    default: "",
    description:
      "Other secrets, with commas between them, whose links and sealed texts are still accepted while WAYBILL_SECRET is changed.",
  }),
} as const;
const plain = {
  port: Type.Integer({
    default: 8080,
    minimum: 0,
    maximum: 65535,
    description: "Port to listen on; 0 picks a free one.",
  }),
  host: Type.String({ default: "127.0.0.1", description: "Address to listen on." }),
  database_url: Type.String({
    default: "",
    description: "PostgreSQL 15 or later instead of the embedded one.",
  }),
} as const;
const Config = Type.Object({ ...plain, ...settings });

export type Config = Readonly<Static<typeof Config>>;

/** Settings that had another name in an earlier release. It still counts where the new one is not set. */
const formerNames: Partial<Record<keyof Config, string>> = {
  idempotency_in_flight_wait_ms: "idempotency_twin_wait_ms",
  tracking_first_poll_seconds_live: "tracking_first_look_seconds_live",
  tracking_first_poll_seconds_test: "tracking_first_look_seconds_test",
  tracking_poll_seconds_live: "tracking_look_seconds_live",
  tracking_poll_seconds_test: "tracking_look_seconds_test",
  tracking_polls_per_second: "tracking_looks_per_second",
  tracking_quiet_days_max: "tracking_silent_days_max",
};

function environmentName(setting: string): string {
  return setting in plain ? setting.toUpperCase() : `WAYBILL_${setting.toUpperCase()}`;
}

/** Every setting with its variable, default and meaning: the source of `docs/operating.md`. */
export function listSettings(): { variable: string; default: unknown; description: string }[] {
  return Object.entries({ ...plain, ...settings }).map(([name, schema]) => {
    const { default: value, description } = schema as { default?: unknown; description?: string };
    const former = formerNames[name as keyof Config];
    const formerly = former ? ` Formerly \`${environmentName(former)}\`.` : "";
    return {
      variable: environmentName(name),
      default: value,
      description: `${description ?? ""}${formerly}`,
    };
  });
}

/** Reads the environment once. Throws one error that names every wrong variable. */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const config: Record<string, unknown> = {};
  for (const name of Object.keys(Config.properties) as (keyof Config)[]) {
    const former = formerNames[name];
    const text =
      environment[environmentName(name)] || (former && environment[environmentName(former)]);
    if (text) config[name] = text;
  }
  const validate = new Ajv({
    coerceTypes: true,
    useDefaults: true,
    allErrors: true,
    verbose: true,
    // Every command reads the settings: the schema is our own, and is used once.
    code: { optimize: false },
    validateSchema: false,
  }).compile<Config>(Config);
  const isShaped = validate(config);
  // What the schema refuses has been left as it was given: the other checks are of texts alone.
  const read = config as Config;
  const wrong = [
    ...(isShaped ? [] : (validate.errors ?? []).map(sentenceOf)),
    ...missingSettings(read),
    ...wrongTexts(read).map(([name, sentence]) => `${environmentName(name)} ${sentence}`),
  ];
  if (wrong.length > 0) throw notValid(wrong);
  return Object.freeze(read);
}

function sentenceOf({ instancePath, keyword, params, message, parentSchema }: ErrorObject): string {
  const name = environmentName(instancePath.slice(1));
  if (keyword === "enum") return `${name} must be one of ${allowedOf(params).join(", ")}`;
  const [example] = (parentSchema?.["examples"] ?? []) as string[];
  if (keyword === "pattern" && example) return `${name} must be in a form such as ${example}`;
  return `${name} ${message}`;
}

function allowedOf(params: ErrorObject["params"]): string[] {
  return params["allowedValues"] as string[];
}

/** A setting that another setting requires and that is missing. */
function missingSettings(config: Config): string[] {
  const required: [boolean, keyof Config, string][] = [
    [config.payments === "stripe", "stripe_secret_key", "WAYBILL_PAYMENTS=stripe"],
    [config.classifier === "zonos", "zonos_credential_token", "WAYBILL_CLASSIFIER=zonos"],
    [config.s3_bucket !== "", "s3_access_key_id", "WAYBILL_S3_BUCKET"],
    [config.s3_bucket !== "", "s3_secret_access_key", "WAYBILL_S3_BUCKET"],
  ];
  return required
    .filter(([isAsked, name]) => isAsked && config[name] === "")
    .map(([, name, by]) => `${environmentName(name)} is required with ${by}`);
}

/** Names beginning with `WAYBILL_` that no setting has, each with the setting that it is most like. */
export function unknownSettings(
  environment: Record<string, string | undefined>,
): { setting: string; nearest: string | null }[] {
  const known = Object.keys(settings).map(environmentName);
  const former = Object.values(formerNames).map(environmentName);
  const isKnown = (name: string) =>
    known.includes(name) || former.includes(name) || otherNames.test(name);
  return Object.keys(environment)
    .filter((name) => name.startsWith("WAYBILL_") && !isKnown(name))
    .map((setting) => ({ setting, nearest: nearestOf(setting, known) }));
}

/** The token of `waybill listen` and of the SDK's examples, with their address, and what tests and measurements set. */
const otherNames =
  /^WAYBILL_(TOKEN|URL|CORPUS|RECORD_ANSWERS|REQUIRED_TESTS|RUNTIMES|(TEST|CRASH)_\w+)$/;

function notValid(wrong: string[]): Error {
  const lines = wrong.map((sentence) => `  ${sentence}`);
  return new Error(`These settings are not valid:\n${lines.join("\n")}`);
}
