import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { Type } from "typebox";
import { Dials, type DialBoard } from "./dials.ts";
import type { Entry, Journal } from "../journal.ts";
import type { Itineraries } from "../itineraries/itineraries.ts";

const pageSize = 1_000;

/** Up to ten years: every itinerary is over by then. */
const ClockDial = Type.Object({
  ahead_seconds: Type.Integer({ minimum: 0, maximum: 315_360_000 }),
});

/**
 * Routes for tests and operators: the journal, the dials, the clock of itineraries, how often each
 * carrier was called.
 */
export function controlRoutes(world: {
  journal: Journal;
  dials: DialBoard;
  itineraries: Itineraries;
}): FastifyPluginAsyncTypebox {
  const { journal, dials, itineraries } = world;
  return async (app) => {
    app.get("/healthz", async () => ({ status: "ok" }));

    // A cursor is the sequence of the last entry already read: 0 reads from the beginning.
    app.get(
      "/journal",
      {
        schema: {
          querystring: Type.Object({
            cursor: Type.String({ pattern: "^\\d{1,15}$", default: "0" }),
          }),
        },
      },
      async ({ query }) => {
        const entries = await journal.read(Number(query.cursor), pageSize + 1);
        const page = entries.slice(0, pageSize);
        const more = entries.length > pageSize;
        return {
          data: page.map(publicEntry),
          meta: { next_cursor: more ? String(page.at(-1)!.sequence) : null },
        };
      },
    );

    const clock = () => ({ data: { ahead_seconds: itineraries.ahead_seconds } });
    app.get("/clock", async () => clock());
    app.put("/clock", { schema: { body: ClockDial } }, async ({ body }) => {
      itineraries.ahead_seconds = body.ahead_seconds;
      return clock();
    });

    app.get("/calls", async () => ({ data: dials.calls() }));
    app.get("/requests", async () => ({ data: dials.requests() }));
    app.get("/dials", async () => ({ data: dials.get() }));
    app.put("/dials", { schema: { body: Dials } }, async ({ body }) => {
      dials.set(body);
      return { data: dials.get() };
    });
  };
}

/** The request is kept to draw the label again; an oracle has no use for it. */
function publicEntry(entry: Entry & { request?: unknown }): Entry {
  const { request: _request, ...rest } = entry;
  return rest;
}
