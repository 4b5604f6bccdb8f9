import { randomInt } from "node:crypto";
import { inspect } from "node:util";
import { vi, expect } from "vitest";
import type { CrashPoint } from "../../src/domain/scheduling/step.ts";
import { verdictOf } from "../client-log.ts";
import { outcomeOf, type Reply } from "../client.ts";
import { assertInvariants, untilAtRest } from "../invariants.ts";
import { throughProcess } from "../world.ts";
import { aLane, type Rig } from "./crash-rig.ts";
import { connectOnly } from "./connected-scenarios.ts";
import { scenarios, type Scene } from "./crash-scenarios.ts";
import { strikeNames, strikes, type Strike } from "./strikes.ts";

/** Which faults strike at which points, and the run of one cell. */

export interface Cell {
  fault: Strike;
  point: CrashPoint;
  scenario: string;
}

export interface Ending {
  told: string;
  problems: string[];
}

const everywhere: Strike[] = ["the process dies", "the process is paused past its lease"];

export function allCells(): Cell[] {
  return Object.entries(scenarios).flatMap(([scenario, { points }]) =>
    points.flatMap((point) => strikeNames.map((fault) => ({ fault, point, scenario }))),
  );
}

const isFull = process.env["WAYBILL_CRASH_MATRIX"] === "full";
export const seed = Number(process.env["WAYBILL_CRASH_SEED"] ?? (isFull ? randomInt(1e6) : 1));

const only = process.env["WAYBILL_CRASH_CELLS"];

/** The name of a cell's test. */
export const nameOf = ({ fault, point, scenario }: Cell) => `${fault} ${point} of ${scenario}`;

export function chosenCells(): Cell[] {
  if (only) return allCells().filter((cell) => nameOf(cell).includes(only));
  if (isFull) return allCells();
  return allCells().filter(({ fault, scenario }, place) => {
    const { is_sampled = false } = scenarios[scenario]!;
    if (is_sampled) return (place * 7919 + seed) % 8 === 0;
    return everywhere.includes(fault) || (place * 7919 + seed) % 4 === 0;
  });
}

const lanesMax = 4;
/** To make a lane takes as long as a few cells. */
const cellsPerLane = 4;

/** Strikes in every cell, some of them concurrently in lanes of their own. The ends never reject. */
export function runAll(cells: readonly Cell[]) {
  const ends = new Map(cells.map((cell) => [cell, Promise.withResolvers<Ending>()]));
  const waiting = [...cells];
  const work = async () => {
    let rig: Rig | null = null;
    for (let cell = waiting.shift(); cell; cell = waiting.shift()) {
      try {
        rig ??= await aLane();
        ends.get(cell)!.resolve(await strike(rig, cell));
      } catch (error) {
        ends.get(cell)!.resolve({ told: "", problems: [inspect(error)] });
        // The state of a failed lane would spoil the next cells.
        await rig?.close().catch(() => undefined);
        rig = null;
      }
    }
    await rig?.close();
  };
  const length = Math.min(lanesMax, Math.ceil(cells.length / cellsPerLane));
  const working = Promise.all(Array.from({ length }, work));
  return {
    ends: new Map([...ends].map(([cell, { promise }]) => [cell, promise])),
    /** Resolves when the lanes are gone; they begin no other cell, as where the run was cancelled. */
    close() {
      waiting.splice(0);
      return working;
    },
  };
}

async function strike(rig: Rig, { fault, point, scenario }: Cell): Promise<Ending> {
  const { begin, kind, ends, connected = null } = scenarios[scenario]!;
  await untilReady(rig);
  await connectOnly(rig, connected);
  await holdObserver(rig);
  const scene = await begin(rig);
  // A request may have several parts. One that is being sent while its process is paused may reach its carrier at any
  // later time: what becomes of it then has a test of its own, `e2e/late-manifests`.
  const here = { point, is_lasting: point === "before send", ...(kind === "*" ? {} : { kind }) };
  if (!scene.prepared) rig.target.hold(here);
  const answer = scene.is_asked ? Promise.resolve(null) : scene.call().catch(() => null);
  if (scene.prepared) {
    await scene.prepared(answer);
    rig.target.hold(here);
  }
  await rig.target.untilHeld().catch(async (error: unknown) => {
    rig.target.release();
    throw new Error(`its call had the outcome ${await outcomeIn(answer)}`, { cause: error });
  });
  await strikes[fault]({ ...rig, outside: rig.carriers }, () => untilAtRest(rig.db));
  await answer;
  await untilWhole(rig);
  scene.mend();
  const last = await untilAnswered(scene, ends);
  await untilWhole(rig);
  return { told: outcomeOf(last), problems: await otherAnswers(rig, scene, last) };
}

/** What a call was answered that should have led to a point and did not. */
async function outcomeIn(answer: Promise<Reply<unknown> | null>): Promise<string> {
  const reply = await answer;
  return reply ? `${outcomeOf(reply)}: ${reply.bytes.toString()}` : "that it was not answered";
}

/** Both have reconnected to what was killed in the previous cell. */
function untilReady({ target, observer }: Rig): Promise<void> {
  return vi.waitFor(
    async () => {
      for (const { url } of [target, observer])
        expect((await fetch(`${url}/readyz`)).status).toBe(200);
    },
    { timeout: 30_000, interval: 50 },
  );
}

/** Only the target takes attempts over, until the strike. */
async function holdObserver({ observer }: Rig): Promise<void> {
  observer.hold({ point: "before take_over", is_lasting: true });
  await observer.untilHeld();
}

/**
 * Thirty seconds to rest, with every invariant true; a label that was issued late takes as long to
 * reverse.
 */
function untilWhole(rig: Rig): Promise<void> {
  return vi.waitFor(() => assertInvariants(rig, 30), { timeout: 30_000, interval: 100 });
}

function untilAnswered(scene: Scene, ends: string): Promise<Reply<unknown>> {
  return vi.waitFor(
    async () => {
      const reply = await scene.call();
      if (outcomeOf(reply) !== ends)
        expect(verdictOf(reply), `${reply.status}: ${reply.bytes.toString()}`).toBe("final");
      return reply;
    },
    { timeout: 30_000, interval: 100 },
  );
}

/**
 * The other process gives the key the same response; what is not stored (5xx) is not repeated. It
 * may have to reconnect to the database first, and refuses until then.
 */
async function otherAnswers(rig: Rig, scene: Scene, last: Reply<unknown>): Promise<string[]> {
  if (last.status >= 500) return [];
  const asked = throughProcess(rig, scene.account, rig.observer);
  const other = await vi.waitFor(
    async () => {
      const reply = await scene.call(asked);
      expect(reply.status).not.toBe(503);
      return reply;
    },
    { timeout: 30_000, interval: 100 },
  );
  return other.bytes.equals(last.bytes)
    ? []
    : [`${last.bytes.toString()} is not ${other.bytes.toString()}`];
}
