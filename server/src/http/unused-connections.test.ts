import { once } from "node:events";
import { connect, type AddressInfo, type Socket } from "node:net";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { testApi, type TestApi } from "../../test/api.ts";

let api: TestApi;
beforeAll(async () => {
  api = await testApi({
    routes: [],
    settings: { WAYBILL_HEADERS_TIMEOUT_SECONDS: "1", WAYBILL_REQUEST_TIMEOUT_SECONDS: "2" },
  });
  await api.app.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(() => api.close());

async function aConnection(): Promise<Socket> {
  const { port } = api.app.server.address() as AddressInfo;
  const socket = connect(port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  return socket;
}

test("a server that closes ends connections without a request, with a part of one, and between two", async () => {
  const silent = await aConnection();
  const partial = await aConnection();
  partial.write("GET /healthz HTTP/1.1\r\nHost: a");
  const used = await aConnection();
  used.write("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n");
  const [answer] = (await once(used, "data")) as [Buffer];
  expect(answer.toString()).toContain("200 OK");
  const begun = await aConnection();
  begun.write("POST /api/v5/shipments HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n");
  const ends = [silent, partial, used, begun].map(async (socket) => {
    socket.resume().on("error", () => undefined);
    await once(socket, "close");
  });
  await api.app.close();
  await Promise.all(ends);
}, 15_000);
