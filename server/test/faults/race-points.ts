import type { Reply } from "../client.ts";
import { setDials } from "../world.ts";
import * as moments from "./moments.ts";
import type { Act, Pair, Scene } from "./race-model.ts";

/** The points at which the first of two acts can be paused until the second has run, or waits for it. */

type Call = () => Promise<Reply<unknown>>;

export interface Point {
  /** The acts that pass this point, by initial state. */
  of: Partial<Record<Act, readonly Pair["finds"][]>>;
  run(scene: Scene, first: Call, second: Call): Promise<[Reply<unknown>, Reply<unknown>]>;
}

// Long enough for anything that the other does meanwhile, none of which calls the same party.
const latencyMs = 250;

const operationOf = { buy: "purchases", void: "voids", top_up: "payments" };

/** Lets the second run until it has its response or waits for the first, then lets the first continue. */
async function goOn(
  { world }: Scene,
  calls: { first: Promise<Reply<unknown>>; second: Call },
  lock: moments.Lock,
): Promise<[Reply<unknown>, Reply<unknown>]> {
  const second = calls.second();
  await Promise.race([second, moments.untilBackendWaits(world.db, 2)]);
  await lock.release();
  return Promise.all([calls.first, second]);
}

function behind(lockOf: (scene: Scene) => moments.Lock): Point["run"] {
  return async (scene, first, second) => {
    const lock = lockOf(scene);
    await lock.take();
    const waiting = first();
    await moments.untilBackendWaits(scene.world.db);
    return goOn(scene, { first: waiting, second }, lock);
  };
}

/** Begins the act and returns once its call has reached its party, which is slow. */
async function untilAsked(scene: Scene, act: keyof typeof operationOf, call: Call) {
  const carrier = act === "top_up" ? "payments" : scene.carrier;
  const operation = operationOf[act];
  const since = await moments.carrierCalls(scene.world);
  await setDials(scene.world, { [carrier]: { latency_ms: latencyMs, operations: [operation] } });
  const answer = call();
  await moments.untilCalled(scene.world, { carrier, operation, since });
  await setDials(scene.world, {});
  return { answer };
}

function whileAsked(act: keyof typeof operationOf): Point["run"] {
  return async (scene, first, second) => {
    const { answer } = await untilAsked(scene, act, first);
    const other = await second();
    return [await answer, other];
  };
}

function whileSettling(act: keyof typeof operationOf): Point["run"] {
  return async (scene, first, second) => {
    const { answer } = await untilAsked(scene, act, first);
    const lock = moments.balanceLock(scene.world.database_url, scene.account.account_id);
    await lock.take();
    await moments.untilBackendWaits(scene.world.db);
    return goOn(scene, { first: answer, second }, lock);
  };
}

const any = ["draft", "labelled", "draft, unaffordable"] as const;
const unlabelled = ["draft", "draft, unaffordable"] as const;
const every = { buy: any, void: any, put: any, delete: any, top_up: any };

export const points: Record<string, Point> = {
  "not begun": {
    of: every,
    async run(_scene, first, second) {
      const other = await second();
      return [await first(), other];
    },
  },
  "about to write to its shipment": {
    of: { buy: unlabelled, void: any, put: any, delete: any },
    run: behind(({ world, shipment }) => moments.shipmentLock(world.database_url, shipment.id)),
  },
  "about to hold its money": {
    of: { buy: unlabelled },
    run: behind(({ world, account }) =>
      moments.balanceLock(world.database_url, account.account_id),
    ),
  },
  "while the carrier issues": { of: { buy: ["draft"] }, run: whileAsked("buy") },
  "while the carrier voids": {
    of: { void: ["labelled"], delete: ["labelled"] },
    run: whileAsked("void"),
  },
  "while the card is charged": { of: { top_up: any }, run: whileAsked("top_up") },
  "issued, about to be paid": { of: { buy: ["draft"] }, run: whileSettling("buy") },
  "charged, about to be credited": { of: { top_up: any }, run: whileSettling("top_up") },
  done: { of: every, run: async (_scene, first, second) => [await first(), await second()] },
};

/** The names of the points that the act passes in this pair. */
export function pointsOf(act: Act, { finds }: Pair): string[] {
  return Object.keys(points).filter((name) => points[name]!.of[act]?.includes(finds));
}
