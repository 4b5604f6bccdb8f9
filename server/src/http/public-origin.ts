import type { FastifyInstance } from "fastify";
import type { Config } from "../config.ts";

/** The address that links start with: as configured, else where this process listens. */
export function publicOrigin(app: FastifyInstance, config: Config): string {
  if (config.public_url !== "") return config.public_url.replace(/\/+$/, "");
  const address = app.server.address();
  const port = typeof address === "object" && address ? address.port : config.port;
  const host = config.host.includes(":") ? `[${config.host}]` : config.host;
  return `http://${host}:${port}`;
}
