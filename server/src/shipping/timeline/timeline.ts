import type { Context } from "../../context.ts";
import { allows } from "../../domain/accounts/scopes.ts";
import { invalid } from "../../domain/errors/errors.ts";
import type { Begun } from "../../domain/timeline/cause.ts";
import { completeSince } from "../../domain/timeline/complete-since.ts";
import { decodeCursor, encodeCursor } from "../../domain/timeline/cursor.ts";
import { beginning, type Entry, type Position } from "../../domain/timeline/entry.ts";
import { mergePage } from "../../domain/timeline/page.ts";
import type { DescriptionContext } from "../../domain/timeline/description.ts";
import type { TimelineScope } from "./scope.ts";
import type { Timeline, TimelineEntry, TimelinePage } from "./schemas.ts";
import type { Source } from "./sources.ts";

/**
 * What happened to a shipment, an order or a batch, or in a request, oldest first. Nothing is stored for it: each
 * source is read by its index from the page's start on, and their entries are merged.
 */

/** Since when the subject is there, and when lines of the logs were lost last. */
export interface Subject {
  created_at: Date;
  last_gap: Date | null;
}

const limitDefault = 100;

/** The page's start. Throws 422 at `after` for a text that is no cursor. */
export function startOf({ after }: TimelinePage): Position {
  if (after === undefined) return beginning;
  const position = decodeCursor(after);
  if (!position) throw invalid({ after: ["is not a cursor of a timeline."] });
  return position;
}

/** One page. The sources are asked one after the other, so that a timeline takes one connection. */
export async function showTimeline(
  ctx: Context,
  {
    subject,
    sources,
    query,
  }: { subject: Subject; sources: readonly Source[]; query: TimelinePage },
): Promise<Timeline> {
  const limit = query.limit ?? limitDefault;
  const after = startOf(query);
  const read: Entry[][] = [];
  for (const source of sources) read.push(await source({ after, limit: limit + 1 }));
  const { entries, next } = mergePage(read, { after, limit });
  const kept = { days: daysKept(ctx), last_gap: subject.last_gap };
  const since = completeSince(subject.created_at, kept, ctx.clock.now());
  return {
    data: entries.map((entry) => toTimelineEntry(ctx, entry)),
    meta: {
      complete_since: since?.toISOString() ?? null,
      next_cursor: next && encodeCursor(next),
    },
  };
}

/** Of all that a timeline reads and that is not kept permanently. */
function daysKept({ config }: Context): number[] {
  const { request_log_days, request_bodies_days, events_days, rule_runs_days } = config;
  return [request_log_days, request_bodies_days, events_days, rule_runs_days];
}

/** The scope of all the subjects' rows; bodies are for tokens that may read the log. */
export function scopeOf({ account, token }: Context, subjects: readonly string[]): TimelineScope {
  const with_bodies = allows(token.scopes, ["logs:read"]);
  const { account_id } = account;
  return { account_id, subjects, request: null, event_types: null, with_bodies };
}

/** What the sentences need beside the rows. */
export function descriptionContextOf(
  { carriers, account }: Context,
  begun: Begun = { batch: null, rule: null },
): DescriptionContext {
  return {
    begun,
    nameOf: (code) => carriers.find(code)?.descriptor.name ?? code,
    currency: account.currency,
  };
}

function toTimelineEntry({ base_url }: Context, entry: Entry): TimelineEntry {
  const { at, kind, title, id, request_id, cause, details, links } = entry;
  const addresses = Object.entries(links).map(([name, path]) => [name, base_url + path]);
  return {
    at: at.toISOString(),
    kind,
    title,
    id,
    request_id,
    cause,
    details,
    links: Object.fromEntries(addresses) as Record<string, string>,
  };
}
