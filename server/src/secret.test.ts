import { chmodSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readConfig } from "./config.ts";
import { readSecret } from "./secret.ts";

test("a secret that nobody gave is made once, for its owner alone to read", () => {
  const data_dir = mkdtempSync(join(tmpdir(), "waybill-secret-"));
  onTestFinished(() => rmSync(data_dir, { recursive: true }));
  const config = readConfig({ WAYBILL_DATA_DIR: data_dir });
  const made = readSecret(config);
  expect(made).toMatch(/^[\w-]{43}$/);
  const path = join(data_dir, "secret");
  const mode = () => statSync(path).mode & 0o777;
  expect(mode()).toBe(0o600);
  // Copied with other rights, say, by a restore.
  chmodSync(path, 0o644);
  expect([readSecret(config), mode()]).toEqual([made, 0o600]);
});
