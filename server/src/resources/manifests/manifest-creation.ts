import { Type, type Static } from "typebox";
import type {
  CarrierManifest,
  CarrierManifests,
  SentManifest,
} from "../../carriers/capabilities.ts";
import { descriptorUnder } from "../../carriers/carrier.ts";
import type { Platform } from "../../context.ts";
import { json, type StoredManifestFile, type Tx } from "../../database/tables.ts";
import { manifestStatusOf } from "../../domain/manifests/manifest-states.ts";
import { recordEvent } from "../../events/outbox.ts";
import { answer, recordOutcome } from "../../http/idempotency.ts";
import {
  oneByOne,
  type Attempt,
  type OutboundOperation,
  type ReviewOf,
} from "../../outbound/operation.ts";
import { dataToStore } from "../../shipping/shipments/carrier-data.ts";
import { contextOn } from "../../shipping/connections/connection-book.ts";
import { labelRefOf } from "../../shipping/shipments/label-ref.ts";
import { lookUpOf } from "../../shipping/connections/unknown-outcomes.ts";
import { partError, deletedConnection } from "../../shipping/shipments/carrier-refusal.ts";
import { startManifestFiles } from "./manifest-files.ts";
import type { ManifestInput, ManifestMessage } from "./manifest-input.ts";
import { Manifest } from "./schemas.ts";
import { findMembers, findShipments, type HandedShipment } from "./shipment-store.ts";
import * as store from "./store.ts";
import { shipmentsOn, toManifest } from "./view.ts";

/** A manifest, and what was stored of it. */
interface MadeManifest extends CarrierManifest {
  /** Set by `keep`, which runs before the settlement. */
  documents?: StoredManifestFile[];
}

type Creation = Attempt<ManifestInput>;

/**
 * The outbound operation of one part of a manifest. It costs nothing, and no carrier undoes it. The last part that
 * ends stores the response of the key: 201 unless all of them failed.
 */
export function manifestCreation(
  platform: Platform,
): OutboundOperation<ManifestInput, ManifestMessage, MadeManifest, void> {
  const descriptorOf = ({ carrier, look_up }: ManifestInput) =>
    descriptorUnder(platform.carriers.get(carrier).descriptor, look_up.connection_id);
  const factOf = (input: ManifestInput) =>
    descriptorOf(input).manifests?.lookUp ?? ({ by: "none" } as const);
  const count = (carrier: string, operation: string) =>
    platform.metrics.carrier_calls.inc({ carrier, operation });

  return {
    kind: "manifest",
    timeoutSeconds: (input) => descriptorOf(input).purchaseTimeoutSeconds,
    withoutConnection: ({ carrier }) => deletedConnection(carrier),
    lookUp: (input, account_id) =>
      lookUpOf(platform, factOf(input), { account_id, input, is_noted: true }),
    review: manifestReview,

    send({ party, reference }, message, signal) {
      count(party, "manifest");
      return manifestsOf(platform, party).create({ ...message, reference }, signal);
    },

    recovery: {
      by: "find",
      async find(attempt, signal) {
        const { party, status } = attempt;
        const shipments = await shipmentsOf(platform, attempt);
        // What was given up need not be found once its labels were handed over in another way. Some carriers find a
        // manifest by its labels, and would show another one that the account has had made of them since.
        if (status === "absent" && !(await areWaiting(platform, attempt, shipments))) return null;
        count(party, "find_manifest");
        const sent = await sentOf(platform, attempt, shipments);
        return manifestsOf(platform, party).lookUp(sent, signal);
      },
    },

    async keep(attempt, made) {
      const { documents, stored } = await startManifestFiles(platform, attempt, made.files);
      made.documents = documents;
      return { stored };
    },

    settle: oneByOne(async (tx, { attempt, result: made }) => {
      const { account_id, reference, input } = attempt;
      const manifest = await store.lockManifest(tx, account_id, input.manifest_id);
      const data = dataToStore(platform, attempt, made.carrier_data);
      await store.endPart(tx, partOf(attempt), {
        status: "created",
        reference,
        carrier_manifest_id: made.carrier_manifest_id,
        carrier_data: data && json(data),
        documents: json(made.documents ?? []),
      });
      await syncStatus(platform, tx, { attempt, manifest });
    }),

    async release(tx, attempt, failure) {
      const { account_id, input } = attempt;
      const manifest = await store.lockManifest(tx, account_id, input.manifest_id);
      const error = json(partError(failure));
      await store.endPart(tx, partOf(attempt), { status: "failed", error });
      await store.freeShipments(tx, partOf(attempt));
      await syncStatus(platform, tx, { attempt, manifest });
    },

    // The part is `creating` already.
    suspend: async () => undefined,
  };
}

/** Throws for a carrier without manifests: its code was stored by this platform, so that is a bug. */
export function manifestsOf({ carriers }: Platform, carrier: string): CarrierManifests {
  const { manifests } = carriers.get(carrier);
  if (!manifests) throw new Error(`${carrier} has no manifests`);
  return manifests;
}

function partOf({ account_id, input }: Creation): store.PartKey {
  return { account_id, manifest_id: input.manifest_id, part: input.part };
}

/** Those of the part that is asked for. */
async function shipmentsOf({ db }: Platform, attempt: Creation): Promise<HandedShipment[]> {
  const { account_id, manifest_id, part } = partOf(attempt);
  const { parts } = await store.getManifest(db, account_id, manifest_id);
  const ids = parts.find((each) => each.part === part)?.shipment_ids ?? [];
  return findShipments(db, account_id, ids);
}

/** Whether all of them still have a label that is on no other manifest and that the carrier has not scanned. */
async function areWaiting(
  { db }: Platform,
  { account_id }: Creation,
  shipments: readonly HandedShipment[],
): Promise<boolean> {
  const ids = shipments.map(({ id }) => id);
  const members = await findMembers(db, account_id, ids);
  return members.length === 0 && shipments.every(({ status }) => status === "purchased");
}

/** What a carrier is asked for whose answer is not known: the labels are those of the part's shipments. */
async function sentOf(
  platform: Platform,
  { account_id, reference, sent_at, input }: Creation,
  shipments: readonly HandedShipment[],
): Promise<SentManifest> {
  const { environment, look_up } = input;
  const { connection_id, ship_date } = look_up;
  const context = await contextOn(platform, { account_id, environment, connection_id });
  const labels = shipments.map((shipment) => labelRefOf(shipment, context));
  return { context, reference, sent_at, labels, ship_date };
}

/**
 * The consequences of a part's end: the manifest's own status, the event, and the response stored for the key that
 * asked. The manifest is locked, so that of several parts that end at once one is last.
 */
async function syncStatus(
  platform: Platform,
  tx: Tx,
  { attempt, manifest: before }: { attempt: Creation; manifest: store.WholeManifest },
): Promise<void> {
  const { account_id, id, carrier } = before;
  const { parts } = await store.getManifest(tx, account_id, id);
  const status = manifestStatusOf(parts.map((part) => part.status));
  const change = { status, updated_at: platform.clock.now() };
  await store.changeManifest(tx, before, change);
  if (status === "creating") return;
  const manifest = { ...before, ...change, parts };
  const data = { manifest_id: id, status, carrier, shipment_ids: shipmentsOn(manifest) };
  const type = `manifest.${status}` as const;
  await recordEvent(tx, { account_id, type, subject_id: id, data, by: attempt });
  // A refusal is the request's own answer, and is not stored.
  if (status === "created")
    await recordOutcome(tx, attempt, answer(201, Manifest, toManifest(platform, manifest)));
}

const FoundByHand = Type.Object(
  {
    carrier_manifest_id: Type.String({ minLength: 1, maxLength: 100, pattern: "^[\\x20-\\x7e]+$" }),
  },
  { additionalProperties: false },
);

/** A manifest with an unknown outcome: the carrier's own site, or its help desk, can tell. */
const manifestReview: ReviewOf<ManifestInput, MadeManifest> = {
  evidence: { manifest: FoundByHand },
  advice: ({ reference, input, sent_at, resolved_at }) =>
    resolved_at
      ? `${input.carrier} made manifest ${input.manifest_id} (our reference is ${reference}) after it had been given up. ` +
        "It takes none back: its labels are handed over there, and it may refuse them on another. Tell the account, then decide `void`."
      : `Find out at ${input.carrier} whether manifest ${input.manifest_id} was made at ${sent_at.toISOString()} (our reference is ${reference}). ` +
        "If it was, decide `stands` with its number there: its shipments are on it. If it was not, decide `void`: its shipments are free again.",
  resultOf: async (_attempt, evidence) => {
    const { manifest } = evidence as { manifest: Static<typeof FoundByHand> };
    return { ...manifest, files: [], carrier_data: null };
  },
};
