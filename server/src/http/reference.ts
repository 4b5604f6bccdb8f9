import { Worker } from "node:worker_threads";
import type { FastifyInstance } from "fastify";
import type { ReferenceFiles } from "./reference-thread.ts";

/**
 * `/docs`: the API reference, drawn from the served documents, with no part from another host. Its library is
 * megabytes of text, so a thread reads it at the first visit and ends.
 */
export function serveReference(app: FastifyInstance): void {
  let reading: Promise<ReferenceFiles> | undefined;
  const files = () => (reading ??= readFiles().catch(forget));
  /** One for all who read it: a copy for each would be megabytes. */
  const script = async () => {
    const { buffer, byteOffset, byteLength } = (await files()).script;
    return Buffer.from(buffer, byteOffset, byteLength);
  };
  const forget = (error: unknown) => {
    reading = undefined;
    throw error;
  };
  const options = { schema: { hide: true } };
  app.get("/docs", options, async (_request, reply) => reply.redirect("/docs/", 301));
  app.get("/docs/", options, async (_request, reply) =>
    reply.type("text/html; charset=utf-8").send((await files()).page),
  );
  app.get("/docs/js/scalar.js", options, async (_request, reply) =>
    reply.type("application/javascript; charset=utf-8").send(await script()),
  );
}

function readFiles(): Promise<ReferenceFiles> {
  const { promise, resolve, reject } = Promise.withResolvers<ReferenceFiles>();
  const worker = new Worker(new URL("./reference-thread.ts", import.meta.url));
  worker.on("message", resolve);
  worker.on("error", reject);
  worker.on("exit", () => reject(new Error("the API reference could not be read")));
  return promise;
}
