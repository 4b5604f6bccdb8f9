import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newId } from "../../src/domain/values/ids.ts";
import { bareDatabase, testDatabase, type TestDatabase } from "../setup/database.ts";
import { runCli } from "../shell.ts";

/** What `waybill <command>` refuses, and how it says so: a mistake of the shell changes nothing. */

let folder: string;
let database: TestDatabase;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "waybill-shell-"));
  database = await testDatabase();
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

async function run(words: string[], database_url: string, settings: Record<string, string> = {}) {
  const data_dir = settings["WAYBILL_DATA_DIR"] ?? join(folder, "data");
  const { status, stdout, stderr } = await runCli(words, { database_url, data_dir, settings });
  return { status, stdout: stdout.toString(), stderr };
}

async function aFile(name: string, content: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

describe("where there is no database", () => {
  test.each([
    "backup DIR/b.tgz",
    "verify-ledger",
    "reconcile",
    "rekey",
    `token --account ${newId("acc")}`,
    "operator-token",
    "operator add ada@example.com",
    "user reset-link ada@example.com",
    `carrier-check ${newId("con")}`,
    "mark-restored --since 2026-01-01T00:00:00Z",
    "import locations DIR/a-file.csv",
    `import products DIR/a-file.csv --account ${newId("acc")}`,
    "denied-parties load DIR/a-file.csv",
    "hs load DIR/a-file.csv",
  ])("%s refuses, names the folder and creates nothing", async (command) => {
    await aFile("a-file.csv", "name\n");
    const data_dir = join(folder, "no-database");
    const words = command.replace("DIR", folder).split(" ");
    const { status, stdout, stderr } = await run(words, "", {
      WAYBILL_DATA_DIR: data_dir,
      WAYBILL_SECRET: "",
    });
    expect([status, stdout, stderr]).toEqual([
      1,
      "",
      `waybill: there is no database in ${data_dir}; set WAYBILL_DATA_DIR or DATABASE_URL\n`,
    ]);
    expect(existsSync(data_dir)).toBe(false);
    expect(existsSync(join(folder, "b.tgz"))).toBe(false);
  });

  test("a database that DATABASE_URL names and that has no table of Waybill is not filled either", async () => {
    const bare = await bareDatabase();
    try {
      for (const words of [["verify-ledger"], ["backup", join(folder, "c.tgz")], ["rekey"]]) {
        const { status, stderr } = await run(words, bare.url);
        expect([status, stderr]).toEqual([
          1,
          expect.stringMatching(
            /^waybill: the database waybill_\w+ at .* has no tables of Waybill; .*waybill migrate/,
          ),
        ]);
      }
      expect(await bare.db.introspection.getTables()).toEqual([]);
    } finally {
      await bare.close();
    }
  });
});

test.each([
  ["operator add notanemail", "notanemail is not an e-mail address"],
  ["carrier-check con_x", "con_x is not the id of a connection, such as con_"],
  ["simulator --port abc", "abc is no port: a whole number from 0 to 65535"],
  ["denied-parties load /none/x.csv", "/none/x.csv: there is no such file or folder"],
  ["hs load /none/x.csv", "/none/x.csv: there is no such file or folder"],
  ["import locations /none/x.csv", "/none/x.csv: there is no such file or folder"],
  [
    `import products /none/x.csv --account ${newId("acc")}`,
    "/none/x.csv: there is no such file or folder",
  ],
  ["restore /usr", "/usr is a folder, not a file"],
  ["backup /none/x.tgz", "/none: there is no such file or folder"],
  ["backup /usr", "/usr is a folder, not a file"],
])("%s is refused with a sentence before a database is asked for", async (command, sentence) => {
  // To connect there would be another refusal.
  const unused = "postgres://127.0.0.1:1/none";
  const { status, stdout, stderr } = await run(command.split(" "), unused);
  expect([status, stdout, stderr.split("\n").length]).toEqual([1, "", 2]);
  expect(stderr).toContain(`waybill: ${sentence}`);
});

test("a backup whose file cannot be made any more ends with a sentence", async () => {
  // Its name with a suffix is longer than a file's may be.
  const path = join(folder, "n".repeat(250));
  const { status, stderr } = await run(["backup", path], database.url);
  expect([status, stderr]).toEqual([1, expect.stringMatching(/^waybill: .*name.* too long/)]);
  expect((await readdir(folder)).filter((name) => name.includes("backup-"))).toEqual([]);
});

describe("why PostgreSQL refuses is said, with where it was asked and without the password", () => {
  const changed = (change: (url: URL) => void) => {
    const url = new URL(database.url);
    url.searchParams.delete("host");
    url.password = "pass-word";
    change(url);
    return url.href;
  };

  test.each([
    ["verify-ledger", "waybill: "],
    ["migrate", "waybill: "],
    ["serve", "Waybill did not start: "],
  ])("by %s", async (command, start) => {
    const closed = await aClosedPort();
    const cases: [string, RegExp][] = [
      [changed(() => undefined), /password authentication failed/],
      [changed((url) => (url.port = String(closed))), /ECONNREFUSED 127\.0\.0\.1:\d+/],
      [changed((url) => (url.hostname = "host.invalid")), /host\.invalid/],
    ];
    for (const [url, reason] of cases) {
      const { hostname, port, pathname } = new URL(url);
      const { status, stderr } = await run([command], url);
      expect(status).toBe(1);
      expect(stderr).toMatch(reason);
      expect(stderr).toContain(
        `${start}DATABASE_URL: no connection with the database ${pathname.slice(1)} at ${hostname}:${port}`,
      );
      expect(stderr).not.toContain("pass-word");
    }
  });

  test("of a database that does not exist", async () => {
    const url = new URL(database.url);
    url.pathname = "/not_there";
    const { stderr } = await run(["backup", join(folder, "d.tgz")], url.href);
    expect(stderr).toContain('database "not_there" does not exist');
  });
});

test.each(["/proc/none", "/proc/self/none/deep"])(
  "a data directory that cannot be made is refused: %s",
  async (data_dir) => {
    for (const words of [["serve"], ["simulator", "--port", "0"], ["migrate"]]) {
      const { status, stderr } = await run(words, "", { WAYBILL_DATA_DIR: data_dir });
      expect(status).toBe(1);
      expect(stderr).toContain(`WAYBILL_DATA_DIR: ${data_dir} cannot be made`);
    }
  },
);

test("a folder for the place in the feed that cannot be made is refused", async () => {
  const address = "http://127.0.0.1:1";
  const words = `listen --forward ${address} --state /proc/none/state.json --api ${address} --token x`;
  const { status, stderr } = await run(words.split(" "), "");
  expect([status, stderr]).toEqual([1, expect.stringContaining("/proc/none")]);
});

test("an unknown setting is warned of with the nearest known name, on the standard error of a command", async () => {
  const { status, stderr } = await run(["verify-ledger"], database.url, {
    WAYBILL_REQUEST_PER_MINUTE: "5",
    WAYBILL_TEST_SEED: "7",
    WAYBILL_TOKEN: "x",
  });
  expect(status).toBe(0);
  const lines = stderr.trim().split("\n");
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0]!)).toMatchObject({
    msg: "setting.unknown",
    setting: "WAYBILL_REQUEST_PER_MINUTE",
    nearest: "WAYBILL_REQUESTS_PER_MINUTE",
  });
});

test("a bad place of an import is named once, by its line and its field", async () => {
  const file = await aFile("bad.json", JSON.stringify([{ name: "A place" }]));
  const { status, stderr } = await run(["import", "locations", file], database.url);
  expect(status).toBe(1);
  expect(stderr).toContain("line 1: carrier is required.\n");
  expect(stderr).not.toMatch(/(\b\w+\b) \1 /);
});

async function aClosedPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
