import type { Shipment } from "../client.ts";
import { aSteeredShipment, type ShipmentEntry } from "../shipments.ts";
import type { World } from "../world.ts";
import * as moments from "./moments.ts";

/**
 * The moments of a purchase that the carrier or the client's connection chooses, and how each has to end
 * when the process dies at it (decision 8). The moments between its own steps are the crash matrix's.
 */

/** One purchase under way, and the data with which a step finds its moment. */
interface Scene {
  world: World;
  shipment: Shipment;
  lock: moments.Lock;
  /** Of the label, and its calls before. */
  carrier: string;
  since: moments.Calls;
}

export interface Step {
  entry?: ShipmentEntry;
  /** Of the carrier that issues the label. */
  dial?: object;
  /** Locks the account's balance before the purchase is requested. */
  locked?: boolean;
  /** Resolves at the moment to kill at. */
  until(scene: Scene): Promise<void>;
  /** How it has to end by itself, before the client retries. */
  ends: "labelled" | "unlabelled";
}

const untilAttempted = ({ world, shipment }: Scene) =>
  moments.untilAttempted(world.db, { subject_id: shipment.id, kind: "label_purchase" });

const untilCalled = ({ world, carrier, since }: Scene, operation: string) =>
  moments.untilCalled(world, { carrier, operation, since });

export const steps: Record<string, Step> = {
  "while the carrier works, which commits after the kill": {
    dial: { latency_ms: 1500, operations: ["purchases"] },
    until: (scene) => untilCalled(scene, "purchases"),
    ends: "labelled",
  },
  "while the carrier works, which commits at the end of its horizon": {
    dial: { latency_ms: 3400, operations: ["purchases"] },
    until: (scene) => untilCalled(scene, "purchases"),
    ends: "labelled",
  },
  "after the carrier committed, before the settlement is": {
    dial: { latency_ms: 800, operations: ["purchases"] },
    async until(scene) {
      const { world, shipment, lock } = scene;
      await untilAttempted(scene);
      await lock.take();
      await moments.untilSold(world, shipment.id);
      await moments.untilBackendWaits(world.db);
    },
    ends: "labelled",
  },
  "after the settlement is committed, the answer perhaps unsent": {
    until: ({ world, shipment }) => moments.untilStatus(world.db, shipment.id, "purchased"),
    ends: "labelled",
  },
  "while a refusal is being written": {
    entry: aSteeredShipment("sim:refuse"),
    dial: { latency_ms: 800, operations: ["purchases"] },
    async until(scene) {
      const { world, lock } = scene;
      await untilAttempted(scene);
      await lock.take();
      await moments.untilBackendWaits(world.db);
    },
    ends: "unlabelled",
  },
};
