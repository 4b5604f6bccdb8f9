import type { CarrierManifest } from "../../carriers/capabilities.ts";
import type { CallContext } from "../../carriers/carrier.ts";
import type { AccountContext } from "../../context.ts";
import type { Tx } from "../../database/tables.ts";
import { originOf } from "../../domain/accounts/principal.ts";
import { isLabelled, isTakenBack } from "../../domain/shipments/shipment-states.ts";
import { timeOfId } from "../../domain/values/ids.ts";
import type { PreparedAttempt } from "../../outbound/begin.ts";
import type { Failure } from "../../outbound/operation.ts";
import { recordAllExisting } from "../../outbound/outbound.ts";
import { contextOn } from "../../shipping/connections/connection-book.ts";
import { labelRefOf } from "../../shipping/shipments/label-ref.ts";
import { manifestCreation } from "./manifest-creation.ts";
import {
  askedPart,
  prepareManifest,
  type ManifestInput,
  type ManifestMessage,
} from "./manifest-input.ts";
import { refuseMembers, refuseUnlessOpen } from "./read-manifest.ts";
import {
  findMembers,
  findShipments,
  lockShipments,
  type HandedShipment,
} from "./shipment-store.ts";
import * as store from "./store.ts";

/**
 * A manifest that a carrier was asked for and that this database lost when it was restored. The context's clock is
 * set to the time of the request.
 */
export interface MissingManifest {
  carrier: string;
  manifest_id: string;
  idempotency_key: string | null;
  /** Those whose calls may have had an effect. */
  parts: readonly MissingPart[];
}

interface MissingPart {
  part: number;
  reference: string;
  connection_id: string | null;
  ship_date: string;
  /** Whose labels are handed over, and are here. */
  shipment_ids: readonly string[];
  /** What the carrier answered; null where that is not known. */
  made: Omit<CarrierManifest, "files"> | null;
}

/** A label of a missing manifest. */
export interface MissingMember {
  shipment_id: string;
  reference: string;
}

/**
 * What its labels are here: `open`, so that it can have them; `changing`, while a purchase or a void of the shipment
 * has no outcome; `taken` by another manifest; `gone`: no label of the shipment, or a void or another one.
 */
export type MemberState = "open" | "changing" | "taken" | "gone";

/** By shipment. */
export async function statesOfMembers(
  { db, account }: Pick<AccountContext, "db" | "account">,
  carrier: string,
  labels: readonly MissingMember[],
): Promise<Map<string, MemberState>> {
  const { account_id } = account;
  const ids = labels.map(({ shipment_id }) => shipment_id);
  const shipments = new Map((await findShipments(db, account_id, ids)).map((row) => [row.id, row]));
  const members = await findMembers(db, account_id, ids);
  const taken = new Set(members.map(({ shipment_id }) => shipment_id));
  return new Map(
    labels.map(({ shipment_id: id, reference }) => {
      const shipment = shipments.get(id);
      if (shipment && isChanging(shipment)) return [id, "changing"];
      if (!shipment || !isThatLabel(shipment, { carrier, reference })) return [id, "gone"];
      return [id, taken.has(id) ? "taken" : "open"];
    }),
  );
}

function isChanging({ status }: HandedShipment): boolean {
  return ["purchasing", "purchase_pending", "void_pending"].includes(status);
}

function isThatLabel(
  { status, carrier, purchase_reference }: HandedShipment,
  label: { carrier: string; reference: string },
): boolean {
  const isOpen = isLabelled(status) && !isTakenBack(status);
  return isOpen && carrier === label.carrier && purchase_reference === label.reference;
}

/**
 * Records it under the id that the merchant has, each of its parts as if its answer had just arrived; one without an
 * answer is looked up, as any other whose answer was lost. Returns why a part has no outcome yet. Throws 409 where a
 * label cannot be handed over any more.
 */
export async function restoreManifest(
  ctx: AccountContext,
  missing: MissingManifest,
): Promise<Failure | null> {
  const { manifest_id, idempotency_key, parts } = missing;
  const results = new Map<string, CarrierManifest>();
  for (const { reference, made } of parts) if (made) results.set(reference, { ...made, files: [] });
  const contexts = await Promise.all(
    parts.map(({ connection_id }) => contextOn(ctx, { ...ctx.account, connection_id })),
  );
  const performed = await recordAllExisting(ctx.outbound, manifestCreation(ctx), {
    account_id: ctx.account.account_id,
    idempotency_key,
    by: originOf(ctx),
    subject_id: manifest_id,
    wanted: null,
    prepare: async (tx) => [await begin(ctx, tx, { missing, contexts })],
    known: { reference: parts[0]!.reference, at: ctx.clock.now() },
    results,
  });
  const open = performed.find(({ result }) => result !== "settled");
  return open && "failure" in open ? open.failure : null;
}

/** The first transaction: puts the shipments on the manifest, as the request for it did. */
async function begin(
  { account: { account_id }, clock }: AccountContext,
  tx: Tx,
  { missing, contexts }: { missing: MissingManifest; contexts: readonly CallContext[] },
): Promise<PreparedAttempt<ManifestInput, ManifestMessage>[]> {
  const { carrier, manifest_id, parts } = missing;
  const ids = parts.flatMap(({ shipment_ids }) => shipment_ids);
  const shipments = await lockShipments(tx, account_id, ids);
  refuseUnlessOpen(shipments);
  refuseMembers(await findMembers(tx, account_id, ids));
  const messages = parts.map((part, place) =>
    messageOf(missing, { part, context: contexts[place]!, shipments }),
  );
  const created_at = timeOfId(manifest_id);
  const about = { account_id, id: manifest_id, carrier, created_at, updated_at: clock.now() };
  await store.insertManifest(tx, store.unanswered(about, messages.map(askedPart)));
  return messages.map((message, place) => {
    const { part, reference: id } = parts[place]!;
    return { id, ...prepareManifest(message, { manifest_id, part, carrier }) };
  });
}

function messageOf(
  { manifest_id, idempotency_key }: MissingManifest,
  { part: of, context, shipments }: OfPart,
): ManifestMessage {
  const { part, shipment_ids, ship_date } = of;
  const its = shipments.filter(({ id }) => shipment_ids.includes(id));
  // The journal keeps no address: they were handed over where they are.
  const { from_address } = its[0]!;
  const { account_id } = context;
  const references = { account_id, manifest_id, part, shipment_ids, idempotency_key };
  const labels = its.map((shipment) => labelRefOf(shipment, context));
  return { context, references, labels, from_address, ship_date };
}

interface OfPart {
  part: MissingPart;
  context: CallContext;
  shipments: readonly HandedShipment[];
}
