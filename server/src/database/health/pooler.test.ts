import { spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect as connectSocket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { freePort } from "../../../test/faults/served.ts";
import { testDatabase, throughPort, type TestDatabase } from "../../../test/setup/database.ts";
import { ended, startCli } from "../../../test/shell.ts";
import { connect } from "../connect.ts";
import { refuseUnfitPooler } from "./pooler.ts";

/** A real PgBouncer in front of the database: its unsupported features are detected at the start. */

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

/** Whether it lets two connections share one of the server's, and the rest of its configuration. */
async function throughPooler<T>(settings: string, work: (url: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "waybill-pooler-"));
  const port = await freePort();
  const target = new URL(database.url);
  const { username: user, password } = target;
  writeFileSync(join(folder, "users.txt"), `"${user}" "${decodeURIComponent(password)}"\n`);
  writeFileSync(
    join(folder, "pooler.ini"),
    `[databases]
* = host=${target.hostname} port=${target.port || 5432} user=${user} password=${decodeURIComponent(password) || "none"}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
auth_file = ${join(folder, "users.txt")}
${settings}
`,
  );
  chmodSync(folder, 0o755);
  // It refuses to run as root.
  const who = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const running = spawn("pgbouncer", ["-q", join(folder, "pooler.ini")], {
    stdio: "ignore",
    ...who,
  });
  try {
    await vi.waitFor(() => reachable(port), { timeout: 10_000, interval: 50 });
    return await work(throughPort(database.url, port));
  } finally {
    running.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

function reachable(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connectSocket(port, "127.0.0.1", () => resolve(void socket.destroy()));
    socket.on("error", reject);
  });
}

async function refusalThrough(settings: string): Promise<string> {
  return throughPooler(settings, async (url) => {
    const { db, close } = connect({ url, connections_max: 4, application_name: "pooler" });
    try {
      return await refuseUnfitPooler(db).then(
        () => "none",
        (error: Error) => error.message,
      );
    } finally {
      await close();
    }
  });
}

/** How `waybill serve` ended behind that pooler, and its output. One that starts is ended at its greeting. */
async function startThrough(settings: string) {
  return throughPooler(settings, async (database_url) => {
    const data_dir = mkdtempSync(join(tmpdir(), "waybill-pooled-"));
    const quiet = { PORT: "0", WAYBILL_DEMO: "off", WAYBILL_LOG_LEVEL: "silent" };
    const place = { database_url, data_dir, settings: quiet };
    const running = startCli(["serve", "--accept-data-loss"], place);
    running.stdout!.once("data", () => running.kill("SIGKILL"));
    try {
      const { status, stderr } = await ended(running);
      return { status, stderr };
    } finally {
      rmSync(data_dir, { recursive: true, force: true });
    }
  });
}

test("without a pooler nothing is refused", async () => {
  await refuseUnfitPooler(database.db);
});

/** Sets for the role, in this database, the limits that the pooler ignores. */
async function limitTheRole(): Promise<void> {
  const { pathname, username } = new URL(database.url);
  const set = (name: string, value: string) =>
    sql`ALTER ROLE ${sql.ref(username)} IN DATABASE ${sql.ref(pathname.slice(1))} SET ${sql.raw(name)} = ${sql.lit(value)}`.execute(
      database.db,
    );
  await set("statement_timeout", "10s");
  await set("idle_in_transaction_session_timeout", "5s");
}

const version = /PgBouncer 1\.(\d+)/.exec(
  spawnSync("pgbouncer", ["--version"], { encoding: "utf8" }).stdout ?? "",
)?.[1];

describe.skipIf(version === undefined)("through PgBouncer", () => {
  const ignoring =
    "ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout";

  test("that refuses Waybill's timeouts, the start is refused with the reason", async () => {
    expect(await refusalThrough("pool_mode = session")).toContain("ignore_startup_parameters");
  });

  test("that ignores Waybill's timeouts, the start is refused with the settings to change", async () => {
    expect(await refusalThrough(`pool_mode = transaction\n${ignoring}`)).toContain("ALTER ROLE");
  });

  // Older ones lack that setting, and always mix them up.
  const none = Number(version) >= 21 ? "max_prepared_statements = 0\n" : "";
  const mixing = `pool_mode = transaction\ndefault_pool_size = 1\n${none}${ignoring}`;

  test("that ignores Waybill's timeouts, `waybill serve` exits with the settings to change", async () => {
    const { status, stderr } = await startThrough(`pool_mode = transaction\n${ignoring}`);
    expect(stderr).toContain("Waybill did not start: statement_timeout and");
    expect(stderr).toContain("ALTER ROLE");
    expect(status).toBe(1);
  });

  test("that refuses Waybill's timeouts, `waybill serve` exits with the settings to change", async () => {
    const { status, stderr } = await startThrough("pool_mode = session");
    expect(stderr).toContain("ignore_startup_parameters");
    expect(status).toBe(1);
  });

  test("that mixes up prepared statements, the start is refused; in session mode it is not", async () => {
    await limitTheRole();
    expect(await refusalThrough(mixing)).toContain("prepared statements");
    expect(await refusalThrough(`pool_mode = session\ndefault_pool_size = 8\n${ignoring}`)).toBe(
      "none",
    );
  });

  test("that mixes up prepared statements, `waybill serve` exits with the reason", async () => {
    await limitTheRole();
    const { status, stderr } = await startThrough(mixing);
    expect(stderr).toContain(
      "Waybill did not start: The connection pooler at DATABASE_URL mixes up",
    );
    expect(status).toBe(1);
  });
});
