import { randomInt } from "node:crypto";
import { sql } from "kysely";
import { expect, onTestFinished, vi } from "vitest";
import { webhookSteps, type CrashPoint } from "../../src/domain/scheduling/step.ts";
import { newId } from "../../src/domain/values/ids.ts";
import { inTransaction } from "../../src/database/connect.ts";
import type { Database } from "../../src/database/tables.ts";
import { bySystem } from "../../src/domain/accounts/principal.ts";
import { recordEvents } from "../../src/events/outbox.ts";
import { aToken } from "../api.ts";
import { anAccount, aWebhook } from "../webhooks.ts";
import type { TargetProcess } from "./crash-rig.ts";
import { readFeeds } from "./feed-readers.ts";
import { movingDomain } from "./moving-names.ts";
import { strikeNames, strikes, type Strike } from "./strikes.ts";
import { problemsOf, type Scene } from "./webhook-invariants.ts";
import type { WebhookRig } from "./webhook-rig.ts";
import type { Mode } from "./witness-process.ts";

/** What strikes at which point of an event's way to its receivers, and the run of one cell. */
interface WebhookCell {
  fault: Strike;
  point: CrashPoint;
  mode: Mode;
}

export const nameOf = ({ fault, point, mode }: WebhookCell) =>
  `${fault} ${point}, and the receiver ${mode === "moves" ? "moves" : `answers ${mode}`}`;

const isFull = process.env["WAYBILL_CRASH_MATRIX"] === "full";
const seed = Number(process.env["WAYBILL_CRASH_SEED"] ?? (isFull ? randomInt(1e6) : 1));
const only = process.env["WAYBILL_CRASH_CELLS"];

function allCells(): WebhookCell[] {
  const cells: WebhookCell[] = [];
  for (const fault of strikeNames)
    for (const step of webhookSteps)
      for (const when of ["before", "after"] as const) {
        const point = `${when} ${step}` as const;
        // Only a receiver that is gone is disabled.
        const modes: Mode[] = step === "disable" ? ["410"] : ["204"];
        if (step === "send" || step === "end") modes.push("500", "302", "half", "moves", "hang");
        for (const mode of modes) cells.push({ fault, point, mode });
      }
  return cells;
}

/**
 * Every point with a worker that dies, and a part of the others, chosen by the seed. Receivers that hang take
 * their fifteen seconds: only in a full run.
 */
export function chosenCells(): WebhookCell[] {
  const all = allCells();
  if (only) return all.filter((cell) => nameOf(cell).includes(only));
  if (isFull) return all;
  return all.filter(({ fault, mode }, place) => {
    if (mode === "hang") return false;
    const isPlain = mode === "204" || mode === "410";
    return (fault === "the process dies" && isPlain) || (place * 7919 + seed) % 8 === 0;
  });
}

const eventCount = 24;
/** A receiver that hangs is sent one at a time, and each takes its fifteen seconds. */
const hangingCount = 1;

/** Strikes once, waits until all is quiet, and returns what is wrong then. */
export async function strike(rig: WebhookRig, cell: WebhookCell): Promise<string[]> {
  const { db, target, observer, witness } = rig;
  await hold(observer, "before claim", "before place");
  const scene = await aScene(rig, cell);
  onTestFinished(() => scene.readers.stop());
  const isPolled = / (place|claim)$/.test(cell.point);
  // These points are passed with nothing to do, too: the events are there before the process goes on.
  if (isPolled) await hold(target, `before ${cell.point.split(" ")[1]}` as CrashPoint);
  else target.hold({ point: cell.point, kind: "webhook" });
  await happen(db, scene);
  if (isPolled && cell.point.startsWith("after"))
    target.holdNext({ point: cell.point, kind: "webhook" });
  await target.untilHeld();
  await strikes[cell.fault]({ ...rig, outside: witness }, () => untilQuiet(db, scene));
  await untilQuiet(db, scene);
  await untilRead(db, scene);
  return problemsOf(rig, scene);
}

async function hold(held: TargetProcess, ...points: CrashPoint[]): Promise<void> {
  held.hold(...points.map((point) => ({ point, kind: "webhook", is_lasting: true })));
  await held.untilHeld();
}

/** An account with a receiver that answers as the cell says, and one that accepts. */
async function aScene(
  { db, witness: { url }, target: { url: own }, observer }: WebhookRig,
  { mode }: WebhookCell,
): Promise<Scene> {
  const account_id = await anAccount(db);
  const token = await aToken({ db }, { account_id, environment: "test" }, readsEvents);
  const moving = url.replace("127.0.0.1", `${account_id}${movingDomain}`);
  const paths = [`/${mode}/${account_id}`, `/204/${account_id}/other`];
  const hooks = [];
  for (const path of paths) {
    const target = `${path.startsWith("/moves") ? moving : url}${path}`;
    hooks.push({ path, ...(await aWebhook(db, account_id, { url: target }, onlyProducts)) });
  }
  const readers = readFeeds({ urls: [own, observer.url], token });
  return { account_id, mode, hooks, readers };
}

const readsEvents = { scopes: ["webhooks:read"] };

/** Not what is told of the webhooks themselves. */
const onlyProducts = { types: ["product.*"] };

/** Events of a few subjects, some of them in one transaction. */
async function happen(db: Database, { account_id, mode }: Scene): Promise<void> {
  const count = mode === "hang" ? hangingCount : eventCount;
  const subjects = [newId("prd"), newId("prd"), newId("prd")].slice(0, count);
  const data = { sku: "MUG-01", status: "Classified", previous_status: "Imported" } as const;
  const type = "product.status_changed" as const;
  for (let left = count; left > 0; left -= subjects.length)
    await inTransaction(db, (tx) =>
      recordEvents(
        tx,
        subjects.map((subject_id) => ({
          account_id,
          type,
          subject_id,
          data,
          by: bySystem("test"),
        })),
      ),
    );
}

/** Thirty seconds, in addition to those of hanging, until nothing is pending and no process holds a webhook. */
function untilQuiet(db: Database, { account_id, mode }: Scene): Promise<void> {
  return vi.waitFor(
    async () => {
      const { rows } = await sql`
        SELECT 'event' AS what FROM event_outbox WHERE account_id = ${account_id}
        UNION ALL SELECT 'delivery' FROM deliveries WHERE account_id = ${account_id} AND status = 'pending'
        UNION ALL SELECT 'webhook' FROM webhooks WHERE account_id = ${account_id} AND due_at IS NOT NULL`.execute(
        db,
      );
      expect(rows).toEqual([]);
    },
    { timeout: mode === "hang" ? 50_000 : 30_000, interval: 100 },
  );
}

/** The readers of feed and stream have come to the feed's end. */
async function untilRead(db: Database, { account_id, readers }: Scene): Promise<void> {
  const { rows } = await sql<{ head: string }>`SELECT last_position::text AS head FROM event_feeds
    WHERE account_id = ${account_id}`.execute(db);
  await vi.waitFor(
    () => {
      for (const read of [readers.feed, readers.stream])
        expect(read.at(-1)?.cursor).toBe(rows[0]!.head);
    },
    { timeout: 30_000, interval: 50 },
  );
}
