import { setImmediate as yieldOnce } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { assertInvariants, untilAtRest } from "../invariants.ts";
import { aRandom } from "../random.ts";
import { aPlatform, setDials, type World } from "../world.ts";
import { acts, aScene, outcome, pairs, type Pair, type Raced } from "./race-model.ts";
import { points, pointsOf } from "./race-points.ts";

/** Two concurrent acts on one shipment or one balance: one of them comes first, whatever the moment. */

let world: World;
beforeAll(async () => {
  world = await aPlatform();
});
afterEach(async () => {
  await setDials(world, {});
  await assertInvariants(world);
});
afterAll(async () => {
  await world.close();
});

const random = aRandom();

/** Runs the pair with that one of the two, 0 or 1, paused at the point. */
async function forced(pair: Pair, still: 0 | 1, point: string): Promise<Raced> {
  const scene = await aScene(world, pair);
  const call = (place: 0 | 1) => () => acts[pair.acts[place]](scene);
  const other = still === 0 ? 1 : 0;
  const [first, second] = await points[point]!.run(scene, call(still), call(other));
  return { scene, pair, replies: still === 0 ? [first, second] : [second, first] };
}

const named = pairs.map((pair) => ({ name: pair.acts.join(" ∥ "), pair }));

test.each(named)(
  "$name, each paused at every point: all that is allowed happens, and nothing else",
  async ({ pair }) => {
    const races: (Raced & { at: string })[] = [];
    for (const still of [0, 1] as const) {
      const act = pair.acts[still];
      for (const point of pointsOf(act, pair))
        races.push({ ...(await forced(pair, still, point)), at: `${act} ${point}` });
    }
    await untilAtRest(world.db);
    const seen: Record<string, string[]> = {};
    for (const { at, ...raced } of races) (seen[await outcome(raced)] ??= []).push(at);
    const lines = Object.keys(seen).sort();
    expect(lines, JSON.stringify(seen, null, 1)).toEqual(pair.allowed.toSorted());
  },
);

test.each(named)(
  `$name, at random (seed ${random.seed}): nothing but what is allowed`,
  async ({ pair }) => {
    const dial = { latency_ms: random.below(40), operations: ["purchases", "voids", "payments"] };
    await setDials(world, { "*": dial, payments: dial });
    const rounds = Array.from({ length: 10 }, () => [random.below(30), random.below(30)] as const);
    const races = await Promise.all(
      rounds.map(async (turns): Promise<Raced> => {
        const scene = await aScene(world, pair);
        const call = async (place: 0 | 1) => {
          for (let turn = 0; turn < turns[place]; turn++) await yieldOnce();
          return acts[pair.acts[place]](scene);
        };
        return { scene, pair, replies: await Promise.all([call(0), call(1)]) };
      }),
    );
    await untilAtRest(world.db);
    for (const raced of races) expect(pair.allowed).toContain(await outcome(raced));
  },
);
