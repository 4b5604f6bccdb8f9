import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/** Where `scripts/build/dashboard.ts` puts it. */
const dist = fileURLToPath(new URL("../../../dashboard/dist", import.meta.url));

/**
 * Everything comes from this origin. Style attributes are React's; frames show labels, which are files of ours
 * or were made in the page.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "style-src-attr 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-src 'self' blob:",
  "worker-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** A person of the demo organization, as the sign-in page shows it. */
export interface DemoUser {
  email: string;
  password: string;
  role: string;
}

interface DashboardOptions {
  /** Who may be shown to a browser on this machine: the demo's people, while there is a demo. */
  demoUsers: () => DemoUser[];
  root?: string;
}

/** `/app/`: the dashboard's files, and its page for each address that is no file. `/` leads there. */
export function serveDashboard(
  app: FastifyInstance,
  { demoUsers, root = dist }: DashboardOptions,
): void {
  app.get("/", { schema: { hide: true } }, async (_request, reply) => reply.redirect("/app/"));
  app.get("/app", { schema: { hide: true } }, async (_request, reply) => reply.redirect("/app/"));
  app.register(async (scope) => {
    scope.addHook("onSend", async (_request, reply) => {
      setHeaders(reply);
    });
    // The files may be built after the start: each page is looked for when it is asked for.
    await scope.register(fastifyStatic, {
      root,
      prefix: "/app/",
      preCompressed: true,
      wildcard: false,
      serve: false,
      decorateReply: true,
    });
    const config = { compress: false } as const;
    scope.get<{ Params: { "*": string } }>(
      "/app/assets/*",
      { ...config, schema: { hide: true } },
      async (request, reply) =>
        reply.sendFile(`assets/${request.params["*"]}`, { maxAge: "365d", immutable: true }),
    );
    scope.get("/app/demo.json", { schema: { hide: true } }, async (request, reply) =>
      reply
        .header("cache-control", "no-store")
        .send({ users: isOnThisMachine(request) ? demoUsers() : [] }),
    );
    scope.get("/app/icon.svg", { ...config, schema: { hide: true } }, async (_request, reply) =>
      reply.sendFile("icon.svg", { maxAge: "1h" }),
    );
    scope.get("/app/*", { ...config, schema: { hide: true } }, async (_request, reply) => {
      if (!existsSync(`${root}/index.html`)) return beingBuilt(reply);
      return reply
        .header("cache-control", "no-cache")
        .sendFile("index.html", { cacheControl: false });
    });
  });
}

/**
 * A browser on the machine itself that asked for it by a local name: behind a proxy, every caller has a
 * local address, but the name is another.
 */
function isOnThisMachine({ socket, hostname }: FastifyRequest): boolean {
  const local = ["localhost", "127.0.0.1", "[::1]", "::1"];
  return local.includes(hostname) && /^(::ffff:)?127\.|^::1$/.test(socket.remoteAddress ?? "");
}

function setHeaders(reply: FastifyReply): void {
  void reply.headers({
    "content-security-policy": policy,
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
  });
}

/** The dashboard is built beside a server that runs already; the page asks again by itself. */
function beingBuilt(reply: FastifyReply): FastifyReply {
  return reply
    .code(503)
    .headers({ "retry-after": "2", refresh: "2", "cache-control": "no-store" })
    .type("text/html; charset=utf-8").send(`<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Waybill</title>
<p>The dashboard is being built. This page loads again by itself. / Le tableau de bord est en construction; cette page se recharge d’elle-même.
`);
}
