import type { Search } from "../providers/classification/search.ts";
import type { Threads } from "./threads.ts";

/** A search takes a few milliseconds; the first ones of a thread, or of a new table, wait for its index. */
const limits = { wait_ms: 20_000, limit_ms: 5_000 };

/** The built-in classifier's search, in threads. Throws `TaskAborted` for texts that take too long. */
export function searchOn(threads: Threads): (account_id: string) => Search {
  return (account_id) => (question) => threads.run("classify", question, { account_id, ...limits });
}
