import type { Platform } from "../context.ts";
import { bySystem } from "../domain/accounts/principal.ts";
import { addMissingConnection } from "../resources/carrier-connections/service.ts";

/**
 * Connections of the sandbox with the carriers that have adapters, where `WAYBILL_SANDBOX_CARRIERS` is `connected`: the
 * adapters then call the simulator in their carriers' own form, as they call the carriers in production.
 */
export async function seedSandboxConnections(platform: Platform): Promise<void> {
  if (platform.config.sandbox_carriers !== "connected") return;
  // Loaded where it is needed: the simulator's side of the carriers is large.
  const { dialects } = await import("../carriers/dialects.ts");
  for (const { carrier, connection } of dialects) {
    const { name } = platform.carriers.get(carrier).descriptor;
    // Nothing is charged here: what no lookup finds is free again after the carrier's horizon, and watched.
    const unheard_policy = "release_and_watch" as const;
    const given = { carrier, environment: "test" as const, name, unheard_policy, ...connection };
    await addMissingConnection(platform, given, bySystem("seed"));
  }
}
