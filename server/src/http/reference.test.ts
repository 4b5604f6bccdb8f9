import { fastify } from "fastify";
import { expect, test } from "vitest";
import { serveReference } from "./reference.ts";

test("the reference is drawn from the served documents by a script of its own, and names no other host", async () => {
  const app = fastify();
  serveReference(app);
  const page = await app.inject("/docs/");
  expect(page.statusCode).toBe(200);
  expect(page.body).toContain("/sandbox/api/v5/openapi.json");
  expect(page.body).not.toMatch(/https?:\/\//);
  const [, script] = /<script src="([^"]+)"/.exec(page.body)!;
  expect((await app.inject(`/docs/${script}`)).statusCode).toBe(200);
  await app.close();
});
