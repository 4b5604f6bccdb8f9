import reference from "@scalar/fastify-api-reference";
import type { FastifyInstance } from "fastify";
import { baseOf } from "./authenticate.ts";

/** `/docs`: the API reference, drawn from the served documents, with no part from another host. */
export function serveReference(app: FastifyInstance): void {
  app.register(reference, {
    routePrefix: "/docs",
    configuration: {
      pageTitle: "Waybill API",
      sources: [
        { title: "Sandbox", slug: "sandbox", url: `${baseOf.test}/openapi.json` },
        { title: "Production", slug: "production", url: `${baseOf.live}/openapi.json` },
      ],
      // What the library would fetch from its makers' hosts, or send there.
      withDefaultFonts: false,
      telemetry: false,
      showDeveloperTools: "never",
      hideClientButton: true,
      agent: { disabled: true },
      mcp: { disabled: true },
    },
  });
}
