import {
  withConnectionHealth,
  type ConnectionHealth,
} from "../carriers/guard/connection-health.ts";
import { carrierGuard } from "../carriers/guard/guard.ts";
import { withJournal } from "../carriers/guard/journaled.ts";
import type { JournalWriter } from "../carriers/journal-entry.ts";
import { carrierRegister, type CarrierRegister } from "../carriers/register.ts";
import type { Config } from "../config.ts";
import { countedProcesses } from "../database/health/counted-processes.ts";
import type { Database } from "../database/tables.ts";
import { writeWaitSeconds } from "../journal/write-journal.ts";
import type { Metrics } from "../metrics.ts";
import { queueSeconds } from "../outbound/outbound.ts";
import { withCallLog } from "../request-log/carrier-calls.ts";
import { knownCodes } from "../request-log/known-codes.ts";
import type { RequestLog } from "../request-log/ring.ts";
import type { Clock } from "../domain/time/clock.ts";

interface GuardParts {
  config: Config;
  metrics: Metrics;
  log: RequestLog;
  clock: Clock;
  health: ConnectionHealth;
  journal: JournalWriter;
  db: Database;
  on_lost: Parameters<typeof withJournal>[1]["on_lost"];
}

/**
 * The register's carriers, each behind a guard that keeps its faults from affecting the others; and the open
 * circuits of accounts and carriers. Each call leaves a line in the log, also one that the guard refuses.
 * What a carrier cannot list is noted before the call waits for its turn.
 */
export function guardedCarriers(
  register: CarrierRegister,
  { config, metrics, log, clock, health, journal, db, on_lost }: GuardParts,
) {
  const known = knownCodes(register);
  const guard = carrierGuard({
    quotes_max: config.carrier_quotes_max,
    purchases_max: config.carrier_purchases_max,
    calls_max: config.carrier_calls_max,
    wait_ms: queueSeconds(config) * 1000,
    circuit_failures: config.carrier_circuit_failures,
    processes: countedProcesses(db, config),
    on_circuit: (carrier, open) => metrics.carrier_circuit_open.set({ carrier }, open),
    on_refused: (carrier, operation, reason) =>
      metrics.carrier_calls_refused.inc({ carrier, operation, reason }),
  });
  const noting = { journal, clock, write_wait_ms: writeWaitSeconds(config) * 1000, on_lost };
  return {
    carriers: carrierRegister(
      register.all.map((carrier) => {
        const guarded = guard.guard(withConnectionHealth(carrier, health));
        return withJournal(withCallLog(guarded, { log, clock, known }), noting);
      }),
    ),
    openCircuits: guard.openCircuits,
  };
}
