import { cp, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startSimulator, type Simulator } from "../src/carriers/simulator/simulator.ts";
import { backUpToFile } from "../src/backup/backup.ts";
import { restoreBackup } from "../src/backup/restore.ts";
import type { Carrier } from "../src/carriers/carrier.ts";
import { dialects } from "../src/carriers/dialects.ts";
import { carrierRegister } from "../src/carriers/register.ts";
import { readConfig } from "../src/config.ts";
import { startHeartbeat } from "../src/database/health/heartbeat.ts";
import { assemble, createLogger } from "../src/wiring/main.ts";
import { reconcile, type ReconcileOptions } from "../src/reconcile/reconcile.ts";
import { outboundOperations } from "../src/wiring/worker.ts";
import type { Finding, Outcome } from "../src/reconcile/finding.ts";
import { aBackupJob, filesIn } from "./backups.ts";
import { readJournal } from "./invariants.ts";
import { bareDatabase } from "./setup/database.ts";
import { runCli, type Place } from "./shell.ts";
import { frozenTracking } from "./frozen-tracking.ts";
import { aPlatform, withToken, type Found, type TestAccount, type World } from "./world.ts";

/**
 * A platform that is lost and restored as it was some time ago, while the carriers and the card
 * processor, shared by both lives, kept everything.
 */
export interface TwoLives {
  first: World;
  /** Takes the backup that the second life will begin with. */
  backUp(): Promise<void>;
  /** Ends the first life and begins the second: restored, and not reconciled. */
  setBack(): Promise<World>;
  close(): Promise<void>;
}

/** Of the first life, the carriers may be others than the catalogue's. */
export async function twoLives(found: Pick<Partial<Found>, "carriers"> = {}): Promise<TwoLives> {
  const folder = await mkdtemp(join(tmpdir(), "waybill-lives-"));
  const path = join(folder, "backup.tar.gz");
  const simulator: Simulator = await startSimulator({
    host: "127.0.0.1",
    port: 0,
    journal_path: join(folder, "journal.jsonl"),
    pace: frozenTracking,
    dialects,
  });
  const { url: simulator_url } = simulator;
  const first = await aPlatform({}, { simulator_url, ...found });
  const undo: (() => Promise<unknown>)[] = [() => simulator.close()];
  let endFirst: (() => Promise<void>) | null = () => first.close();
  return {
    first,
    async backUp() {
      await backUpToFile(aBackupJob(first), path);
    },
    async setBack() {
      const data_dir = await mkdtemp(join(folder, "second-"));
      await copyJournal(first, data_dir);
      await endFirst?.();
      endFirst = null;
      const database = await bareDatabase();
      undo.push(() => database.close());
      await restoreBackup({ url: database.url, path, files: filesIn(data_dir) });
      const second = await aPlatform({ WAYBILL_DATA_DIR: data_dir }, { simulator_url, database });
      undo.push(() => second.close());
      return { ...second, data_dir };
    },
    async close() {
      await endFirst?.();
      for (const step of undo.reverse()) await step();
    },
  };
}

/** The journal is beside the database, and is not set back with it. */
async function copyJournal(first: World, data_dir: string): Promise<void> {
  const from = join(first.data_dir, "journal");
  await cp(from, join(data_dir, "journal"), { recursive: true }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  });
}

/**
 * The same account in its second life, by the token of the first. Its calls are not logged: earlier
 * responses are not all true any more, and later ones do not cover all that happened.
 */
export function reborn(second: World, { account_id, token }: TestAccount): TestAccount {
  return withToken({ url: second.url }, { account_id, environment: "test", token });
}

/** A reconciliation in this process, on carriers that a test may replace. */
export async function reconcileHere(
  world: World,
  {
    carriers = (all) => all,
    lease_seconds = 15,
    ...options
  }: Partial<Omit<ReconcileOptions, "report">> & {
    carriers?: (all: readonly Carrier[]) => readonly Carrier[];
    lease_seconds?: number;
  } = {},
) {
  const { platform: assembled, stop } = await platformOf(world, lease_seconds);
  const platform = {
    ...assembled,
    carriers: carrierRegister(carriers(assembled.carriers.all)),
  };
  const findings: ReconcileReport["findings"] = [];
  try {
    const { is_resolved } = await reconcile(platform, outboundOperations(platform), {
      is_dry_run: false,
      since: null,
      accepted: [],
      no_timeout_db: world.db,
      ...options,
      report: (finding, outcome) => void findings.push({ ...finding, outcome }),
    });
    return { is_resolved, findings };
  } finally {
    await stop();
  }
}

/** A process of the world's without an API or loops, for calls that a test makes itself. */
export async function platformOf({ db, simulator_url, data_dir }: World, lease_seconds = 15) {
  const config = readConfig({
    WAYBILL_DATA_DIR: data_dir,
    WAYBILL_LOG_LEVEL: "silent",
    WAYBILL_LEASE_SECONDS: String(lease_seconds),
  });
  const log = createLogger(config);
  const terms = { role: "reconcile", lease_seconds, log };
  const heartbeat = await startHeartbeat(db, terms);
  const platform = assemble({
    config,
    log,
    db,
    secret: "a secret of forty characters for tests ab",
    simulatorUrl: simulator_url,
    processId: heartbeat.process_id,
    address: { url: "" },
  });
  const stop = async () => {
    platform.journal.close();
    await heartbeat.stop();
  };
  return { platform, stop };
}

export interface ReconcileReport {
  status: number | null;
  findings: (Finding & { outcome: Outcome })[];
  stderr: string;
}

/** `waybill reconcile --json`, with its findings. */
export async function reconcileCli(place: Place, ...words: string[]): Promise<ReconcileReport> {
  const command = ["reconcile", "--json", "--accept-data-loss", ...words];
  const { status, stdout, stderr } = await runCli(command, place);
  const lines = stdout.toString().split("\n").filter(Boolean);
  const findings = lines
    .slice(0, -1)
    .map((line) => JSON.parse(line) as ReconcileReport["findings"][number]);
  return { status, findings, stderr };
}

/** The findings and actions, without what differs from run to run: to be compared with a list. */
export function actionsOf({ findings }: Pick<ReconcileReport, "findings">): string[] {
  return findings
    .map(({ kind, found, action, outcome }) =>
      `${kind} ${found}: ${action}, ${typeof outcome === "object" ? Object.values(outcome).join("") : outcome}`.replace(
        /\d+\.\d\d/,
        "?",
      ),
    )
    .sort();
}

/** The tracking codes of the labels that the carriers count as live, oldest first. */
export async function liveCodes(world: World): Promise<(string | null)[]> {
  const journal = await readJournal(world);
  const voided = new Set(
    journal
      .filter(({ operation, effective }) => operation === "void" && effective)
      .map(({ label_id }) => label_id),
  );
  return journal
    .filter(({ operation, label_id }) => operation === "label" && !voided.has(label_id))
    .map(({ tracking_code }) => tracking_code);
}
