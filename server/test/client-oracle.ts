import { sql } from "kysely";
import type { Database } from "../src/database/tables.ts";
import { toCents } from "../src/domain/values/money.ts";
import {
  createdBy,
  labelOf,
  processedBy,
  removedBy,
  topUpOf,
  verdictOf,
  voidedBy,
  type ClientLog,
  type Exchange,
} from "./client-log.ts";
import { labelsIn, type JournalEntry } from "./invariants.ts";

/**
 * Compares the responses that clients got with the database and the carriers' journal in the end.
 * Each function returns one message for each broken promise; there must be none.
 */
export async function brokenPromises(
  { exchanges }: ClientLog,
  { db, journal }: { db: Database; journal: JournalEntry[] },
): Promise<string[]> {
  const told = exchanges.filter(({ reply }) => verdictOf(reply) === "final");
  return [
    ...answersThatDiffer(told),
    ...effectsToldTwice(told),
    ...(await labelsToldTwice(db, told)),
    ...(await labelsMissing(db, journal, told)),
    ...(await voidsMissing(db, journal, told)),
    ...(await topUpsMissing(db, journal, told)),
    ...(await shipmentsMissing(db, told)),
    ...(await effectsNobodyAskedFor(db, exchanges)),
  ];
}

/** One key, one response: the same status and bytes to every caller of the key. */
function answersThatDiffer(told: Exchange[]): string[] {
  const first = new Map<string, Exchange>();
  return told.flatMap((exchange) => {
    const { key, fingerprint, reply } = exchange;
    if (key === null) return [];
    const name = requestOf(exchange);
    const earlier = first.get(name);
    if (!earlier) first.set(name, exchange);
    if (!earlier) return [];
    if (earlier.fingerprint !== fingerprint)
      return [`key ${key} answered two requests: ${earlier.fingerprint} and ${fingerprint}`];
    const same =
      earlier.reply!.status === reply!.status && earlier.reply!.bytes.equals(reply!.bytes);
    return same ? [] : [`key ${key} had two answers: ${words(earlier)} and ${words(exchange)}`];
  });
}

/**
 * No two requests got the response that they caused the same effect. Voiding twice is one void (decision 8).
 */
function effectsToldTwice(told: Exchange[]): string[] {
  const owners = new Map<string, string>();
  return told.flatMap((exchange, place) => {
    const request = exchange.key === null ? `call ${place}` : requestOf(exchange);
    return effectsOf(exchange).flatMap((effect) => {
      const owner = owners.get(effect) ?? request;
      owners.set(effect, owner);
      return owner === request ? [] : [`${effect} was acknowledged to ${owner} and to ${request}`];
    });
  });
}

/** A label that a client bought by hand is not one that a batch claims to have bought. */
async function labelsToldTwice(db: Database, told: Exchange[]): Promise<string[]> {
  const labels = told.flatMap((exchange) => labelOf(exchange)?.shipment_id ?? []);
  const { rows } = await sql<{ batch_id: string; shipment_id: string }>`
    SELECT batch_id, shipment_id FROM batch_items
    WHERE status = 'succeeded' AND shipment_id = ANY(${labels})`.execute(db);
  return rows.map(
    ({ batch_id, shipment_id }) => `the label of ${shipment_id} is ${batch_id}'s and by hand`,
  );
}

function effectsOf(exchange: Exchange): string[] {
  const label = labelOf(exchange);
  if (label) return [`the label of ${label.shipment_id}`, `debit ${label.transaction_id}`];
  const topUp = topUpOf(exchange);
  if (topUp) return [`top-up ${topUp.id}`];
  if (removedBy(exchange)) return [`the removal of ${removedBy(exchange)}`];
  return createdBy(exchange).map((id) => `shipment ${id}`);
}

/** Every label that a client was given is paid once, on its shipment, and issued once by the carrier. */
async function labelsMissing(
  db: Database,
  journal: JournalEntry[],
  told: Exchange[],
): Promise<string[]> {
  const labels = told.flatMap((exchange) => labelOf(exchange) ?? []);
  const { rows } = await sql<{ id: string; found: string; reference: string }>`
    SELECT t.id, concat_ws(' ', s.id, s.tracking_code, -t.amount_cents) AS found, s.purchase_reference AS reference
    FROM ledger_transactions t
    JOIN shipments s ON s.account_id = t.account_id AND s.id = t.shipment_id
    WHERE t.type IN ('label', 'ltl') AND t.id = ANY(${labels.map(({ transaction_id }) => transaction_id)})`.execute(
    db,
  );
  const booked = new Map(rows.map((row) => [row.id, row]));
  return labels.flatMap(({ shipment_id, tracking_code, transaction_id, cost }) => {
    const wanted = `${shipment_id} ${tracking_code} ${toCents(cost!.total)}`;
    const row = booked.get(transaction_id);
    if (row?.found !== wanted)
      return [`label ${wanted} was issued, the ledger has ${row?.found ?? "none"}`];
    const sold = labelsIn(journal, [row.reference]);
    return sold.length === 1 && sold[0]!.tracking_code === tracking_code
      ? []
      : [`label ${wanted} was issued, the carrier has ${JSON.stringify(sold)}`];
  });
}

interface VoidedRow {
  id: string;
  carrier: string;
  label_id: string | null;
  reference: string | null;
}

/**
 * Every shipment that a client saw voided is, and its label was voided once. One without a label may
 * have been deleted since.
 */
async function voidsMissing(
  db: Database,
  journal: JournalEntry[],
  told: Exchange[],
): Promise<string[]> {
  const removed = new Set(told.map(removedBy));
  const ids = told.flatMap((exchange) => voidedBy(exchange) ?? []).filter((id) => !removed.has(id));
  const { rows } = await sql<VoidedRow>`
    SELECT id, carrier, carrier_label_id AS label_id, purchase_reference AS reference FROM shipments
    WHERE id = ANY(${ids}) AND (status IN ('cancelled', 'voided') OR refund_status = 'rejected')`.execute(
    db,
  );
  const voided = new Map(rows.map((row) => [row.id, row]));
  return [...new Set(ids)].flatMap((id) => {
    const row = voided.get(id);
    if (!row) return [`${id} was reported as voided and is not`];
    const voids = journal.filter(
      ({ operation, carrier, reference }) =>
        (operation === "void" || operation === "ltl_cancel") &&
        carrier === row.carrier &&
        reference === row.reference,
    );
    const wanted = row.label_id === null ? 0 : 1;
    return voids.length === wanted
      ? []
      : [`${id} was voided, the carrier has ${JSON.stringify(voids)}`];
  });
}

/** Every credit that a client was given is in the ledger once, and was charged once. */
async function topUpsMissing(
  db: Database,
  journal: JournalEntry[],
  told: Exchange[],
): Promise<string[]> {
  const topUps = told.flatMap((exchange) => topUpOf(exchange) ?? []);
  const { rows } = await sql<{ id: string; amount_cents: number; reference: string }>`
    SELECT id, amount_cents, details ->> 'reference' AS reference FROM ledger_transactions
    WHERE type = 'top_up' AND id = ANY(${topUps.map(({ id }) => id)})`.execute(db);
  const booked = new Map(rows.map((row) => [row.id, row]));
  return topUps.flatMap(({ id, amount }) => {
    const row = booked.get(id);
    const charges = journal.filter(
      ({ operation, reference }) => operation === "charge" && reference === row?.reference,
    );
    const amounts = [row?.amount_cents, ...charges.map(({ amount_cents }) => amount_cents)];
    return amounts.length === 2 && amounts.every((cents) => cents === toCents(amount))
      ? []
      : [`top-up ${id} of ${amount} succeeded, ledger and charges have ${JSON.stringify(amounts)}`];
  });
}

/** Every shipment that a client was given exists, unless it was deleted. */
async function shipmentsMissing(db: Database, told: Exchange[]): Promise<string[]> {
  const removed = new Set(told.map(removedBy));
  const created = told.flatMap(createdBy).filter((id) => !removed.has(id));
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM shipments WHERE id = ANY(${[...created, ...removed]})`.execute(db);
  const there = new Set(rows.map(({ id }) => id));
  return [
    ...created.filter((id) => !there.has(id)).map((id) => `${id} was created and is not there`),
    ...[...removed]
      .filter((id) => id && there.has(id))
      .map((id) => `${id} was removed, but is there`),
  ];
}

/**
 * Whatever an account has that no response named must come from a request without a final response,
 * and a request has its effect once. Covers only accounts all of whose calls are in the log.
 */
async function effectsNobodyAskedFor(db: Database, exchanges: Exchange[]): Promise<string[]> {
  const accounts = [...new Set(exchanges.map(({ account_id }) => account_id))];
  const processed = exchanges.flatMap((exchange) => processedBy(exchange) ?? []);
  const { rows } = await sql<{ account_id: string; kind: EffectKind; id: string }>`
    SELECT account_id, CASE type WHEN 'ltl' THEN 'label' ELSE type END AS kind, id FROM ledger_transactions AS t
    WHERE type IN ('label', 'ltl', 'top_up') AND account_id = ANY(${accounts}) AND NOT EXISTS (
      SELECT FROM batch_items AS item
      WHERE item.account_id = t.account_id AND item.shipment_id = t.shipment_id
        AND item.status = 'succeeded' AND item.batch_id = ANY(${processed})
      UNION ALL SELECT FROM rule_runs AS run
      WHERE run.account_id = t.account_id AND run.subject_id = t.shipment_id
        AND run.purchase ->> 'status' = 'bought'
      UNION ALL SELECT FROM attempts AS charge
      WHERE charge.account_id = t.account_id AND charge.subject_id = t.id AND charge.actor = 'system:credits.recharge')
    UNION ALL SELECT account_id, 'shipment', id FROM shipments WHERE account_id = ANY(${accounts})`.execute(
    db,
  );
  return accounts.flatMap((account_id) => {
    const own = exchanges.filter((exchange) => exchange.account_id === account_id);
    const named = new Set(own.flatMap(idsIn));
    const open = openRequests(own);
    return (["label", "top_up", "shipment"] as const).flatMap((kind) => {
      const unnamed = rows.filter(
        (row) => row.account_id === account_id && row.kind === kind && !named.has(row.id),
      );
      return unnamed.length <= open[kind]
        ? []
        : [
            `${account_id} has ${unnamed.length} ${kind}s of ${open[kind]} requests without an answer`,
          ];
    });
  });
}

type EffectKind = "label" | "top_up" | "shipment";

/** The most effects of each kind that the requests without a final response may have had. */
function openRequests(exchanges: Exchange[]): Record<EffectKind, number> {
  const answered = new Set(
    exchanges.filter(({ key, reply }) => key && verdictOf(reply) === "final").map(requestOf),
  );
  const counted = new Set<string>();
  const most = { label: 0, top_up: 0, shipment: 0 };
  for (const exchange of exchanges) {
    const { method, path, key, body, reply } = exchange;
    if (method !== "POST" || verdictOf(reply) !== "open") continue;
    // Each try of `POST /labels` may leave a draft; any other effect of a key happens once.
    if (path === "/labels") most.shipment += 1;
    const request = requestOf(exchange);
    if (key !== null && (answered.has(request) || counted.has(request))) continue;
    counted.add(request);
    if (path.startsWith("/labels")) most.label += 1;
    if (path === "/credits/top-up") most.top_up += 1;
    if (path === "/shipments") most.shipment += Array.isArray(body) ? body.length : 1;
  }
  return most;
}

/** Every id in the response, be it an effect's or a refusal's. */
function idsIn({ reply }: Exchange): string[] {
  return reply?.bytes.toString().match(/\b(?:shp|txn)_[0-9a-z]{26}\b/g) ?? [];
}

function requestOf({ account_id, key }: Exchange): string {
  return `${account_id} ${key}`;
}

function words({ reply }: Exchange): string {
  return `${reply!.status} ${reply!.bytes.toString().slice(0, 200)}`;
}
