import { carrierGuard } from "../carriers/guard/guard.ts";
import { carrierRegister, type CarrierRegister } from "../carriers/register.ts";
import type { Config } from "../config.ts";
import type { Metrics } from "../metrics.ts";
import { queueSeconds } from "../outbound/outbound.ts";

/**
 * The register's carriers, each behind a guard that keeps its faults from affecting the others; and the open
 * circuits of accounts and carriers.
 */
export function guardedCarriers(register: CarrierRegister, config: Config, metrics: Metrics) {
  const guard = carrierGuard({
    quotes_max: config.carrier_quotes_max,
    purchases_max: config.carrier_purchases_max,
    calls_max: config.carrier_calls_max,
    wait_ms: queueSeconds(config) * 1000,
    circuit_failures: config.carrier_circuit_failures,
    on_circuit: (carrier, open) => metrics.carrier_circuit_open.set({ carrier }, open),
    on_refused: (carrier, operation, reason) =>
      metrics.carrier_calls_refused.inc({ carrier, operation, reason }),
  });
  return {
    carriers: carrierRegister(register.all.map(guard.guard)),
    openCircuits: guard.openCircuits,
  };
}
