import { createInterface } from "node:readline";
import { readConfig } from "../server/src/config.ts";
import { accountOf } from "../server/src/database/account-of.ts";
import { connect } from "../server/src/database/connect.ts";
import { startHeartbeat } from "../server/src/database/health/heartbeat.ts";
import { assemble, createLogger } from "../server/src/wiring/main.ts";
import { buyAtQuote } from "../server/src/purchasing/labels/buy-at-quote.ts";
import { primaryQuote } from "../server/src/purchasing/quotes/primary-quote.ts";
import { getShipment } from "../server/src/shipping/shipments/store.ts";
import { readSecret } from "../server/src/wiring/secret.ts";
import { rate } from "./measure.ts";

/**
 * The baseline of a batch: the same purchases through `outbound/` in a loop, so many concurrently, in a
 * process that does nothing else. Reads lines of `{account_id, ids, service, at_once}` and answers each
 * with how many labels a second it bought.
 */
const config = readConfig(process.env);
const log = createLogger(config);
const { db } = connect({
  url: config.database_url,
  connections_max: config.database_connections_max,
  application_name: "bare",
});
const { lease_seconds } = config;
const heartbeat = await startHeartbeat(db, { role: "bare", lease_seconds, log });
const platform = assemble({
  config,
  log,
  db,
  secret: readSecret(config),
  simulatorUrl: config.simulator_url,
  processId: heartbeat.process_id,
  address: { url: "http://127.0.0.1" },
});

interface Order {
  account_id: string;
  ids: string[];
  service: string;
  at_once: number;
}

console.log("ready");
for await (const line of createInterface({ input: process.stdin })) {
  const { account_id, ids, service, at_once } = JSON.parse(line) as Order;
  const row = await db
    .selectFrom("accounts")
    .selectAll()
    .where("account_id", "=", account_id)
    .executeTakeFirstOrThrow();
  const account = accountOf(row);
  const principal = { kind: "system", name: "bench" } as const;
  const ctx = { ...platform, account, principal, request_id: null };
  const perSecond = await rate(ids, at_once, async (id) => {
    const shipment = await getShipment(db, account_id, id);
    const quoted = await primaryQuote(ctx, shipment, { service });
    await buyAtQuote(ctx, { row: shipment, quoted, choice: {}, idempotency_key: null });
  });
  console.log(`bought ${perSecond}`);
}
await heartbeat.stop();
await db.destroy();
