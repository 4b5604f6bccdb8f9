import { parentPort } from "node:worker_threads";
import reference from "@scalar/fastify-api-reference";
import { fastify } from "fastify";
import { baseOf } from "./authenticate.ts";

/** A thread that reads the files of `/docs` out of their library, and ends. */

export interface ReferenceFiles {
  page: string;
  /** UTF-8. */
  script: Uint8Array;
}

const app = fastify();
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
const page = await app.inject("/docs/");
const script = await app.inject("/docs/js/scalar.js");
const files: ReferenceFiles = { page: page.body, script: script.rawPayload };
parentPort!.postMessage(files);
