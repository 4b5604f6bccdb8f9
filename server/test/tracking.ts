import { expect, vi } from "vitest";
import type { Tracking } from "../src/resources/tracking/schemas.ts";
import { aClient, type Client, type DataOf } from "./client.ts";
import { must, type World } from "./world.ts";

export type Tracked = Tracking;

/** Sets the clock of simulated itineraries ahead of the real one. */
export async function ahead(
  { simulator_url }: Pick<World, "simulator_url">,
  ahead_seconds: number,
): Promise<void> {
  must(await aClient(simulator_url, "").put("/clock", { ahead_seconds }), 200);
}

/** Waits until the worker has polled and the condition holds. */
export async function trackingUntil(
  client: Client,
  code: string,
  isSo: (tracking: Tracked) => boolean,
): Promise<Tracked> {
  return vi.waitFor(
    async () => {
      const { data } = must(await client.get<DataOf<Tracked>>(`/tracking/${code}`), 200);
      expect(isSo(data), JSON.stringify(data)).toBe(true);
      return data;
    },
    { timeout: 15_000, interval: 50 },
  );
}
