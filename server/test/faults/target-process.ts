import type { CrashPoint } from "../../src/domain/scheduling/step.ts";
import { loadProduct } from "../program.ts";
import { unlikeCatalogue } from "../unlike-catalogue.ts";
import { moveNames } from "./moving-names.ts";

/**
 * The program of `serve`, except that its parent may hold it at a crash point: that call waits there, and
 * everything else in it continues, until the parent releases it or kills it.
 */

/** Where to hold: the next pass, or every pass until `release`. */
export interface Hold {
  point: CrashPoint;
  /** Of this kind of operation only. */
  kind?: string;
  is_lasting?: boolean;
}

/** `goes_on`: from where it is held, to the new points. */
export type Order = { hold: Hold[]; goes_on?: boolean } | { release: true };
export type Word = { ready: true } | { reached: CrashPoint };

let holds: Hold[] = [];
const standing: (() => void)[] = [];
const say = (word: Word) => void process.send!(word);

process.on("message", (order: Order) => {
  if ("hold" in order) {
    holds = order.hold;
    if (!order.goes_on) return;
  } else holds = [];
  for (const go of standing.splice(0)) go();
});
// The parent that could release it is gone.
process.on("disconnect", () => process.exit(1));

async function pass(point: CrashPoint, kind: string): Promise<void> {
  const hold = holds.find((each) => each.point === point && (each.kind ?? kind) === kind);
  if (!hold) return;
  if (!hold.is_lasting) holds = holds.filter((each) => each !== hold);
  const released = new Promise<void>((resolve) => standing.push(resolve));
  say({ reached: point });
  await released;
}

moveNames();
const { main, config } = await loadProduct();
await main.startWaybill(config.readConfig(process.env), {
  api: true,
  worker: true,
  crash_points: { pass },
  carriers: unlikeCatalogue,
});
say({ ready: true });
