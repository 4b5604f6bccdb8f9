import { randomInt } from "node:crypto";
import { sql } from "kysely";
import { vi, expect } from "vitest";
import type { CrashPoint } from "../../src/outbound/step.ts";
import { verdictOf } from "../client-log.ts";
import { outcomeOf, type Reply } from "../client.ts";
import { assertInvariants, untilAtRest } from "../invariants.ts";
import { throughProcess } from "../world.ts";
import { aLane, leaseSeconds, type Lane } from "./crash-lane.ts";
import { stories, type Scene } from "./crash-stories.ts";

/** Which faults strike where, and what happens in one cell. */

export interface Cell {
  fault: string;
  point: CrashPoint;
  story: string;
}

export interface Ending {
  told: string;
  problems: string[];
}

/** Each leaves the platform whole again: what it kills, it starts. */
const faults: Record<string, (lane: Lane) => Promise<void>> = {
  async "the process dies"({ victim, bystander }) {
    await victim.kill();
    bystander.release();
    await victim.start();
  },
  async "the process sleeps through its lease"({ victim, bystander, db }) {
    victim.pause();
    bystander.release();
    await untilPastLease(db);
    await untilAtRest(db);
    victim.resume();
    victim.release();
  },
  async "the database dies"({ victim, bystander, cluster }) {
    await cluster.kill();
    victim.release();
    bystander.release();
    await cluster.start();
  },
  async "the connection to the database breaks"({ victim, bystander, network }) {
    network.cut();
    victim.release();
    bystander.release();
  },
  async "the carriers die"({ victim, bystander, carriers }) {
    await carriers.kill();
    victim.release();
    bystander.release();
    await carriers.start();
  },
};
const everywhere = ["the process dies", "the process sleeps through its lease"];

export function allCells(): Cell[] {
  return Object.entries(stories).flatMap(([story, { points }]) =>
    points.flatMap((point) => Object.keys(faults).map((fault) => ({ fault, point, story }))),
  );
}

const isFull = process.env["WAYBILL_CRASH_MATRIX"] === "full";
export const seed = Number(process.env["WAYBILL_CRASH_SEED"] ?? (isFull ? randomInt(1e6) : 1));

const only = process.env["WAYBILL_CRASH_CELLS"];

/** A cell as its test is called. */
export const nameOf = ({ fault, point, story }: Cell) => `${fault} ${point} of ${story}`;

export function chosenCells(): Cell[] {
  if (only) return allCells().filter((cell) => nameOf(cell).includes(only));
  if (isFull) return allCells();
  return allCells().filter(({ fault, story }, place) => {
    const { is_sampled = false } = stories[story]!;
    if (is_sampled) return (place * 7919 + seed) % 8 === 0;
    return everywhere.includes(fault) || (place * 7919 + seed) % 4 === 0;
  });
}

const laneCount = 4;

/** Strikes in every cell, some at the same time in lanes of their own. The ends never reject. */
export function runAll(cells: readonly Cell[]) {
  const ends = new Map(cells.map((cell) => [cell, Promise.withResolvers<Ending>()]));
  const waiting = [...cells];
  const work = async () => {
    let lane: Lane | null = null;
    for (let cell = waiting.shift(); cell; cell = waiting.shift()) {
      try {
        lane ??= await aLane();
        ends.get(cell)!.resolve(await strike(lane, cell));
      } catch (error) {
        ends.get(cell)!.resolve({ told: "", problems: [String(error)] });
        // What is left of the lane would spoil the next cells.
        await lane?.close().catch(() => undefined);
        lane = null;
      }
    }
    await lane?.close();
  };
  const working = Promise.all(Array.from({ length: laneCount }, work));
  return {
    ends: new Map([...ends].map(([cell, { promise }]) => [cell, promise])),
    close: () => working,
  };
}

async function strike(lane: Lane, { fault, point, story }: Cell): Promise<Ending> {
  const { begin, kind, ends } = stories[story]!;
  await untilReady(lane);
  await holdBystander(lane);
  const scene = await begin(lane);
  const here = { point, ...(kind === "*" ? {} : { kind }) };
  if (!scene.prepared) lane.victim.hold(here);
  const answer = scene.is_asked ? Promise.resolve(null) : scene.call().catch(() => null);
  if (scene.prepared) {
    await scene.prepared(answer);
    lane.victim.hold(here);
  }
  await lane.victim.untilHeld();
  await faults[fault]!(lane);
  await answer;
  await untilWhole(lane);
  scene.mend();
  const last = await untilAnswered(scene, ends);
  await untilWhole(lane);
  return { told: outcomeOf(last), problems: await otherAnswers(lane, scene, last) };
}

/** What died in the cell before, both have found again. */
function untilReady({ victim, bystander }: Lane): Promise<void> {
  return vi.waitFor(
    async () => {
      for (const { url } of [victim, bystander])
        expect((await fetch(`${url}/readyz`)).status).toBe(200);
    },
    { timeout: 30_000, interval: 50 },
  );
}

/** Nobody takes over but the victim, until the strike. */
async function holdBystander({ bystander }: Lane): Promise<void> {
  bystander.hold({ point: "before take_over", is_lasting: true });
  await bystander.untilHeld();
}

/** Thirty seconds to rest, with every invariant true; a label that came late takes as long to undo. */
function untilWhole(lane: Lane): Promise<void> {
  return vi.waitFor(() => assertInvariants(lane, 30), { timeout: 30_000, interval: 100 });
}

function untilAnswered(scene: Scene, ends: string): Promise<Reply<unknown>> {
  return vi.waitFor(
    async () => {
      const reply = await scene.call();
      if (outcomeOf(reply) !== ends) expect(verdictOf(reply)).toBe("final");
      return reply;
    },
    { timeout: 30_000, interval: 100 },
  );
}

/**
 * The other process gives the key the same answer; what is not stored (5xx) is not repeated. It may
 * have to find the database again first, and says so until then.
 */
async function otherAnswers(lane: Lane, scene: Scene, last: Reply<unknown>): Promise<string[]> {
  if (last.status >= 500) return [];
  const asked = throughProcess(lane, scene.account, lane.bystander);
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

/** Of the victim and the bystander, one is counted as dead. */
async function untilPastLease(db: Lane["db"]): Promise<void> {
  await vi.waitFor(
    async () => {
      const { rows } = await sql`SELECT FROM processes
        WHERE heartbeat_at > now() - make_interval(secs => ${leaseSeconds})`.execute(db);
      expect(rows).toHaveLength(1);
    },
    { timeout: 20_000, interval: 50 },
  );
}
