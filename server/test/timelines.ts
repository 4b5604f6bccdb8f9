import type { Static } from "typebox";
import { expect, vi } from "vitest";
import type { Timeline as TimelineSchema } from "../src/shipping/timeline/schemas.ts";
import type { ListOf } from "./client.ts";
import { must, type TestAccount } from "./world.ts";

/** Timelines as a client reads them. */

export type Timeline = Static<typeof TimelineSchema>;
export type TimelineEntry = Timeline["data"][number];

/** The first page of the timeline of what has that path. */
export async function timelineOf(
  account: TestAccount,
  path: string,
  query = "",
): Promise<Timeline> {
  return must(await account.get<Timeline>(`${path}/timeline${query}`), 200);
}

/** All of it, in pages of that size. */
export async function wholeTimeline(
  account: TestAccount,
  path: string,
  limit: number,
): Promise<TimelineEntry[]> {
  const all: TimelineEntry[] = [];
  for (let after = ""; ;) {
    const { data, meta } = await timelineOf(account, path, `?limit=${limit}${after}`);
    all.push(...data);
    if (meta.next_cursor === null) return all;
    after = `&after=${meta.next_cursor}`;
  }
}

/** The titles of entries of some kinds, in order. */
export function titlesOf(entries: readonly TimelineEntry[], ...kinds: string[]): string[] {
  return entries
    .filter(({ kind }) => kinds.length === 0 || kinds.includes(kind))
    .map(({ title }) => title);
}

/** Waits until the log, which no request waits for, has the request; the id of its line. */
export async function untilLogged(account: TestAccount, request_id: string): Promise<string> {
  return vi.waitFor(
    async () => {
      const path = `/requests?request_id=${encodeURIComponent(request_id)}`;
      const { data } = must(await account.get<ListOf<{ id: string }>>(path), 200);
      expect(data.length).toBeGreaterThan(0);
      return data[0]!.id;
    },
    { timeout: 15_000, interval: 50 },
  );
}
