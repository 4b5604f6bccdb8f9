import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { readConfig } from "../config.ts";
import type { Waybill } from "./main.ts";
import { printStartupMessage } from "./startup-message.ts";

let data_dir: string;
beforeAll(async () => {
  data_dir = await mkdtemp(join(tmpdir(), "waybill-message-"));
});
afterAll(() => rm(data_dir, { recursive: true, force: true }));

function printed(settings: Record<string, string>): string {
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  const config = readConfig({ WAYBILL_DATA_DIR: data_dir, ...settings });
  printStartupMessage({
    address: "http://127.0.0.1:8080",
    platform: { config },
    simulator_url: "http://127.0.0.1:8081",
    has_new_demo: false,
  } as Waybill);
  const [[text]] = log.mock.calls as [[string]];
  log.mockRestore();
  return text;
}

test.each(["0.0.0.0", "::"])("on %s it says that links need the public address", (HOST) => {
  expect(printed({ HOST })).toContain("set WAYBILL_PUBLIC_URL");
  const WAYBILL_PUBLIC_URL = "http://waybill.lan:8080";
  expect(printed({ HOST, WAYBILL_PUBLIC_URL })).not.toContain("WAYBILL_PUBLIC_URL");
});

test.each(["127.0.0.1", "192.168.1.5"])("on %s links name it, and nothing is said", (HOST) => {
  expect(printed({ HOST })).not.toContain("WAYBILL_PUBLIC_URL");
});
