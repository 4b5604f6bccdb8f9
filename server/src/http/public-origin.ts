import type { FastifyInstance } from "fastify";
import type { Config } from "../config.ts";
import { hostInUrl } from "../domain/reach/listen-host.ts";

/**
 * The address that links start with: as configured, else where this process listens. A function,
 * because with port 0 it is unknown before the server listens.
 */
export function publicOrigin(app: FastifyInstance, config: Config): () => string {
  const host = hostInUrl(config.host);
  let known = config.public_url.replace(/(?<!\/)\/+$/, "");
  return () => {
    if (known !== "") return known;
    const address = app.server.address();
    if (typeof address !== "object" || address === null) return `http://${host}:${config.port}`;
    return (known = `http://${host}:${address.port}`);
  };
}
