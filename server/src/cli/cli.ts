#!/usr/bin/env node
import { Command, Option } from "commander";
import {
  addressOf,
  emailOf,
  environmentOf,
  formatOf,
  idOf,
  momentOf,
  pastMomentOf,
  portOf,
  scopesOf,
  secondsIn,
  tokenNameOf,
} from "./arguments.ts";
import { explainError } from "./explain-error.ts";
import { withInput } from "./files.ts";
import { reconcileNow, type ReconcileOptions } from "./reconcile.ts";
import { readConfig, unknownSettings, type Config } from "../config.ts";
import { runSimulator } from "../wiring/run-simulator.ts";
import { backUpInto, restoreFrom } from "./backup.ts";
import { checkCarrier, type CarrierCheckOptions } from "./carrier-check/carrier-check.ts";
import { importLocationsFrom, type ImportLocationsOptions } from "./import-locations.ts";
import { importProductsFrom, type ImportProductsOptions } from "./import-products.ts";
import { listenAndForward, type ListenOptions } from "./listen.ts";
import { makeOperatorLink, makeResetLink } from "./people.ts";
import { printLedgerProof, type VerifyOptions } from "./verify-ledger.ts";
import { markSetBack } from "../database/health/restores.ts";
import { reseal } from "../database/reseal.ts";
import { openThreads } from "../threads/threads.ts";
import { createSealer } from "../domain/accounts/sealer.ts";
import { createLogger, startWaybill, type StartOptions, type Waybill } from "../wiring/main.ts";
import { limitHeapGrowth, tidyAfterStart } from "../wiring/process-memory.ts";
import { openDatabase } from "../wiring/open-database.ts";
import { prepareDataDirectory, readPreviousSecrets, readSecret } from "../wiring/secret.ts";
import { printStartupMessage } from "../wiring/startup-message.ts";
import { mintOperatorToken } from "../resources/admin/service.ts";
import type { Scope } from "../domain/accounts/scopes.ts";
import { formats } from "../resources/imports/service.ts";
import { loadDeniedParties, loadHsTable } from "../resources/products/service.ts";
import { mintForAccount } from "../resources/tokens/service.ts";

/** `waybill <command>`: everything that an operator does from a shell. */

const program = new Command("waybill").description("A self-hosted shipping platform.");

const dataLoss = [
  "--accept-data-loss",
  "for tests: start on a PostgreSQL that may forget what it acknowledged",
] as const;

program
  .command("serve")
  .description(
    "Start the API, the worker and, by default, the embedded database and simulated carriers.",
  )
  .option("--api-only", "leave the background work to other processes")
  .option(...dataLoss)
  .action(async ({ apiOnly, acceptDataLoss }: { apiOnly?: boolean; acceptDataLoss?: boolean }) => {
    await serve({ api: true, worker: !apiOnly, is_data_loss_accepted: acceptDataLoss });
  });

program
  .command("worker")
  .description("Start the background work only.")
  .option(...dataLoss)
  .action(async ({ acceptDataLoss }: { acceptDataLoss?: boolean }) => {
    await serve({ api: false, worker: true, is_data_loss_accepted: acceptDataLoss });
  });

program
  .command("migrate")
  .description("Bring the database to the schema of this release.")
  .action(async () =>
    withDatabase(async () => console.log("The schema is up to date."), { must_exist: false }),
  );

program
  .command("token")
  .description("Make a token for an account; it is printed once.")
  .requiredOption("--account <id>", "the account's id", idOf("acc", "an account"))
  .option("--name <name>", "what the token is for", tokenNameOf, "Made from the shell")
  .option("--scopes <scopes>", "comma-separated scopes; all when absent", scopesOf)
  .action(async ({ account, ...wanted }: { account: string; name: string; scopes?: Scope[] }) =>
    withDatabase(async (db) =>
      console.log(await mintForAccount(db, { account_id: account, ...wanted })),
    ),
  );

program
  .command("operator-token")
  .description("Make a token for the operator's API; it is printed once.")
  .option("--name <name>", "who it is for", tokenNameOf, "Made from the shell")
  .action(async ({ name }: { name: string }) => {
    await withDatabase(async (db) => console.log(await mintOperatorToken(db, name)));
  });

program
  .command("user")
  .description("People who sign in.")
  .command("reset-link")
  .description("Make a link by which a person chooses a new password, within an hour, once.")
  .argument("<email>", "whose password it is", emailOf)
  .action(async (email: string) =>
    withDatabase(async (db, config) => console.log(await makeResetLink(db, config, email))),
  );

program
  .command("operator")
  .description("People who run the platform.")
  .command("add")
  .description("Add an operator; the link by which the password is chosen is printed once.")
  .argument("<email>", "the operator's address", emailOf)
  .action(async (email: string) =>
    withDatabase(async (db, config) => console.log(await makeOperatorLink(db, config, email))),
  );

program
  .command("simulator")
  .description("Start the simulated carriers and card processor as a program of their own.")
  .option("--port <port>", "port to listen on", portOf, 8081)
  .action(async ({ port }: { port: number }) => {
    const config = readSettings();
    prepareDataDirectory(config);
    const simulator = await runSimulator(config, {
      host: config.host,
      port,
      threads: openThreads(),
    });
    if (!simulator.close)
      throw new Error(`the simulated carriers run already, at ${simulator.url}`);
    console.log(`The simulated carriers answer at ${simulator.url}`);
    stopOnSignals(config, simulator.close);
  });

const imports = program.command("import").description("Read a file into the database.");

imports
  .command("locations")
  .description(
    "Drop-off places, from CSV or JSON; known ones are changed. Exits 1 if a row is bad.",
  )
  .argument("<file>", "a .csv with a header line, or a .json array")
  .option("--environment <name>", "whose catalogue: live or test", environmentOf, "live")
  .option(
    "--retire-missing",
    "mark locations of the same carriers that are not in the file as closed",
  )
  .action(async (file: string, options: ImportLocationsOptions) =>
    withInput(file, (input) =>
      withDatabase((db) => importLocationsFrom(db, { file, input }, options)),
    ),
  );

imports
  .command("products")
  .description(
    "Products of a store, into an account; known skus are changed. Exits 1 if a row is bad.",
  )
  .argument("<file>", "an export of Shopify or WooCommerce as .csv, or a .json array")
  .requiredOption("--account <id>", "the account's id", idOf("acc", "an account"))
  .option("--format <name>", `one of ${formats.join(", ")}; the header tells when absent`, formatOf)
  .option(...dataLoss)
  .action(async (file: string, options: ImportProductsOptions) =>
    importProductsFrom(readSettings(), file, options),
  );

program
  .command("denied-parties")
  .description("The list that manufacturers' names are screened against.")
  .command("load")
  .description("Replace the list by a file's; every process uses it from its next check on.")
  .argument("<file>", "a .csv with a column name; alt_names and source are read where there are")
  .action(async (file: string) =>
    withInput(file, (input) =>
      withDatabase(async (db) =>
        console.log(`${await loadDeniedParties(db, input.read())} names are on the list.`),
      ),
    ),
  );

program
  .command("hs")
  .description("The customs nomenclature that goods are classified by.")
  .command("load")
  .description("Replace it by an official table; every process uses it from its next check on.")
  .argument("<file>", "a .csv with the code and its description in two columns")
  .action(async (file: string) =>
    withInput(file, (input) =>
      withDatabase(async (db) => {
        const { subheadings, groups, left_out } = await loadHsTable(db, input.read());
        console.log(
          `${subheadings} subheadings and ${groups} headings and chapters are in force; ${left_out} lines were left out.`,
        );
      }),
    ),
  );

program
  .command("verify-ledger")
  .description("Verify the ledger, while Waybill serves; exits 1 when anything contradicts itself.")
  .option("--json", "print JSON, one contradiction a line")
  .option("--files", "also compare every stored file with its digest, which reads all of them")
  .action(async (options: VerifyOptions) =>
    withDatabase((db, config) => printLedgerProof(db, config, options)),
  );

program
  .command("backup")
  .description("Write the database and its label files to one file, while Waybill serves.")
  .argument("<file>", "the file to write; - is the standard output")
  .action(async (file: string) => backUpInto(readSettings(), file));

program
  .command("restore")
  .description("Fill an empty database from a backup; `waybill reconcile` comes next.")
  .argument("<file>", "the backup")
  .action(async (file: string) => restoreFrom(readSettings(), file));

program
  .command("reconcile")
  .description(
    "After a restore: record or reverse what the carriers and the card processor have since.",
  )
  .option("--dry-run", "print what would be done, and change nothing")
  .option(
    "--since <moment>",
    "ask for what happened since then, instead of since the backup",
    momentOf,
  )
  .option("--accept <name...>", "leave a carrier, label or charge as it is: it was settled by hand")
  .option("--json", "print JSON, one finding a line")
  .option(...dataLoss)
  .action(async (options: ReconcileOptions) => reconcileNow(readSettings(), options));

program
  .command("rekey")
  .description(
    "Seal by WAYBILL_SECRET what those of WAYBILL_SECRET_PREVIOUS sealed, while Waybill serves.",
  )
  .action(async () => {
    await withDatabase(async (db, config) => {
      const sealer = createSealer(readSecret(config), readPreviousSecrets(config));
      const { resealed, unknown } = await reseal(db, sealer);
      console.log(`${resealed} sealed texts are sealed by the present secret now.`);
      if (unknown === 0) return;
      console.error(`${unknown} were sealed by a secret that is not given, and stay as they are.`);
      process.exitCode = 1;
    });
  });

program
  .command("carrier-check")
  .description(
    "Buy, look up and void in a carrier's own sandbox, and record what it says; exits 1 if a step fails.",
  )
  .argument(
    "<connection>",
    "the id of a connection of the environment test",
    idOf("con", "a connection"),
  )
  .option(
    "--account <id>",
    "the account that has it; the platform's when absent",
    idOf("acc", "an account"),
  )
  .option("--out <folder>", "where the recording goes", "carrier-checks")
  .option("--host <url>", "another address than that of the carrier's sandbox", addressOf)
  .option("--look-up-seconds <n>", "how long a lost purchase is looked for", secondsIn, 300)
  .option("--every <seconds>", "how often", secondsIn, 5)
  .action(async (connection: string, options: CarrierCheckOptions) => {
    await withDatabase(async (db, config) => {
      const sealer = createSealer(readSecret(config), readPreviousSecrets(config));
      const print = (line: string) => console.log(line);
      if (!(await checkCarrier({ db, sealer, print }, connection, options))) process.exitCode = 1;
    });
  });

program
  .command("mark-restored")
  .description("Mark the database as set back: nothing is bought until `waybill reconcile`.")
  .requiredOption("--since <moment>", "what happened since then may be missing", pastMomentOf)
  .action(async ({ since }: { since: Date }) =>
    withDatabase(async (db) => {
      await markSetBack(db, since);
      console.log("Nothing is bought, voided or charged until you have run: waybill reconcile");
    }),
  );

program
  .command("listen")
  .description("Forward an account's events to an address of this machine, signed as webhooks are.")
  .requiredOption("--forward <url>", "where to post, such as http://localhost:3000/hook")
  .option("--types <patterns>", "comma-separated, such as shipment.*", "*")
  .option("--api <url>", "the API's base address; the demo's sandbox when absent")
  .addOption(
    new Option("--token <token>", "a token with the scope webhooks:read").env("WAYBILL_TOKEN"),
  )
  .option("--secret <whsec>", "what to sign with; made and kept when absent")
  .option("--state <file>", "keeps the secret and the place in the feed")
  .action(async (options: ListenOptions) => listenAndForward(readSettings(), options));

try {
  await program.parseAsync();
} catch (error) {
  // The error is for the operator to read; a stack trace is for a log.
  console.error(`waybill: ${explainError(error)}`);
  process.exitCode = 1;
}

async function serve(roles: StartOptions): Promise<void> {
  limitHeapGrowth();
  const config = readSettings({ logs_to_stderr: false });
  const starting = startOrExplain(config, roles);
  // Also during the start: what has been started by then, such as the database, has to be stopped.
  stopOnSignals(config, async () => (await starting)?.stop());
  const waybill = await starting;
  tidyAfterStart();
  if (waybill && roles.api) printStartupMessage(waybill);
}

async function startOrExplain(config: Config, roles: StartOptions): Promise<Waybill | null> {
  try {
    return await startWaybill(config, roles);
  } catch (error) {
    console.error(`Waybill did not start: ${explainError(error)}`);
    process.exitCode = 1;
    return null;
  }
}

type Db = Awaited<ReturnType<typeof openDatabase>>["db"];

/** The settings; a name that is none, as by a typing error, is in the log. */
function readSettings({ logs_to_stderr = true } = {}): Config {
  const config = readConfig(process.env);
  const unknown = unknownSettings(process.env);
  if (unknown.length === 0) return config;
  const log = createLogger(config, { logs_to_stderr });
  for (const each of unknown) log.warn(each, "setting.unknown");
  return config;
}

/** Only a command that prepares an installation makes a database: any other one was started in the wrong folder. */
async function withDatabase(
  work: (db: Db, config: Config) => Promise<void>,
  { must_exist = true } = {},
): Promise<void> {
  const config = readSettings();
  const undo: (() => Promise<unknown>)[] = [];
  try {
    await work((await openDatabase(config, undo, { must_exist, isPatient: true })).db, config);
  } finally {
    for (const step of undo.reverse()) await step();
  }
}

/** The first signal stops gracefully, within the time that there is for it; the second at once. */
function stopOnSignals({ stop_seconds }: Config, stop: () => Promise<void>): void {
  let isStopping = false;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      if (isStopping) process.exit(1);
      isStopping = true;
      setTimeout(() => {
        console.error(`waybill: not stopped within ${stop_seconds} s; the process ends now`);
        process.exit(1);
      }, stop_seconds * 1000).unref();
      stop().then(
        () => process.exit(0),
        (error: unknown) => {
          console.error(error);
          process.exit(1);
        },
      );
    });
  }
}
