import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startSimulator } from "../../src/carriers/simulator/simulator.ts";
import { aPlatform, type World } from "../world.ts";
import { frozenTracking } from "../frozen-tracking.ts";
import { aFaultyCarrier, type FaultyCarrier } from "./faulty-carrier.ts";

/** A platform whose carriers and card processor are called through a proxy that spoils responses. */
export interface FaultyWorld extends World {
  faulty: FaultyCarrier;
  /** A server that must get no requests: the target of redirects. */
  internal: { url: string; calls(): number };
}

export async function aFaultyPlatform(): Promise<FaultyWorld> {
  const folder = await mkdtemp(join(tmpdir(), "waybill-faulty-"));
  const simulator = await startSimulator({
    host: "127.0.0.1",
    port: 0,
    journal_path: join(folder, "journal.jsonl"),
    pace: frozenTracking,
  });
  const faulty = await aFaultyCarrier(simulator.url);
  let calls = 0;
  const internal = createServer((_request, response) => {
    calls += 1;
    response.end();
  });
  await once(internal.listen(0, "127.0.0.1"), "listening");
  const { port } = internal.address() as AddressInfo;
  const world = await aPlatform({}, { simulator_url: faulty.url });
  return {
    ...world,
    faulty,
    internal: { url: `http://127.0.0.1:${port}/secrets`, calls: () => calls },
    async close() {
      await world.close();
      await faulty.close();
      internal.close();
      await simulator.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
