import type { IncomingHttpHeaders } from "node:http";

/**
 * What a second address line would tell the simulator, of calls that have none in the carrier's form: a price request, a
 * pickup, a manifest.
 */

const name = "x-simulator-steering";

/** A carrier is never told what was meant for the simulator. */
export function steeringHeader(base: string, words: string | null): Record<string, string> {
  const isSimulator = new URL(base).pathname.startsWith("/dialects/");
  return isSimulator && words?.startsWith("sim:") ? { [name]: words } : {};
}

/** The words of a request that the simulator received. */
export function steeringIn({ headers }: { headers: IncomingHttpHeaders }): string | null {
  const words = headers[name];
  return typeof words === "string" ? words : null;
}
