import { spawn } from "node:child_process";
import { once } from "node:events";
import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { connect, inTransaction } from "../server/src/database/connect.ts";
import { bySystem } from "../server/src/domain/accounts/principal.ts";
import { createSealer } from "../server/src/domain/accounts/sealer.ts";
import { newId } from "../server/src/domain/values/ids.ts";
import { recordEvents } from "../server/src/events/outbox.ts";
import { mintSecret } from "../server/src/events/webhooks/secrets.ts";
import { startBenchServer } from "./bench-server.ts";
import { mainCalls } from "./main-calls.ts";
import { median, rate } from "./measure.ts";

/**
 * `node bench/webhooks.ts`: deliveries a second, and how long they take, with the database and the receivers on
 * the same machine. Events are written by this process, so that the server's loops find them by their polls.
 */

const secret = randomBytes(24).toString("hex");
const bench = await startBenchServer({
  WAYBILL_SECRET: secret,
  WAYBILL_WEBHOOK_ALLOW: "127.0.0.0/8",
});
const { connectionString: url } = bench.database.options as { connectionString: string };
const { db, close } = connect({ url, connections_max: 4, application_name: "bench" });
const sealer = createSealer(secret);
const receiver = spawn(process.execPath, ["bench/webhook-receiver.ts"], {
  stdio: ["ignore", "inherit", "inherit", "ipc"],
});
const [{ port }] = (await once(receiver, "message")) as [{ port: number }];
const table: [what: string, figure: string][] = [];
try {
  await measureRate();
  await measureDelay();
  await measureHanging();
  await measurePurchases();
} finally {
  receiver.kill();
  await close();
  await bench.stop();
}
console.log(`\n| what | figure |\n|---|---|`);
for (const [what, figure] of table) console.log(`| ${what} | ${figure} |`);

/** Deliveries a second, from the commit of their events to the arrival of the last one. */
async function measureRate() {
  const accounts = await createAccounts(40, () => ["/a"]);
  const each = 250;
  await takeDelays();
  const begun = performance.now();
  await Promise.all(accounts.map((account) => recordEventsFor(Array<string>(each).fill(account))));
  const delays = await waitForDeliveries(accounts.length * each);
  const seconds = (performance.now() - begun) / 1000;
  note(
    "deliveries of 10,000 events of 40 accounts (aim ≥ 2000)",
    `${Math.round(delays.length / seconds)}/s`,
  );
}

async function measureDelay() {
  const accounts = await createAccounts(50, () => ["/b"]);
  await takeDelays();
  const count = await atRate(500, 10, () => accounts[Math.floor(Math.random() * 50)]!);
  noteDelays("event → first byte at 500 events/s (aim: p99 ≤ 1 s)", await waitForDeliveries(count));
}

async function measureHanging() {
  const accounts = await createAccounts(1000, (account) =>
    Array.from({ length: 10 }, (_, nth) => (account % 10 === 0 && nth === 0 ? "/hang" : "/c")),
  );
  await takeDelays();
  let turn = 0;
  await atRate(50, 20, () => accounts[turn++ % accounts.length]!);
  let healthy = 0;
  for (let nth = 0; nth < turn; nth++) healthy += nth % 10 === 0 ? 9 : 10;
  noteDelays(
    "10,000 webhooks of 1,000 accounts, 1 % hang, 500 deliveries/s: the others' delay (aim: p99 ≤ 2 s)",
    await waitForDeliveries(healthy),
  );
}

/** Beside the webhooks that hang: the same account buys in turns with a webhook of its own and with it disabled. */
async function measurePurchases() {
  const calls = await mainCalls(bench);
  await addWebhook(bench.account_id, "/d");
  const rateWith = async (status: "enabled" | "disabled") => {
    await bench.database.query("UPDATE webhooks SET status = $1 WHERE account_id = $2", [
      status,
      bench.account_id,
    ]);
    return rate(await calls.quotedShipments(64), 16, calls.buy);
  };
  const ratios: number[] = [];
  // The first round warms up.
  for (let turn = 0; turn <= 12; turn++) {
    const order =
      turn % 2 === 0 ? (["enabled", "disabled"] as const) : (["disabled", "enabled"] as const);
    const seen = { enabled: 0, disabled: 0 };
    for (const status of order) seen[status] = await rateWith(status);
    if (turn > 0) ratios.push(seen.enabled / seen.disabled);
  }
  const range = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
  note(
    "purchases, 16 at once, with a webhook against without (aim ≥ 0.97)",
    `${median(ratios).toFixed(2)} (12 rounds: ${range})`,
  );
}

/** Records that many events a second, on a fixed schedule. Returns how many there were. */
async function atRate(perSecond: number, seconds: number, account: () => string): Promise<number> {
  const begun = performance.now();
  const writing: Promise<void>[] = [];
  let count = 0;
  while (performance.now() - begun < seconds * 1000) {
    const due = Math.floor(((performance.now() - begun) / 1000) * perSecond);
    if (due > count) {
      writing.push(recordEventsFor(Array.from({ length: due - count }, account)));
      count = due;
    }
    await wait(10);
  }
  await Promise.all(writing);
  return count;
}

async function recordEventsFor(accounts: string[]): Promise<void> {
  const data = { sku: "MUG-01", status: "Classified", previous_status: "Imported" } as const;
  const by = bySystem("bench");
  const type = "product.status_changed" as const;
  const subject_id = newId("prd");
  const events = accounts.map((account_id) => ({ account_id, type, subject_id, data, by }));
  await inTransaction(db, (tx) => recordEvents(tx, events));
}

/** Creates that many accounts, each with a webhook for each of its paths. */
async function createAccounts(count: number, paths: (nth: number) => string[]): Promise<string[]> {
  const accounts = Array.from({ length: count }, () => newId("acc"));
  await bench.database.query(
    `INSERT INTO accounts (account_id, organization_id, environment)
     SELECT account_id, 'org_bench', 'test' FROM unnest($1::text[]) AS account_id`,
    [accounts],
  );
  for (const [nth, account_id] of accounts.entries())
    for (const path of paths(nth)) await addWebhook(account_id, path);
  return accounts;
}

async function addWebhook(account_id: string, path: string): Promise<void> {
  const webhook_id = newId("whk");
  const now = new Date();
  await inTransaction(db, async (tx) => {
    await tx
      .insertInto("webhooks")
      .values({
        account_id,
        id: webhook_id,
        url: `http://127.0.0.1:${port}${path}`,
        description: null,
        types: ["*"],
        status: "enabled",
        disabled_reason: null,
        since_position: 0,
        due_at: null,
        holder_id: null,
        failing_since: null,
        last_success_at: null,
        created_at: now,
        updated_at: now,
      })
      .execute();
    await mintSecret(tx, sealer, { account_id, webhook_id, now });
  });
}

/** What the receivers got since the last call. */
async function takeDelays(): Promise<number[]> {
  receiver.send("take");
  const [delays] = (await once(receiver, "message")) as [number[]];
  return delays;
}

async function waitForDeliveries(count: number): Promise<number[]> {
  const delays: number[] = [];
  const until = performance.now() + 120_000;
  while (delays.length < count && performance.now() < until) {
    delays.push(...(await takeDelays()));
    await wait(20);
  }
  if (delays.length < count) console.error(`only ${delays.length} of ${count} arrived`);
  return delays;
}

function noteDelays(what: string, delays: number[]) {
  const sorted = delays.sort((a, b) => a - b);
  const at = (part: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
  note(what, `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`);
}

function note(what: string, figure: string) {
  table.push([what, figure]);
  console.log(`${what}: ${figure}`);
}
