import { makeLabelHere, type LabelWork, type MakeLabel } from "../carriers/protocol/label-files.ts";
import { asBuffer, type Threads } from "./threads.ts";

/**
 * Fifty pictures as one PNG take most of a second of CPU time. The label is sold by then: its file has to come within the time
 * of the purchase, which is 30 seconds at UPS and USPS, and comes later otherwise.
 */
const limits = { wait_ms: 5_000, limit_ms: 18_000 };

/** Label files of what carriers send, in threads. Throws `TaskAborted` for one that takes too long. */
export function makeLabelOn(threads: Threads): MakeLabel {
  return async (account_id, work) => {
    if (isQuick(work)) return makeLabelHere(account_id, work);
    const bytes = await threads.run("carrier_label", work, { account_id, ...limits });
    return bytes && asBuffer(bytes);
  };
}

/** The usual label: its picture takes a few milliseconds of the event loop, which is less than to wait for a thread. */
function isQuick(work: LabelWork): boolean {
  return work.make === "from_pictures" && work.gifs.length === 1;
}
