import { sql } from "kysely";
import { Webhook } from "standardwebhooks";
import type { Database } from "../../src/database/tables.ts";
import type { TestWebhook } from "../webhooks.ts";
import type { FeedReaders } from "./feed-readers.ts";
import { forbiddenAddress } from "./moving-names.ts";
import type { WebhookRig } from "./webhook-rig.ts";
import type { Mode, Witnessed } from "./witness-process.ts";

/** What holds of an account's events once all is quiet, whatever died: the letters are those of the promise. */
export interface Scene {
  account_id: string;
  mode: Mode;
  hooks: (TestWebhook & { path: string })[];
  readers: FeedReaders;
}

interface EventRow {
  id: string;
  subject_id: string;
  type: string;
  position: number;
  sequence: number;
}

interface DeliveryRow {
  id: string;
  event_id: string;
  webhook_id: string;
  status: string;
}

/** The most that an endpoint is sent at once: what may come twice when a process dies. */
const inFlightMax = 8;

export async function problemsOf(
  { db, witness }: Pick<WebhookRig, "db" | "witness">,
  { account_id, mode, hooks, readers }: Scene,
): Promise<string[]> {
  const events = await sql<EventRow>`
    SELECT id, subject_id, type, position, sequence FROM events WHERE account_id = ${account_id}
    ORDER BY made, id`.execute(db);
  const deliveries = await sql<DeliveryRow>`
    SELECT id, event_id, webhook_id, status FROM deliveries WHERE account_id = ${account_id}`.execute(
    db,
  );
  const problems = [...placesOf(events.rows), ...readOf(events.rows, readers)];
  problems.push(...(await forbiddenOf(db, { account_id, mode })));
  const told = events.rows.filter(({ type }) => type === "webhook.disabled");
  if (told.length !== (mode === "410" ? 1 : 0)) problems.push(`${told.length} were disabled`);
  const wanted = events.rows.filter(({ type }) => type.startsWith("product."));
  const bodies = new Map<string, string>();
  for (const hook of hooks) {
    const receipts = witness.received(hook.path);
    const own = deliveries.rows.filter(({ webhook_id }) => webhook_id === hook.webhook_id);
    const isGone = hook.path.startsWith("/410");
    problems.push(
      ...receiptsOf(hook, receipts, wanted),
      ...endsOf(own, receipts, { wanted, isGone }),
      ...sameBytes(receipts, bodies),
    );
    if (hook.path.startsWith("/204")) problems.push(...duplicatesOf(receipts));
  }
  return problems;
}

/** A name that led to an address that may not be called was noticed, and only then. */
async function forbiddenOf(
  db: Database,
  { account_id, mode }: Pick<Scene, "account_id" | "mode">,
): Promise<string[]> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM delivery_attempts
    WHERE account_id = ${account_id} AND error = 'forbidden_address'`.execute(db);
  const [{ count }] = rows as [{ count: number }];
  return count > 0 === (mode === "moves") ? [] : [`${count} attempts led to a forbidden address`];
}

/** (e) Positions are 1…n, and the sequences of each subject 1…m in the order in which they were made. */
function placesOf(events: EventRow[]): string[] {
  const problems: string[] = [];
  const positions = events.map(({ position }) => position).sort((a, b) => a - b);
  if (positions.some((position, nth) => position !== nth + 1))
    problems.push(`positions are ${positions.join()}`);
  for (const [subject, own] of Map.groupBy(events, ({ subject_id }) => subject_id))
    if (own.some(({ sequence }, nth) => sequence !== nth + 1))
      problems.push(`${subject} has the sequences ${own.map(({ sequence }) => sequence).join()}`);
  return problems;
}

/** (f) The readers of feed and stream read each event once, in the order of positions. */
function readOf(events: EventRow[], { feed, stream }: FeedReaders): string[] {
  const placed = [...events].sort((a, b) => a.position - b.position);
  const wanted = placed.map(({ position, id }) => `${position} ${id}`).join();
  return Object.entries({ feed, stream })
    .map(([name, read]) => [name, read.map(({ cursor, id }) => `${cursor} ${id}`).join()])
    .filter(([, read]) => read !== wanted)
    .map(([name, read]) => `the reader of the ${name} read ${read}, not ${wanted}`);
}

/** (b) Nothing was received that did not happen; every receipt's signature is valid. */
function receiptsOf(
  { secret, path }: Scene["hooks"][number],
  receipts: Witnessed[],
  wanted: EventRow[],
): string[] {
  const known = new Set(wanted.map(({ id }) => id));
  const problems: string[] = [];
  for (const { headers, body, at } of receipts) {
    if (at.endsWith(forbiddenAddress)) problems.push(`${path} was called at ${at}`);
    if (!known.has(headers["webhook-id"]!))
      problems.push(`${path} got ${headers["webhook-id"]}, which did not happen`);
    try {
      new Webhook(secret).verify(body, headers);
    } catch (error) {
      problems.push(`${path} got a receipt that is not valid: ${String(error)}`);
    }
  }
  return problems;
}

/** (a) Each event was received and accepted; (c) what counts as delivered was. */
function endsOf(
  deliveries: DeliveryRow[],
  receipts: Witnessed[],
  { wanted, isGone }: { wanted: EventRow[]; isGone: boolean },
): string[] {
  const accepted = new Set(
    receipts.filter(({ status }) => status === 204).map(({ headers }) => headers["webhook-id"]),
  );
  const problems: string[] = [];
  for (const { id } of wanted) {
    const delivery = deliveries.find(({ event_id }) => event_id === id);
    const expected = isGone ? "cancelled" : "delivered";
    // What was placed after the webhook was disabled has no delivery.
    if (isGone && !delivery) continue;
    if (delivery?.status !== expected) problems.push(`${id} is ${delivery?.status ?? "not made"}`);
    if (!isGone && !accepted.has(id)) problems.push(`${id} was not received`);
  }
  if (deliveries.length > wanted.length) problems.push("an event has two deliveries");
  return problems;
}

/** (d) The same event has the same bytes, at every attempt and receiver. */
function sameBytes(receipts: Witnessed[], bodies: Map<string, string>): string[] {
  const problems: string[] = [];
  for (const { headers, body } of receipts) {
    const id = headers["webhook-id"]!;
    if ((bodies.get(id) ?? body) !== body) problems.push(`${id} had other bytes`);
    bodies.set(id, body);
  }
  return problems;
}

/** (g) No more came twice than was under way when something died. */
function duplicatesOf(receipts: Witnessed[]): string[] {
  const distinct = new Set(receipts.map(({ headers }) => headers["webhook-id"]));
  const twice = receipts.length - distinct.size;
  return twice > inFlightMax ? [`${twice} receipts are duplicates`] : [];
}
