import type { FastifyInstance } from "fastify";
import type { IncomingMessage } from "node:http";
import { ApiError } from "../domain/errors/errors.ts";

/** A header's values as they were sent: the parsed headers show one where there are two. */
export function headerValues({ rawHeaders }: IncomingMessage, name: string): string[] {
  return rawHeaders.filter(
    (_value, place) => place % 2 === 1 && rawHeaders[place - 1]!.toLowerCase() === name,
  );
}

// Node takes the first of two; what stands in front of us may have looked at the last.
const single = ["authorization", "host"];

/** Refuses what two readers could take for different callers or places: 400, before anything else is looked at. */
export function refuseRepeatedHeaders(app: FastifyInstance): void {
  app.addHook("onRequest", async ({ raw }) => {
    const repeated = single.find((name) => headerValues(raw, name).length > 1);
    if (repeated === undefined) return;
    throw new ApiError("bad_request", {
      message: `The request has more than one ${repeated} header.`,
    });
  });
}
