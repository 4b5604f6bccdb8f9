import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fastify, type FastifyInstance } from "fastify";
import { afterEach, beforeEach, expect, test } from "vitest";
import { serveDashboard } from "./dashboard.ts";

const demoUsers = () => [{ email: "owner@example.com", password: "secret", role: "owner" }];
let root: string;
let app: FastifyInstance;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "waybill-dashboard-"));
  app = fastify();
  serveDashboard(app, { demoUsers, root });
});
afterEach(async () => {
  await app.close();
  rmSync(root, { recursive: true });
});

function build(): void {
  mkdirSync(join(root, "assets"));
  writeFileSync(join(root, "index.html"), "<!doctype html><title>Waybill</title>");
  writeFileSync(join(root, "assets", "main-1.js"), "plain");
  writeFileSync(join(root, "assets", "main-1.js.br"), "compressed");
}

test("the root leads to the dashboard", async () => {
  expect((await app.inject("/")).headers["location"]).toBe("/app/");
  expect((await app.inject("/app")).headers["location"]).toBe("/app/");
});

test("every address of a screen has the one page, which is asked for anew each time", async () => {
  build();
  for (const path of ["/app/", "/app/sandbox/shipments", "/app/live/settings/tokens"]) {
    const page = await app.inject(path);
    expect(page.statusCode).toBe(200);
    expect(page.body).toContain("Waybill");
    expect(page.headers["cache-control"]).toBe("no-cache");
    expect(page.headers["content-security-policy"]).toMatch(
      /^default-src 'none'; script-src 'self'/,
    );
    expect(page.headers["referrer-policy"]).toBe("same-origin");
    expect(page.headers["x-content-type-options"]).toBe("nosniff");
  }
});

test("a built file goes out compressed as it is, and is kept for a year", async () => {
  build();
  const answer = await app.inject({
    url: "/app/assets/main-1.js",
    headers: { "accept-encoding": "br" },
  });
  expect(answer.headers["content-encoding"]).toBe("br");
  expect(answer.body).toBe("compressed");
  expect(answer.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
  expect((await app.inject("/app/assets/main-2.js")).statusCode).toBe(404);
});

test("before it is built the page says so, and asks again by itself", async () => {
  const page = await app.inject("/app/");
  expect(page.statusCode).toBe(503);
  expect(page.headers["refresh"]).toBe("2");
  build();
  expect((await app.inject("/app/")).statusCode).toBe(200);
});

test("the demo's passwords are shown to this machine only, by its own name", async () => {
  const ask = (host: string, remoteAddress: string) =>
    app.inject({ url: "/app/demo.json", headers: { host }, remoteAddress });
  expect((await ask("127.0.0.1:8080", "127.0.0.1")).json()).toEqual({ users: demoUsers() });
  expect((await ask("ship.example.com", "127.0.0.1")).json()).toEqual({ users: [] });
  expect((await ask("localhost:8080", "10.0.0.7")).json()).toEqual({ users: [] });
});
