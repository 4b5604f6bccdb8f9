import { expect, vi } from "vitest";
import { sql } from "kysely";
import type { TestAccount } from "../world.ts";
import { takesItsTime, type Cell } from "./cell.ts";
import { chargeCells } from "./charge-cells.ts";
import { labelCells } from "./label-cells.ts";
import { scenes } from "./fault-scenes.ts";
import { otherCells } from "./other-cells.ts";
import type { Spoiled } from "./faulty-carrier.ts";
import type { FaultyWorld } from "./faulty-world.ts";

/** Runs cells: the client's responses, and the checks when the fault is over. */

export interface Ending {
  /** The client's responses: the first, and the last. */
  told: string;
  problems: string[];
}

/** Every cell. */
export function allCells(redirectTo: string): Cell[] {
  return [labelCells, chargeCells, otherCells].flatMap((make) => make(redirectTo));
}

/**
 * All work on one event loop: were they more, a call could take longer on a busy machine than its ten
 * seconds, and end as one without a response.
 */
const atOnce = 16;

/**
 * Runs every cell: those that wait for time-outs together, of the others some at the same time. Each has its
 * own promise, which never rejects.
 */
export function runAll(world: FaultyWorld, cells: readonly Cell[]): Map<string, Promise<Ending>> {
  const ends = cells.map(() => Promise.withResolvers<Ending>());
  const isWaiting = ({ name }: Cell) => takesItsTime.some((slow) => name.includes(slow));
  const places = [...cells.keys()];
  const work = async (queue: number[]) => {
    for (let place = queue.shift(); place !== undefined; place = queue.shift()) {
      ends[place]!.resolve(
        await run(world, cells[place]!, place).catch((error: unknown) => ({
          told: "",
          problems: [String(error)],
        })),
      );
    }
  };
  for (const place of places.filter((place) => isWaiting(cells[place]!))) void work([place]);
  const others = places.filter((place) => !isWaiting(cells[place]!));
  for (let worker = 0; worker < atOnce; worker += 1) void work(others);
  return new Map(cells.map(({ name }, place) => [name, ends[place]!.promise]));
}

async function run(world: FaultyWorld, cell: Cell, place: number): Promise<Ending> {
  const scene = await scenes[cell.scenario](world, cell, place);
  const spoils = cell.spoils.map(({ operation, fault, times }) =>
    world.faulty.spoil({ who: scene.who, operation }, fault, times),
  );
  const first = await scene.act();
  await untilStruck(cell, spoils);
  for (const spoiled of spoils) spoiled.lift();
  await untilAtRest(world, scene.account);
  const problems: string[] = [];
  const claim = (what: string, actual: unknown, wanted: unknown) => {
    if (JSON.stringify(actual) !== JSON.stringify(wanted))
      problems.push(`${what}: ${JSON.stringify(actual)}, not ${JSON.stringify(wanted)}`);
  };
  if (!cell.first.includes(scene.outcome(first)))
    claim("first response", scene.outcome(first), cell.first);
  claim("at rest", await scene.state(), scene.states[cell.ends]);
  const last = await scene.act();
  await untilAtRest(world, scene.account);
  const isFinal = scene.outcome(first) === "409 rate_changed";
  claim("last response", scene.outcome(last), isFinal ? "409 rate_changed" : scene.done);
  claim("at the end", await scene.state(), scene.states[isFinal ? "not_done" : "done"]);
  const again = await scene.act();
  claim("same bytes", again.bytes.equals(last.bytes), true);
  return { told: `${scene.outcome(first)}, then ${scene.outcome(last)}`, problems };
}

function untilStruck(cell: Cell, spoils: readonly Spoiled[]): Promise<void> {
  return vi.waitFor(
    () => {
      const hits = spoils.map((spoiled, place) =>
        Math.min(spoiled.hits(), cell.spoils[place]!.hits),
      );
      expect(hits).toEqual(cell.spoils.map((spoil) => spoil.hits));
    },
    { timeout: 60_000, interval: 50 },
  );
}

/** Nothing of this account is under way. */
function untilAtRest({ db }: FaultyWorld, { account_id }: TestAccount): Promise<void> {
  return vi.waitFor(
    async () => {
      const { rows } = await sql`
        SELECT status FROM attempts WHERE account_id = ${account_id} AND status IN ('sent', 'unknown', 'review')
        UNION ALL SELECT refund_status FROM shipments
        WHERE account_id = ${account_id} AND refund_status = 'pending'`.execute(db);
      expect(rows).toEqual([]);
    },
    { timeout: 60_000, interval: 100 },
  );
}
