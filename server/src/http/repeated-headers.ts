import type { FastifyInstance } from "fastify";
import type { IncomingMessage } from "node:http";
import { ApiError } from "../domain/errors/errors.ts";

/** A header's values as they were sent: the parsed headers show one where there are two. */
export function headerValues({ rawHeaders }: IncomingMessage, name: string): string[] {
  return rawHeaders.filter(
    (_value, place) => place % 2 === 1 && rawHeaders[place - 1]!.toLowerCase() === name,
  );
}

// Node takes the first of two; a proxy in front may have read the last.
const single = ["authorization", "host"];

/**
 * Refuses headers that two readers could take for different callers or hosts: 400, before any other
 * check.
 */
export function refuseRepeatedHeaders(app: FastifyInstance): void {
  app.addHook("onRequest", async ({ raw }) => {
    const repeated = single.find((name) => headerValues(raw, name).length > 1);
    if (repeated === undefined) return;
    throw new ApiError("bad_request", {
      message: `The request has more than one ${repeated} header.`,
    });
  });
}
