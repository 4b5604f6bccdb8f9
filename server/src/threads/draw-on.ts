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

/** What takes less of the event loop than to wait for a thread: two milliseconds a package, of a picture ten. */
function isQuick({ content, format }: LabelDrawing): boolean {
  const isPicture = format === "png" || format === "gif";
  return content.packages.length <= (isPicture ? 1 : quickPackagesMax);
}

const quickPackagesMax = 10;
