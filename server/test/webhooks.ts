import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { sql, type Insertable } from "kysely";
import { onTestFinished } from "vitest";
import { inTransaction } from "../src/database/connect.ts";
import { startHeartbeat } from "../src/database/health/heartbeat.ts";
import type { Database, WebhooksTable } from "../src/database/tables.ts";
import { bySystem } from "../src/domain/accounts/principal.ts";
import { createSealer } from "../src/domain/accounts/sealer.ts";
import { readSchedule } from "../src/domain/events/retry-schedule.ts";
import { readNetworks } from "../src/domain/reach/reach.ts";
import { systemClock } from "../src/domain/time/clock.ts";
import { newId } from "../src/domain/values/ids.ts";
import { placer } from "../src/events/feed/place.ts";
import { recordEvents } from "../src/events/outbox.ts";
import type { DispatchContext } from "../src/events/webhooks/dispatch-context.ts";
import { webhookDispatch } from "../src/events/webhooks/dispatch.ts";
import { mintSecret, secretsInForce } from "../src/events/webhooks/secrets.ts";
import { createMetrics } from "../src/metrics.ts";
import { publicCaller } from "../src/transport/public-call.ts";

/** Dispatch against a real database and receivers on this machine, without the rest of a process. */

export const webhookSecret = "a secret of forty characters for tests ab";
export const sealer = createSealer(webhookSecret);

const loopback = readNetworks("127.0.0.0/8");

/** A process that may send to this machine; its heartbeat ends with the test. */
export async function aDispatch(
  db: Database,
  changes: Partial<DispatchContext> & { limits?: object } = {},
): Promise<DispatchContext> {
  const { limits = {}, ...others } = changes;
  const lease_seconds = others.lease_seconds ?? 15;
  const log = pino({ level: "silent" });
  const heartbeat = await startHeartbeat(db, { role: "test", lease_seconds, log });
  onTestFinished(() => heartbeat.stop());
  const caller = publicCaller({
    reach: { allow: loopback, deny: [], ports: [443, 8443] },
    egress_proxy: "",
    onForbidden: () => undefined,
    limits,
  });
  onTestFinished(() => caller.close());
  return {
    db,
    log,
    clock: systemClock,
    process_id: heartbeat.process_id,
    lease_seconds,
    schedule: readSchedule("0,5,300"),
    post: (call) => caller.post(call),
    secretsOf: (account_id, webhook_ids) =>
      secretsInForce(db, sealer, { account_id, webhook_ids, now: new Date() }),
    metrics: createMetrics(),
    ...others,
  };
}

/** One round: sends all that is due, and leaves. */
export async function dispatchOnce(context: DispatchContext): Promise<void> {
  await webhookDispatch(context)(new AbortController().signal);
}

export async function anAccount(db: Database): Promise<string> {
  const account_id = newId("acc");
  await db
    .insertInto("accounts")
    .values({ account_id, organization_id: newId("org"), environment: "test" } as never)
    .execute();
  return account_id;
}

export interface TestWebhook {
  account_id: string;
  webhook_id: string;
  secret: string;
}

export async function aWebhook(
  db: Database,
  account_id: string,
  { url }: { url: string },
  changes: Partial<Insertable<WebhooksTable>> = {},
): Promise<TestWebhook> {
  const webhook_id = newId("whk");
  const now = new Date();
  await db
    .insertInto("webhooks")
    .values({
      account_id,
      id: webhook_id,
      url,
      description: null,
      types: ["*"],
      status: "enabled",
      since_position: 0,
      due_at: null,
      holder_id: null,
      failing_since: null,
      last_success_at: null,
      created_at: now,
      updated_at: now,
      ...changes,
    })
    .execute();
  const secret = await inTransaction(db, (tx) =>
    mintSecret(tx, sealer, { account_id, webhook_id, now }),
  );
  return { account_id, webhook_id, secret };
}

/** So many events, placed. */
export async function happen(
  db: Database,
  account_id: string,
  count = 1,
  subject_id = newId("prd"),
): Promise<void> {
  const data = { sku: "MUG-01", status: "Classified", previous_status: "Imported" } as const;
  const type = "product.status_changed" as const;
  const events = Array.from({ length: count }, () => ({
    account_id,
    type,
    subject_id,
    data,
    by: bySystem("test"),
  }));
  await inTransaction(db, (tx) => recordEvents(tx, events));
  const place = placer(db);
  while ((await place()).count > 0);
}

export interface Received {
  headers: Record<string, string>;
  body: string;
}

export interface Receiver {
  url: string;
  received: Received[];
}

type Answer = (response: ServerResponse, received: Received, request: IncomingMessage) => void;

/** A receiver that keeps what it was sent; 204 unless the test says otherwise. */
export async function aReceiver(
  answer: Answer = (response) => void response.writeHead(204).end(),
): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const one = {
        headers: request.headers as Record<string, string>,
        body: Buffer.concat(chunks).toString(),
      };
      received.push(one);
      answer(response, one, request);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, received };
}

interface DeliveryState {
  id: string;
  event_id: string;
  status: string;
  attempt_count: number;
  last_status: number | null;
  last_error: string | null;
  wait_seconds: number | null;
}

export async function deliveriesOf(
  db: Database,
  { account_id, webhook_id }: TestWebhook,
): Promise<DeliveryState[]> {
  const { rows } = await sql<DeliveryState>`
    SELECT id, event_id, status, attempt_count, last_status, last_error,
      extract(epoch FROM due_at - now())::float8 AS wait_seconds
    FROM deliveries WHERE account_id = ${account_id} AND webhook_id = ${webhook_id} ORDER BY id`.execute(
    db,
  );
  return rows;
}

export async function webhookOf(db: Database, { account_id, webhook_id }: TestWebhook) {
  return db
    .selectFrom("webhooks")
    .selectAll()
    .where("account_id", "=", account_id)
    .where("id", "=", webhook_id)
    .executeTakeFirstOrThrow();
}

/** Makes what is pending due now. */
export async function makeDue(db: Database, { account_id, webhook_id }: TestWebhook) {
  await sql`UPDATE deliveries SET due_at = now()
    WHERE account_id = ${account_id} AND webhook_id = ${webhook_id} AND status = 'pending'`.execute(
    db,
  );
  await sql`UPDATE webhooks SET due_at = now() WHERE account_id = ${account_id} AND id = ${webhook_id}`.execute(
    db,
  );
}
