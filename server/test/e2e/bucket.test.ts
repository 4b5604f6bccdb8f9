import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readConfig } from "../../src/config.ts";
import { aStore, type TestStore } from "../setup/s3.ts";
import { aShipment } from "../shipments.ts";
import { aPlatform, anAccount, type World } from "../world.ts";

/** Files in an S3-compatible store: the same calls, and links that the store itself answers. */

let folder: string;
let store: TestStore;
let world: World;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "waybill-bucket-"));
  store = await aStore(folder);
  world = await aPlatform({
    WAYBILL_S3_BUCKET: store.bucket,
    WAYBILL_S3_ENDPOINT: store.url,
    WAYBILL_S3_ACCESS_KEY_ID: store.access_key_id,
    WAYBILL_S3_SECRET_ACCESS_KEY: store.secret_access_key,
  });
});
afterAll(async () => {
  await world.close();
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

test("a label is bought into the bucket, its link is the store's own, and no file is on the local disk", async () => {
  const account = await anAccount(world);
  const { id } = await account.create(aShipment());
  const { label_url } = await account.bought(id);
  expect(label_url).toMatch(`${store.url}/${store.bucket}/${account.account_id}/`);
  const answer = await fetch(label_url!);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/pdf"]);
  expect((await answer.text()).slice(0, 5)).toBe("%PDF-");
  expect(await readdir(world.data_dir)).not.toContain("files");
});

test("a bucket without keys is refused at the start, all that is missing at once", () => {
  expect(() => readConfig({ WAYBILL_S3_BUCKET: "files" })).toThrow(
    /WAYBILL_S3_ACCESS_KEY_ID is required with WAYBILL_S3_BUCKET[^]*WAYBILL_S3_SECRET_ACCESS_KEY/,
  );
});
