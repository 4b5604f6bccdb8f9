import type { Context } from "../../context.ts";
import type { Tx } from "../../database/tables.ts";
import { originOf } from "../../domain/accounts/principal.ts";
import { ApiError } from "../../domain/errors/errors.ts";
import { newId } from "../../domain/values/ids.ts";
import { answer, type StoredResponse } from "../../http/idempotency.ts";
import { findBegun } from "../../outbound/attempt-store.ts";
import { performAll, type Performed } from "../../outbound/outbound.ts";
import { carrierRefusal } from "../../shipping/shipments/carrier-refusal.ts";
import { manifestCreation } from "./manifest-creation.ts";
import { prepareManifest } from "./manifest-input.ts";
import { planManifest, type ManifestPlan } from "./plan-manifest.ts";
import { refuseMembers, refuseUnlessOpen } from "./read-manifest.ts";
import { Manifest } from "./schemas.ts";
import { findMembers, lockShipments } from "./shipment-store.ts";
import * as store from "./store.ts";
import { toManifest } from "./view.ts";

/**
 * Hands labels over to their carrier (decision 27): one call for each connection that they were bought on and each
 * place that they start from. All of them are asked for, or none. The manifest exists when one of them was made;
 * `parts` says of the others why they were not. When none was, 502 `carrier_error`, and the shipments are free
 * again. While an outcome is unknown it is `creating` under its final id; a retry with the same key shows that one.
 */
export async function createManifest(ctx: Context, body: unknown): Promise<StoredResponse> {
  const { account_id } = ctx.account;
  const earlier = await findBegun(ctx.db, ctx.claim);
  // The first request with this key died after it had got as far as the carrier.
  if (earlier) return shown(ctx, await store.getManifest(ctx.db, account_id, earlier.subject_id));
  const plan = await planManifest(ctx, body);
  const performed = await performAll(ctx.outbound, manifestCreation(ctx), {
    account_id,
    idempotency_key: ctx.claim?.key ?? null,
    by: originOf(ctx),
    subject_id: plan.row.id,
    wanted: plan,
    prepare: async (tx) => [await begin(ctx, tx, plan)],
  });
  const manifest = await store.getManifest(ctx.db, account_id, plan.row.id);
  if (manifest.status === "failed") throw notMade(manifest, performed);
  return shown(ctx, manifest);
}

/** A manifest with an unknown outcome is not final: the key stays open. */
function shown(ctx: Context, manifest: store.WholeManifest): StoredResponse {
  if (manifest.status === "creating" && ctx.claim) ctx.claim.unresolved = true;
  return answer(201, Manifest, toManifest(ctx, manifest));
}

/** The first transaction: puts the shipments on the manifest, and returns the attempts of its parts. */
async function begin({ account }: Context, tx: Tx, { row, messages }: ManifestPlan) {
  const ids = row.parts.flatMap(({ shipment_ids }) => shipment_ids);
  refuseUnlessOpen(await lockShipments(tx, account.account_id, ids));
  refuseMembers(await findMembers(tx, account.account_id, ids));
  await store.insertManifest(tx, row);
  return messages.map((message, part) => ({
    id: newId("att"),
    ...prepareManifest(message, { manifest_id: row.id, part, carrier: row.carrier }),
  }));
}

/**
 * 502 with the first part's message, and under `carriers` each part's. 503 where one could not be noted, and so was not
 * sent: the same may succeed soon.
 */
function notMade(manifest: store.WholeManifest, performed: readonly Performed<void>[]): ApiError {
  const refusals = performed.flatMap((ended) =>
    ended.result === "refused" ? [carrierRefusal(ended.failure, ended.error)] : [],
  );
  const unnoted = refusals.find(({ code }) => code === "unavailable");
  if (unnoted) return unnoted;
  const carriers = refusals.map(({ details }) => details);
  return new ApiError("carrier_error", {
    message: "No manifest was made; the shipments are free again.",
    details: { ...carriers[0], manifest_id: manifest.id, carriers },
    retry_after: refusals[0]?.retry_after ?? undefined,
  });
}
