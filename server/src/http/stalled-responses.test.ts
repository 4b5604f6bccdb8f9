import { once } from "node:events";
import { connect, Socket, type AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { aToken, anAccount, testApi, type TestApi } from "../../test/api.ts";
import type { Routes } from "./routes.ts";

const size = 64 * 1024 * 1024;
const made = Promise.withResolvers<string>();
const routes: Routes = async (app) => {
  app.get("/whole", { config: { scopes: [] } }, async (_request, reply) =>
    reply.type("application/pdf").send(Buffer.alloc(size)),
  );
  app.get("/parts", { config: { scopes: [] } }, async (_request, reply) => {
    const part = Buffer.alloc(65_536);
    const parts = Readable.from(Array.from({ length: size / 65_536 }, () => part));
    return reply.type("application/pdf").send(parts);
  });
  app.get("/slow", { config: { scopes: [] } }, async () => ({ data: await made.promise }));
};
let api: TestApi;
let token: string;
beforeAll(async () => {
  // The minute passes in a moment.
  const after = Socket.prototype.setTimeout;
  vi.spyOn(Socket.prototype, "setTimeout").mockImplementation(function (this: Socket, ms, then) {
    return after.call(this, ms === 60_000 ? 100 : ms, then);
  });
  api = await testApi({ routes: [routes] });
  token = await aToken(api, await anAccount(api));
  await api.app.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(async () => {
  vi.restoreAllMocks();
  await api.close();
});

/** Asks, and reads nothing. */
async function asked(path: string): Promise<{ client: Socket; server: Socket }> {
  const accepted = once(api.app.server, "connection") as Promise<[Socket]>;
  const client = connect((api.app.server.address() as AddressInfo).port, "127.0.0.1").pause();
  onTestFinished(() => void client.destroy());
  client.on("error", () => undefined);
  const head = [`GET /sandbox/api/v5${path} HTTP/1.1`, "Host: x", `Authorization: Bearer ${token}`];
  client.write([...head, "Connection: close", "", ""].join("\r\n"));
  const [server] = await accepted;
  return { client, server };
}

test.each(["/whole", "/parts"])(
  "a client that reads nothing of the response of %s loses its connection",
  async (path) => {
    const { server } = await asked(path);
    await once(server, "close");
  },
);

test("a client that waits for a slow response receives it", async () => {
  const { client, server } = await asked("/slow");
  await once(server, "timeout");
  made.resolve("made");
  expect(await text(client)).toMatch(/^HTTP\/1.1 200 [^]*"made"/);
});
