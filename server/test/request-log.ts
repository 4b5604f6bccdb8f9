import { writeLines } from "../src/request-log/store.ts";
import type { TestApi } from "./api.ts";

/** Writes the lines of all calls so far, as the process's writer would in a moment. */
export async function writeLog({ db, platform }: Pick<TestApi, "db" | "platform">): Promise<void> {
  const { request_log: ring, process_id } = platform;
  while (ring.hasMore()) {
    await writeLines(db, {
      process_id,
      lines: ring.take(1000),
      lost: ring.lost(),
      is_repeated: false,
    });
    ring.release("written");
  }
}
