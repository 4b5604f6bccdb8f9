import type { Platform } from "../context.ts";
import { sweepIdempotencyKeys } from "../http/idempotency-claims.ts";
import { sweepSessions } from "../http/session-store.ts";
import { readSchedule } from "../domain/events/retry-schedule.ts";
import type { DispatchContext } from "../events/webhooks/dispatch-context.ts";
import { webhookDispatch } from "../events/webhooks/dispatch.ts";
import { secretsInForce, sweepSecrets } from "../events/webhooks/secrets.ts";
import type { Loop } from "../jobs/loops.ts";
import type { AnyOperation } from "../outbound/operation.ts";
import { recovery } from "../outbound/recovery.ts";
import { chargeCheck } from "../reconcile/charge-check.ts";
import { compareCharges } from "../reconcile/compare-charges.ts";
import { orphanChargeRefund, orphanLabelVoid, orphanPickupCancel } from "../reconcile/orphans.ts";
import { countReviews } from "../resources/admin/service.ts";
import { statementLoops } from "../resources/billing/service.ts";
import { batchLoops } from "../resources/batches/loops.ts";
import { rechargeLoop, topUp } from "../resources/credits/service.ts";
import { importLoops } from "../resources/imports/service.ts";
import { bookingCancel } from "../resources/ltl/service.ts";
import { labelFlaw } from "../purchasing/labels/flawed-label.ts";
import { labelPurchase } from "../purchasing/labels/label-purchase.ts";
import { labelFile } from "../purchasing/labels/missing-file.ts";
import { pendingFileLanes } from "../purchasing/labels/pending-files.ts";
import { emptyPickupLanes, pickupBooking, pickupCancel } from "../resources/pickups/operations.ts";
import { manifestCreation } from "../resources/manifests/service.ts";
import { sweepQuotes } from "../purchasing/quotes/store.ts";
import { ruleLoops } from "../resources/rules/loops.ts";
import { refundLanes } from "../shipping/shipments/refunds.ts";
import { labelVoid } from "../resources/shipments/service.ts";
import { feedLoops } from "./feed-loops.ts";
import { trackingLoops } from "../resources/tracking/poll.ts";
import { logUpkeepLoops } from "./log-upkeep.ts";

/** Every kind of outside effect, for recovery and reviews. */
export function outboundOperations(platform: Platform): AnyOperation[] {
  return [
    labelPurchase(platform),
    labelVoid(platform),
    bookingCancel(platform),
    topUp(platform),
    pickupBooking(platform),
    pickupCancel(platform),
    manifestCreation(platform),
    orphanLabelVoid(platform),
    orphanPickupCancel(platform),
    orphanChargeRefund(platform),
    chargeCheck(),
    labelFlaw(),
    labelFile(platform),
  ];
}

/** Everything that runs without a request. Each loop may run in any number of workers at once. */
export function workerLoops(platform: Platform): Loop[] {
  const { outbound } = platform;
  const operations = outboundOperations(platform);
  return [
    {
      name: "outbound.recover",
      every_ms: 1000,
      // Other processes' attempts, whose money is held until it is known what became of them.
      is_restless: true,
      run: recovery(outbound, operations),
    },
    ...feedLoops(platform),
    ...batchLoops(platform),
    ...ruleLoops(platform),
    {
      name: "labels.fetch_files",
      every_ms: 1000,
      run: pendingFileLanes(platform),
    },
    {
      name: "refunds.resolve",
      every_ms: 1000,
      run: refundLanes(platform),
    },
    ...trackingLoops(platform),
    ...importLoops(platform),
    rechargeLoop(platform),
    ...statementLoops(platform),
    {
      name: "webhooks.dispatch",
      every_ms: 200,
      run: webhookDispatch(dispatchContext(platform)),
    },
    {
      name: "pickups.call_off",
      every_ms: 1000,
      run: emptyPickupLanes(platform),
    },
    {
      name: "charges.compare",
      every_ms: 86_400_000,
      run: async () => {
        await compareCharges(platform);
        return false;
      },
    },
    {
      name: "reviews.count",
      every_ms: 2000,
      run: async () => {
        await countReviews(platform);
        return false;
      },
    },
    ...logUpkeepLoops(platform),
    ...sweeps(platform),
  ];
}

/** What deletes rows and files whose time is over, once an hour. */
function sweeps({ db, clock, config, journal }: Platform): Loop[] {
  const hourly = (name: string, sweep: () => Promise<unknown>): Loop => ({
    name,
    every_ms: 3_600_000,
    run: async () => {
      await sweep();
      return false;
    },
  });
  return [
    hourly("quotes.sweep", () => sweepQuotes(db, clock.now())),
    hourly("sessions.sweep", () => sweepSessions(db, clock.now())),
    hourly("webhooks.sweep", () => sweepSecrets(db, clock.now())),
    hourly("journal.sweep", () => journal.prune()),
    hourly("idempotency.sweep", () => sweepIdempotencyKeys(db, config.idempotency_window_hours)),
  ];
}

function dispatchContext(platform: Platform): DispatchContext {
  const { db, log, clock, process_id, config, metrics, outbound } = platform;
  return {
    db,
    log,
    clock,
    process_id,
    lease_seconds: config.lease_seconds,
    schedule: readSchedule(config.webhook_schedule),
    post: (call) => platform.public_caller.post(call),
    secretsOf: (account_id, webhook_ids) =>
      secretsInForce(db, platform.sealer, { account_id, webhook_ids, now: clock.now() }),
    metrics,
    ...(outbound.crash_points ? { crash_points: outbound.crash_points } : {}),
  };
}
