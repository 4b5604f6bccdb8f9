import { sql } from "kysely";
import type { Static } from "typebox";
import { newId } from "../src/domain/values/ids.ts";
import type { Timeline as TimelineSchema } from "../src/shipping/timeline/schemas.ts";
import { must, type TestAccount, type World } from "./world.ts";

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

/** A line of the request log about a subject, as its writer leaves it. */
export async function aLoggedRequest(
  { db }: Pick<World, "db">,
  account_id: string,
  line: {
    request_id: string;
    subject_ids: readonly string[];
    path: string;
    method?: string;
    status?: number;
    at?: Date;
    error_code?: string;
    response_body?: string;
  },
): Promise<string> {
  const { request_id, path, method = "POST", status = 200, at = new Date(), error_code } = line;
  const id = newId("req", at);
  await sql`
    INSERT INTO request_log (account_id, at, id, request_id, method, route, path, status, ms, actor, is_replay, error_code)
    VALUES (${account_id}, ${at}, ${id}, ${request_id}, ${method}, ${path}, ${path}, ${status}, 12, 'token:tok_1', false,
      ${error_code ?? null})`.execute(db);
  for (const subject_id of line.subject_ids)
    await sql`
      INSERT INTO request_subjects (account_id, at, subject_id, request_log_id)
      VALUES (${account_id}, ${at}, ${subject_id}, ${id})`.execute(db);
  if (line.response_body !== undefined)
    await sql`
      INSERT INTO request_bodies (account_id, at, id, request_body, response_body)
      VALUES (${account_id}, ${at}, ${id}, '{"service":"cheapest"}', ${line.response_body})`.execute(
      db,
    );
  return id;
}
