import S3rver from "@20minutes/s3rver";
import type { AddressInfo } from "node:net";

export interface TestStore {
  url: string;
  bucket: string;
  access_key_id: string;
  secret_access_key: string;
  close(): Promise<unknown>;
}

/** An S3-compatible store with one empty bucket, on a port of its own. */
export async function aStore(directory: string): Promise<TestStore> {
  const server = new S3rver({
    port: 0,
    address: "127.0.0.1",
    silent: true,
    directory,
    configureBuckets: [{ name: "files", configs: [] }],
  });
  await server.configureBuckets();
  const listening = await server.listen(0, "127.0.0.1");
  const { port } = listening.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    bucket: "files",
    // The key pair that it accepts.
    access_key_id: "S3RVER",
    secret_access_key: "S3RVER",
    close: () =>
      new Promise((resolve) => {
        listening.close(resolve);
        listening.closeAllConnections();
      }),
  };
}
