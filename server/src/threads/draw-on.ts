import { drawHere, type DrawLabel, type LabelDrawing } from "../carriers/simulator/print-label.ts";
import { asBuffer, type Threads } from "./threads.ts";

/** The simulator is one owner for all accounts: its carriers take their time, as real ones do. */
const options = { account_id: "simulator", wait_ms: 60_000, limit_ms: 30_000 };

/** The simulator's labels, those that take long in threads. */
export function drawOn(threads: Threads): DrawLabel {
  return async (drawing) =>
    isQuick(drawing)
      ? drawHere(drawing)
      : asBuffer(await threads.run("simulated_label", drawing, options));
}

/** The usual label. Those of several packages are many, even where each is a file of its own. */
function isQuick({ content }: LabelDrawing): boolean {
  return content.packages.length === 1;
}
