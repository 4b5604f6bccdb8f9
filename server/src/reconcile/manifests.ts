import type { Carrier } from "../carriers/carrier.ts";
import type { HeardManifest } from "../carriers/journal-entry.ts";
import type { Context } from "../context.ts";
import { byShell } from "../domain/accounts/principal.ts";
import { recordAudit } from "../events/audit-log.ts";
import type { JournaledManifest } from "../journal/read-journal.ts";
import { findItem } from "../outbound/review-store.ts";
import { confirmEffect } from "../outbound/review.ts";
import {
  manifestCreation,
  restoreManifest,
  statesOfMembers,
  type MemberState,
  type MissingManifest,
  type MissingMember,
} from "../resources/manifests/service.ts";
import { contextOn } from "../shipping/connections/connection-book.ts";
import { RetryLookup, type Action, type Decision } from "./finding.ts";
import { contextAt, type Job } from "./job.ts";
import { cannotBeAsked, cannotList, decideEach, unreadable } from "./lists.ts";
import { readNoted, type Noted } from "./noted.ts";
import { findAttempt, type KnownAttempt } from "./store.ts";

/**
 * The manifests that carriers were asked for since the backup, as the journal has them, compared with this database:
 * no carrier lists them. Those of labels that are here are recorded; nothing undoes one, so the rest is left to a
 * person.
 */
export async function* reconcileManifests(job: Job): AsyncGenerator<Decision> {
  const asked: AskedManifest[] = [];
  const unread: Decision[] = [];
  let noted: Noted | null = null;
  for (const carrier of job.platform.carriers.all) {
    const { code } = carrier.descriptor;
    if (!carrier.manifests) continue;
    try {
      noted ??= await readNoted(job);
      asked.push(...manifestsOf(noted, carrier));
      if (noted.isBlind(carrier, "manifest"))
        unread.push(cannotList(code, "its manifests: compare them with those here"));
      unread.push(...noted.damaged.map((name) => unreadable(code, name)));
    } catch (error) {
      unread.push(cannotBeAsked(code, error));
    }
  }
  yield* decideEach(job, asked, {
    nameOf: ({ account_id, parts }) => ({ account_id, reference: parts[0]!.sent.reference }),
    decideKnown,
    decideMissing,
  });
  yield* unread;
}

/** A manifest of the journal, with those of its parts whose calls may have had an effect: one at least. */
interface AskedManifest {
  carrier: string;
  account_id: string;
  environment: "live" | "test";
  manifest_id: string;
  parts: JournaledManifest[];
}

function manifestsOf({ manifests }: Noted, { descriptor }: Carrier): AskedManifest[] {
  const { code: carrier } = descriptor;
  const own = manifests.filter(({ sent }) => sent.carrier === carrier);
  const parts = Map.groupBy(own, ({ sent: { account_id, references } }) =>
    [account_id, references.manifest_id].join(" "),
  );
  return [...parts.values()].map((each) => {
    const { account_id, environment, references } = each[0]!.sent;
    return { carrier, account_id, environment, manifest_id: references.manifest_id, parts: each };
  });
}

/** A decision about this manifest, by one of its parts. */
function about(
  { carrier, account_id, manifest_id, parts }: AskedManifest,
  { sent, heard } = parts[0]!,
) {
  return (found: string, action: Action, act?: () => Promise<void>): Decision => ({
    kind: "manifest",
    party: carrier,
    reference: sent.reference,
    account_id,
    shipment_id: null,
    tracking_code: null,
    manifest: { id: manifest_id, number: heard?.carrier_manifest_id ?? null },
    amount_cents: null,
    currency: null,
    found,
    action,
    act,
  });
}

/** Its parts began together, and end each for itself: one with something to do comes first. */
async function decideKnown(job: Job, asked: AskedManifest): Promise<Decision | null> {
  const { account_id } = asked;
  const decisions: Decision[] = [];
  for (const part of asked.parts) {
    const { reference } = part.sent;
    const attempt = await findAttempt(job.platform.db, { account_id, reference });
    const decision = decidePart(job, { asked, part, attempt });
    if (decision) decisions.push(decision);
  }
  return decisions.find(({ action }) => action !== "nothing") ?? decisions[0] ?? null;
}

function decidePart(
  job: Job,
  {
    asked,
    part,
    attempt,
  }: { asked: AskedManifest; part: JournaledManifest; attempt: KnownAttempt | null },
): Decision | null {
  const { heard } = part;
  const that = about(asked, part);
  switch (attempt?.status) {
    case "sent":
    case "unknown":
      return that("is being looked up", "wait");
    case "review":
      if (!heard) return that("waits for a decision of its review", "nothing");
      return that("was made, which its review does not know", "rebook", () =>
        standAsHeard(job, part.sent, heard),
      );
    case "settled":
      return null;
    case "refused":
    case "absent":
      return heard ? that("was marked not executed here and was made there", "by_hand") : null;
    case undefined:
      return that("was missing here, and other parts of its manifest were not", "by_hand");
  }
}

/**
 * Of a part whose process died, the answer is lost here, and its carrier may tell of none which was ours. The journal
 * says what an operator would have to find out.
 */
async function standAsHeard(
  { platform }: Job,
  { account_id, reference }: JournaledManifest["sent"],
  heard: HeardManifest,
): Promise<void> {
  const attempt = await findItem(platform.db, reference);
  if (!attempt) throw new RetryLookup("its review is decided");
  const decided_at = platform.clock.now().toISOString();
  const note = `The journal has the carrier's answer: ${heard.carrier_manifest_id}.`;
  const decision = {
    decision: "stands",
    by: byShell.actor,
    note,
    decided_at,
    fingerprint: reference,
  } as const;
  await confirmEffect(platform.outbound, manifestCreation(platform), {
    attempt,
    result: { ...heard, files: [] },
    reviewDecision: {
      decision,
      record: (tx) =>
        recordAudit(tx, {
          account_id,
          by: byShell,
          action: "review.stands",
          subject_id: reference,
          details: { kind: attempt.kind, of: attempt.subject_id, note },
        }),
    },
  });
}

async function decideMissing(job: Job, asked: AskedManifest): Promise<Decision> {
  const that = about(asked);
  const isHeard = asked.parts.every(({ heard }) => heard !== null);
  const found = isHeard ? "was missing here" : "was sent without a known answer";
  const asked_at = new Date(asked.parts[0]!.sent.at);
  const ctx = await contextAt(job, asked.account_id, asked_at);
  if (!ctx) return that(`${found}, and its account is not known here`, "by_hand");
  if (!(await isConnected(job, asked)))
    return that(`${found}, and its connection is not known here`, "by_hand");
  const labels = asked.parts.flatMap(labelsOn);
  const states = await statesHere(job, ctx, { carrier: asked.carrier, labels });
  const count = (state: MemberState) =>
    [...states.values()].filter((each) => each === state).length;
  if (count("changing") > 0)
    return that(`${found}, and its labels are not settled here yet`, "wait");
  if (count("taken") > 0)
    return that(`${found}, and its labels are on another manifest here`, "by_hand");
  if (count("open") === 0) return that(`${found}, and none of its labels is here`, "by_hand");
  const lack = count("gone");
  const said = lack === 0 ? found : `${found}; of its ${labels.length} labels ${lack} are not here`;
  const act = async () => {
    const failure = await restoreManifest(ctx, asMissing(asked, states));
    if (failure) throw new RetryLookup(isHeard ? failure.message : "its outcome is found out next");
  };
  return that(said, isHeard ? "rebook" : "look_up", act);
}

async function isConnected({ platform }: Job, asked: AskedManifest): Promise<boolean> {
  const { account_id, environment } = asked;
  for (const { sent } of asked.parts) {
    const { connection_id } = sent;
    const { connection } = await contextOn(platform, { account_id, environment, connection_id });
    if (connection_id !== null && !connection) return false;
  }
  return true;
}

function labelsOn({ sent: { references, label_references } }: JournaledManifest): MissingMember[] {
  return references.shipment_ids.map((shipment_id, place) => ({
    shipment_id,
    reference: label_references[place]!,
  }));
}

/** What the labels are here or, in a dry run, would be by now. */
async function statesHere(
  { planned, open }: Job,
  ctx: Context,
  { carrier, labels }: { carrier: string; labels: readonly MissingMember[] },
): Promise<Map<string, MemberState>> {
  const states = await statesOfMembers(ctx, carrier, labels);
  for (const { shipment_id: id, reference } of labels) {
    if (planned.voided.has(id)) states.set(id, "gone");
    if (planned.labelled.get(id)?.reference === reference) states.set(id, "open");
    // What is left open of a label may still bring it here.
    const isLeft = open.has(reference) || open.has(carrier);
    if (states.get(id) === "gone" && isLeft) states.set(id, "changing");
  }
  return states;
}

function asMissing(
  { carrier, manifest_id, parts }: AskedManifest,
  states: ReadonlyMap<string, MemberState>,
): MissingManifest {
  const here = parts.map(({ sent, heard: made }) => {
    const { reference, references, connection_id, look_up } = sent;
    const shipment_ids = references.shipment_ids.filter((id) => states.get(id) === "open");
    return { part: references.part, reference, connection_id, ...look_up, shipment_ids, made };
  });
  return {
    carrier,
    manifest_id,
    idempotency_key: parts[0]!.sent.references.idempotency_key,
    parts: here.filter(({ shipment_ids }) => shipment_ids.length > 0),
  };
}
