import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readConfig } from "../config.ts";
import { closeToOthers, readSecret, refuseForeign } from "./secret.ts";

test("a secret that was not given is made once, readable for its owner only", () => {
  const data_dir = mkdtempSync(join(tmpdir(), "waybill-secret-"));
  onTestFinished(() => rmSync(data_dir, { recursive: true }));
  const config = readConfig({ WAYBILL_DATA_DIR: data_dir });
  const made = readSecret(config);
  expect(made).toMatch(/^[\w-]{43}$/);
  const path = join(data_dir, "secret");
  const mode = () => statSync(path).mode & 0o777;
  expect(mode()).toBe(0o600);
  // Copied with other permissions, for example by a restore.
  chmodSync(path, 0o644);
  expect([readSecret(config), mode()]).toEqual([made, 0o600]);
});

test("a data directory that was open to others is closed to them, with the folders of files and of the journal", () => {
  const data_dir = mkdtempSync(join(tmpdir(), "waybill-secret-"));
  onTestFinished(() => rmSync(data_dir, { recursive: true }));
  const folders = [data_dir, join(data_dir, "files"), join(data_dir, "simulator")];
  const modes = () => folders.map((folder) => (statSync(folder).mode & 0o777).toString(8));
  for (const folder of folders) {
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o755);
  }
  closeToOthers(data_dir);
  // PostgreSQL's own user, when started by root, has to traverse it and may list nothing.
  const its = process.getuid?.() === 0 ? "711" : "700";
  expect(modes()).toEqual([its, "700", "700"]);
  rmSync(join(data_dir, "files"), { recursive: true });
  expect(() => closeToOthers(data_dir)).not.toThrow();
  expect(() => closeToOthers(join(data_dir, "none"))).not.toThrow();
});

test("a file, or a folder that all users share, is refused as a data directory, and its permissions stay as they are", () => {
  const folder = mkdtempSync(join(tmpdir(), "waybill-secret-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "a-file");
  writeFileSync(file, "");
  const shared = join(folder, "shared");
  mkdirSync(shared);
  // As /tmp has them.
  chmodSync(shared, 0o1777);
  const modes = () => [file, shared].map((path) => statSync(path).mode);
  const before = modes();
  expect(() => refuseForeign(file)).toThrow(`WAYBILL_DATA_DIR: ${file} is not a directory`);
  expect(() => refuseForeign(shared)).toThrow(`WAYBILL_DATA_DIR: ${shared} is shared by all users`);
  expect(modes()).toEqual(before);
  expect(() => refuseForeign(folder)).not.toThrow();
  expect(() => refuseForeign(join(folder, "none"))).not.toThrow();
});
