import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Clock } from "../domain/time/clock.ts";
import {
  CarrierError,
  type Carrier,
  type LabelPage,
  type ListedLabel,
  type ListRequest,
} from "./carrier.ts";
import type { Dialect } from "./simulator/dialect.ts";
import type { DrawLabel } from "./simulator/print-label.ts";
import { startSimulator, type Simulator } from "./simulator/simulator.ts";

/** What tests of carriers do: start the simulator, read a whole list, expect a failure. */

const noAbort = new AbortController().signal;

/** The error of a call that must fail. */
export async function failureOf(call: Promise<unknown>): Promise<CarrierError> {
  const failure: unknown = await call.then(
    () => null,
    (error: unknown) => error,
  );
  if (failure instanceof CarrierError) return failure;
  throw new Error("the call did not fail with a CarrierError", { cause: failure });
}

/** All pages of a list, and how many there were. */
export async function listAll(carrier: Carrier, request: Omit<ListRequest, "cursor">) {
  const labels: ListedLabel[] = [];
  let cursor: string | null = null;
  let pages = 0;
  do {
    const page: LabelPage = await carrier.listLabels({ ...request, cursor }, noAbort);
    labels.push(...page.labels);
    cursor = page.next_cursor;
    pages += 1;
  } while (cursor !== null);
  return { labels, pages };
}

/** A simulator on a free port with an empty journal. */
export async function aSimulator(
  clock?: Clock,
  dialects: readonly Dialect[] = [],
  draw?: DrawLabel,
): Promise<Simulator & { journal_path: string }> {
  const journal_path = join(await mkdtemp(join(tmpdir(), "simulator-")), "journal.jsonl");
  const simulator = await startSimulator({
    host: "127.0.0.1",
    port: 0,
    journal_path,
    clock,
    dialects,
    draw,
  });
  return { ...simulator, journal_path };
}
