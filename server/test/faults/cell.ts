import type { Fault, SpoiledOperation } from "./faulty-carrier.ts";

/** One fault at one operation, and its expected end: an entry of the tables of cells. */

export interface Cell {
  name: string;
  /** The client's call. */
  scenario: "purchase" | "void" | "top_up" | "pickup" | "call_off" | "booking" | "cancel";
  carrier: string;
  spoils: Spoil[];
  /** The client's possible first responses. */
  first: string[];
  /** The final state once the fault is over, before the client tries again. */
  ends: "done" | "not_done";
}

export interface Spoil {
  operation: SpoiledOperation;
  fault: Fault;
  times?: number;
  /** How often it has to strike before it is lifted. */
  hits: number;
}

export const pending = ["409 purchase_pending"];

export function once(operation: SpoiledOperation, fault: Fault): Spoil {
  return { operation, fault, times: 1, hits: 1 };
}

export function until(operation: SpoiledOperation, fault: Fault, hits = 1): Spoil {
  return { operation, fault, hits };
}

export function entries(faults: Record<string, Fault>, except: readonly string[] = []) {
  return Object.entries(faults).filter(([name]) => !except.includes(name));
}

export const takesItsTime = ["hangs", "trickles", "responds after the connection was closed"];

/** A lookup is repeated, so most faults strike twice. */
export function lookUpHits(name: string): number {
  return takesItsTime.includes(name) ? 1 : 2;
}
