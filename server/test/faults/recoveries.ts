import { sql } from "kysely";
import { pino } from "pino";
import { readConfig } from "../../src/config.ts";
import { newId } from "../../src/domain/values/ids.ts";
import { assemble } from "../../src/wiring/main.ts";
import { recoverDue } from "../../src/outbound/recovery.ts";
import type { CrashPoint } from "../../src/domain/scheduling/step.ts";
import { outboundOperations } from "../../src/wiring/worker.ts";
import type { World } from "../world.ts";

export interface Recovery {
  /** Returns how many attempts it took over. */
  recover(): Promise<number>;
  /** Resolves once it is held at its point. */
  standing: Promise<void>;
  go(): void;
}

/** The recovery of a live worker, to be held where it first passes the point. */
export function aRecovery(
  world: Pick<World, "data_dir" | "db" | "simulator_url" | "url">,
  point?: CrashPoint,
  settings: Record<string, string> = {},
): Recovery {
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const platform = assemble({
    config: readConfig({ WAYBILL_DATA_DIR: world.data_dir, ...settings }),
    log: pino({ level: "silent" }),
    secret: "a secret of forty characters for tests ab",
    db: world.db,
    simulatorUrl: world.simulator_url,
    processId: newId("prc"),
    address: { url: world.url },
    crash_points: {
      async pass(passed) {
        if (passed !== point) return;
        reached.resolve();
        await released.promise;
      },
    },
  });
  const { outbound } = platform;
  const operations = outboundOperations(platform);
  return {
    async recover() {
      await sql`INSERT INTO processes (id, role, heartbeat_at)
        VALUES (${outbound.process_id}, 'test', now() + interval '1 hour') ON CONFLICT DO NOTHING`.execute(
        world.db,
      );
      return recoverDue(outbound, operations);
    },
    standing: reached.promise,
    go: () => released.resolve(),
  };
}
