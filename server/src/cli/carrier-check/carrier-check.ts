import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { findAdapter } from "../../carriers/register.ts";
import type { CarrierConnection } from "../../carriers/connection.ts";
import type { Database } from "../../database/tables.ts";
import { platformAccountId } from "../../domain/accounts/connection-status.ts";
import type { Sealer } from "../../domain/accounts/sealer.ts";
import { openSecrets } from "../../shipping/connections/sealed-secrets.ts";
import { connectionsOf } from "../../shipping/connections/store.ts";
import { startRecorder } from "./recorder.ts";
import { redactor, type Redactor } from "./redact.ts";
import { runScript, type StepResult } from "./script.ts";

export interface CarrierCheckOptions {
  /** Whose connection it is; the platform's when absent. */
  account?: string;
  /** Where the recording goes. */
  out?: string;
  /** Another address than the carrier's sandbox. */
  host?: string;
  lookUpSeconds: number;
  every: number;
}

/**
 * `waybill carrier-check`: runs the script in the carrier's own sandbox, prints each step, and writes what was said to
 * and fro into a folder, without secrets. Returns whether no step failed. Throws for a connection that is not there,
 * is of production, or whose carrier the simulator plays.
 */
export async function checkCarrier(
  { db, sealer, print }: { db: Database; sealer: Sealer; print: (line: string) => void },
  connectionId: string,
  options: CarrierCheckOptions,
): Promise<boolean> {
  const { carrier: code, ...connection } = await findConnection(db, sealer, {
    id: connectionId,
    owner: options.account ?? platformAccountId,
  });
  const adapter = findAdapter(code);
  if (!adapter) throw new Error(`${code} has no adapter: only the simulator plays it`);
  const target = (options.host ?? adapter.hosts.test).replace(/\/$/, "");
  const stamp = new Date().toISOString().replaceAll(/[:.]/g, "-");
  const folder = resolve(options.out ?? "carrier-checks", `${code}-${stamp}`);
  const redact = redactor(connection);
  const recorder = await startRecorder({ target, folder, redact });
  print(`${code} at ${redact.text(target)}`);
  try {
    // It is of the sandbox: nothing may be called elsewhere.
    const carrier = adapter.at({ live: recorder.host, test: recorder.host });
    const results = await runScript(carrier, connection, recorder, {
      look_up_seconds: options.lookUpSeconds,
      every_seconds: options.every,
      report: (result) => print(redact.text(lineOf(result))),
    });
    const failed = results.filter(({ outcome }) => outcome === "failed");
    await writeSummary(folder, { carrier: code, host: target, steps: results }, redact);
    print(`${results.length - failed.length} of ${results.length} steps did not fail.`);
    print(`The recording is in ${folder}. Look through it before you pass it on.`);
    return failed.length === 0;
  } finally {
    await recorder.close();
  }
}

/** Throws where there is none of the owner's, or it is of production: the script buys and voids. */
async function findConnection(
  db: Database,
  sealer: Sealer,
  { id, owner }: { id: string; owner: string },
): Promise<CarrierConnection & { carrier: string }> {
  const row = (await connectionsOf(db, owner)).find((each) => each.id === id);
  const whose =
    owner === platformAccountId ? "of the platform; --account names another owner" : owner;
  if (!row) throw new Error(`there is no connection ${id} ${whose}`);
  const { carrier, environment, version, plain_values: values } = row;
  if (environment !== "test")
    throw new Error(
      `${id} is of production; what is checked is bought and voided, so it must be a sandbox's`,
    );
  const secrets = openSecrets(sealer, row, row.sealed_secrets);
  if (!secrets) throw new Error(`the secrets of ${id} were sealed by another WAYBILL_SECRET`);
  const origin = owner === platformAccountId ? "platform" : "account";
  return { carrier, id, environment, origin, version, values, secrets };
}

function lineOf({ step, outcome, detail, ms }: StepResult): string {
  const mark = { ok: "ok", failed: "FAILED", skipped: "-" }[outcome];
  return `${mark.padEnd(7)} ${step.padEnd(22)} ${detail} (${(ms / 1000).toFixed(1)} s)`;
}

async function writeSummary(folder: string, summary: object, redact: Redactor): Promise<void> {
  const text = redact.text(JSON.stringify({ at: new Date().toISOString(), ...summary }, null, 2));
  await writeFile(join(folder, "summary.json"), `${text}\n`, { mode: 0o600 });
}
