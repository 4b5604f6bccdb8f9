import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Config } from "../config.ts";
import type { Demo } from "../resources/admin/service.ts";

/** `demo.json` in the data directory (decision 24): addresses and credentials. Mode 0600. */

interface DemoFile extends Demo {
  dashboard_url: string;
  base_url: string;
  sandbox_base_url: string;
  simulator_url: string;
}

export function demoPath(config: Config): string {
  return join(resolve(config.data_dir), "demo.json");
}

export function readDemo(config: Config): DemoFile | null {
  const path = demoPath(config);
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as DemoFile) : null;
}

export function writeDemo(
  config: Config,
  demo: Demo,
  at: { address: string; simulator_url: string },
): void {
  const file: DemoFile = {
    dashboard_url: at.address,
    base_url: `${at.address}/api/v5`,
    sandbox_base_url: `${at.address}/sandbox/api/v5`,
    email: demo.email,
    password: demo.password,
    sandbox_token: demo.sandbox_token,
    live_token: demo.live_token,
    operator_token: demo.operator_token,
    simulator_url: at.simulator_url,
    sandbox_account_id: demo.sandbox_account_id,
    live_account_id: demo.live_account_id,
    operator_email: demo.operator_email,
    users: demo.users,
  };
  const path = demoPath(config);
  mkdirSync(resolve(config.data_dir), { recursive: true });
  // Written completely and then renamed, so that a process that waits for the file never reads half of it.
  writeFileSync(`${path}.new`, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600 });
  chmodSync(`${path}.new`, 0o600);
  renameSync(`${path}.new`, path);
}
