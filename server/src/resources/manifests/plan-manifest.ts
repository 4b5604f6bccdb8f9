import { descriptorUnder, type CallContext, type Carrier } from "../../carriers/carrier.ts";
import type { Context } from "../../context.ts";
import { addProblem, ApiError, throwIfAny } from "../../domain/errors/errors.ts";
import { placeKey } from "../../domain/pickups/pickup-rules.ts";
import { localMoment } from "../../domain/time/time-zones.ts";
import { newId } from "../../domain/values/ids.ts";
import { contextOn } from "../../shipping/connections/connection-book.ts";
import { labelRefOf } from "../../shipping/shipments/label-ref.ts";
import { askedPart, type ManifestMessage } from "./manifest-input.ts";
import { readManifest, refuseMembers, refuseUnlessOpen } from "./read-manifest.ts";
import { shipmentsOfDayMax } from "./schemas.ts";
import {
  findMembers,
  findOnConnection,
  hasLabelsOfOthers,
  type HandedShipment,
} from "./shipment-store.ts";
import { unanswered, type WholeManifest } from "./store.ts";

/** A valid manifest, and the request of each of its parts. */
export interface ManifestPlan {
  row: WholeManifest;
  messages: ManifestMessage[];
}

/** Labels that one call hands over: of one connection, from one place. */
interface Group {
  context: CallContext;
  shipments: HandedShipment[];
}

/**
 * Validates a request for a manifest. Throws 422 with every field that is wrong, and 409 for shipments whose state
 * forbids it (decision 27); then no carrier is asked.
 */
export async function planManifest(ctx: Context, given: unknown): Promise<ManifestPlan> {
  const { problems, carrier, shipments, pathOf } = await readManifest(ctx, given);
  const groups = carrier ? await grouped(ctx, carrier, shipments) : [];
  for (const { context, shipments: bought } of groups)
    // Without its connection the simulator would be called.
    if (bought[0]?.connection_id && !context.connection)
      addProblem(problems, pathOf(bought[0]), "was bought on a connection that is gone.");
  throwIfAny(problems);
  refuseUnlessOpen(shipments);
  const ids = shipments.map(({ id }) => id);
  refuseMembers(await findMembers(ctx.db, ctx.account.account_id, ids));
  await refuseLabelsOfOthers(ctx, carrier!, groups);
  return planOf(ctx, carrier!, groups);
}

/**
 * One group for each connection and place. A carrier that hands over whatever is open under a contract has one for
 * each connection, with all that the account has open there.
 */
async function grouped(
  ctx: Context,
  carrier: Carrier,
  shipments: readonly HandedShipment[],
): Promise<Group[]> {
  const { account } = ctx;
  const byKey = Map.groupBy(shipments, (shipment) => {
    const { connection_id } = shipment;
    const place = takesAll(carrier, connection_id) ? "" : placeKey(shipment.from_address);
    return `${connection_id ?? ""}\n${place}`;
  });
  const groups = [...byKey.values()].map(async (named): Promise<Group> => {
    const { connection_id } = named[0]!;
    const context = await contextOn(ctx, { ...account, connection_id });
    if (!takesAll(carrier, connection_id)) return { context, shipments: named };
    const on = { account_id: account.account_id, carrier: carrier.descriptor.code, connection_id };
    const open = await findOnConnection(ctx.db, on, shipmentsOfDayMax);
    const ids = new Set(named.map(({ id }) => id));
    return { context, shipments: [...named, ...open.filter(({ id }) => !ids.has(id))] };
  });
  return Promise.all(groups);
}

function takesAll({ descriptor }: Carrier, connection_id: string | null): boolean {
  return descriptorUnder(descriptor, connection_id).manifests?.takes === "all_open";
}

/**
 * Throws 409 `conflict` where the carrier would hand over labels of other accounts, too: they could not be voided any
 * more, and the document would name them. In the sandbox, which all accounts share, nothing is carried.
 */
async function refuseLabelsOfOthers(
  { db, account: { account_id, environment } }: Context,
  carrier: Carrier,
  groups: readonly Group[],
): Promise<void> {
  if (environment === "test") return;
  for (const { context } of groups) {
    const { connection } = context;
    if (connection?.origin !== "platform" || !takesAll(carrier, connection.id)) continue;
    if (!(await hasLabelsOfOthers(db, { account_id, connection_id: connection.id }))) continue;
    throw new ApiError("conflict", {
      message: `${carrier.descriptor.name} hands over all that is open under a contract, and others have labels under this one.`,
      details: { carrier: carrier.descriptor.code },
    });
  }
}

function planOf(ctx: Context, carrier: Carrier, groups: readonly Group[]): ManifestPlan {
  const { account_id } = ctx.account;
  const now = ctx.clock.now();
  const id = newId("man", now);
  const messages = groups.map(({ context, shipments }, part): ManifestMessage => {
    const { from_address } = shipments[0]!;
    const ship_date = localMoment(now, from_address).day;
    const labels = shipments.map((shipment) => labelRefOf(shipment, context));
    const shipment_ids = shipments.map((shipment) => shipment.id);
    const idempotency_key = ctx.claim?.key ?? null;
    const references = { account_id, manifest_id: id, part, shipment_ids, idempotency_key };
    return { context, references, labels, from_address, ship_date };
  });
  const about = { account_id, id, carrier: carrier.descriptor.code };
  const times = { created_at: now, updated_at: now };
  return { row: unanswered({ ...about, ...times }, messages.map(askedPart)), messages };
}
