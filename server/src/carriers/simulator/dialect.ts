import type { FastifyPluginAsync, FastifyReply } from "fastify";
import type { Clock } from "../../domain/time/clock.ts";
import { disturbed, type ConnectionFaults } from "./connection-faults.ts";
import type { CarrierConnection } from "../connection.ts";
import type { DialBoard, SimulatedOperation } from "./control/dials.ts";
import type { LabelBook } from "./label-book.ts";
import type { ManifestBook } from "./manifest-book.ts";
import type { PickupBook } from "./pickups/pickup-book.ts";
import type { DrawLabel } from "./print-label.ts";
import type { CarrierTariff } from "./pricing/tariff.ts";

/**
 * A carrier in its own wire format, over the simulator's books: mounted at `/dialects/<carrier>`. It stands in
 * the carrier's folder, beside the adapter that it is for.
 */
export interface Dialect {
  carrier: string;
  /** What a connection with it may have: invented, and taken like any other. */
  connection: Pick<CarrierConnection, "values" | "secrets">;
  routes(simulated: SimulatedCarrierState): FastifyPluginAsync;
}

/** The simulator's part of a carrier. */
export interface SimulatedCarrierState {
  tariff: CarrierTariff;
  labels: LabelBook;
  pickups: PickupBook;
  manifests: ManifestBook;
  seed: string;
  dials: DialBoard;
  faults: ConnectionFaults;
  clock: Clock;
  draw: DrawLabel;
}

/** Applies the carrier's dial to a call: true means that it must not be answered. Throws the dial's refusal. */
export function dialled(
  { tariff, dials, faults }: SimulatedCarrierState,
  operation: SimulatedOperation,
  reply: FastifyReply,
): Promise<boolean> {
  return disturbed({ dials, faults }, { carrier: tariff.carrier, operation }, reply);
}

/** The number of a second purchase under one reference: real carriers sell it, and the journal must show it. */
export async function freeReference(labels: LabelBook, reference: string): Promise<string> {
  let free = reference;
  for (let time = 2; await labels.peek({ reference: free }); time += 1)
    free = `${reference}~${time}`;
  return free;
}

/** A purchase is never too dear in a dialect: the carrier does not know what was expected. */
export const anyPrice = 10_000_000_000;
