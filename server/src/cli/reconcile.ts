import type { Config } from "../config.ts";
import { startWaybill } from "../wiring/main.ts";
import { lineOf as contradictionLine } from "../ledger/verify.ts";
import { lineOf, type Finding, type Outcome } from "../reconcile/finding.ts";
import { reconcile, type Reconciliation } from "../reconcile/reconcile.ts";
import { outboundOperations } from "../wiring/worker.ts";

/** `waybill reconcile` as an operator types it. Exits 0 only when nothing is left to do. */

export interface ReconcileOptions {
  dryRun?: boolean;
  since?: Date;
  accept?: string[];
  json?: boolean;
  acceptDataLoss?: boolean;
}

export async function reconcileNow(config: Config, options: ReconcileOptions): Promise<void> {
  const { dryRun = false, json = false } = options;
  const waybill = await startWaybill(config, {
    api: false,
    worker: false,
    must_exist: true,
    logs_to_stderr: true,
    is_data_loss_accepted: options.acceptDataLoss,
  });
  try {
    const { platform, no_timeout_db } = waybill;
    const reconciled = await reconcile(platform, outboundOperations(platform), {
      is_dry_run: dryRun,
      since: options.since ?? null,
      accepted: options.accept ?? [],
      no_timeout_db,
      report: (finding, outcome) =>
        console.log(json ? jsonOf(finding, outcome) : lineOf(finding, outcome)),
    });
    if (json) console.log(JSON.stringify(reconciled));
    else for (const sentence of endOf(reconciled, dryRun)) console.log(sentence);
    if (!reconciled.is_resolved) process.exitCode = 1;
  } finally {
    await waybill.stop();
  }
}

function jsonOf(finding: Finding, outcome: Outcome): string {
  return JSON.stringify({ ...finding, outcome });
}

function endOf(
  { since, is_resolved, contradictions }: Reconciliation,
  isDryRun: boolean,
): string[] {
  if (!since) return ["This database was not restored since it was last reconciled."];
  return [
    ...contradictions.map(contradictionLine),
    ...(isDryRun ? ["This was a dry run: nothing was changed."] : []),
    is_resolved
      ? `All that happened since ${since.toISOString()} is accounted for.`
      : "Not everything is accounted for: see above, and run this again, with --accept for what you settled by hand.",
  ];
}
