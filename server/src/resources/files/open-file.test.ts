import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect, type AddressInfo, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { anAccount, testApi, type TestApi } from "../../../test/api.ts";
import { newId } from "../../domain/values/ids.ts";

let api: TestApi;
let data_dir: string;
beforeAll(async () => {
  data_dir = await mkdtemp(join(tmpdir(), "waybill-served-"));
  api = await testApi({ settings: { WAYBILL_DATA_DIR: data_dir } });
  await api.app.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(async () => {
  await api.close();
  await rm(data_dir, { recursive: true, force: true });
});

/** Combined documents of so many bytes: where they are kept, and the address of their link. */
async function aFile(bytes: number): Promise<{ path: string; address: string; content: Buffer }> {
  const { account_id } = await anAccount(api);
  const id = newId("doc");
  const file_key = `${account_id}/documents/${id}.pdf`;
  const content = Buffer.alloc(bytes, id);
  const written = await api.platform.files.write(file_key, content);
  await api.db
    .insertInto("combined_documents")
    .values({ account_id, id, file_key, ...written, shipment_ids: [], created_at: new Date() })
    .execute();
  const { pathname, search } = new URL(api.platform.files.link(file_key, new Date()).url);
  return { path: join(data_dir, "files", file_key), address: pathname + search, content };
}

const mebibyte = 1024 * 1024;

test.each([
  ["a label's size", 30_000],
  ["eight mebibytes", 8 * mebibyte],
])(
  "a file of %s is sent whole, measured by HEAD, and not sent once it is damaged",
  async (_name, bytes) => {
    const { path, address, content } = await aFile(bytes);
    const sent = await api.app.inject(address);
    expect([sent.statusCode, sent.headers["content-length"]]).toEqual([200, String(bytes)]);
    expect(sent.rawPayload.equals(content)).toBe(true);
    const measured = await api.app.inject({ method: "HEAD", url: address });
    expect([measured.statusCode, measured.headers["content-length"], measured.body]).toEqual([
      ...[200, String(bytes), ""],
    ]);
    await writeFile(path, Buffer.concat([content.subarray(1), Buffer.from("x")]));
    expect((await api.app.inject(address)).statusCode).toBe(404);
  },
);

test("of a file that is sent to many who do not read it, no copies are kept in memory", async () => {
  const { address } = await aFile(8 * mebibyte);
  const { port } = api.app.server.address() as AddressInfo;
  const ask = async (): Promise<void> => {
    const socket: Socket = connect(port, "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    socket.write(`GET ${address} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await once(socket, "readable");
  };
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const keptBytes = () => {
    collect();
    return process.memoryUsage().arrayBuffers;
  };
  const before = keptBytes();
  await Promise.all(Array.from({ length: 30 }, ask));
  expect(keptBytes() - before).toBeLessThan(30 * mebibyte);
});
