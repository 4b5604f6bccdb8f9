import { mkdtemp, open, readdir, readlink, rm, type FileHandle } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { aStore, type TestStore } from "../../../test/setup/s3.ts";
import { filesOnDisk } from "./disk.ts";
import type { Files } from "./files.ts";
import { filesInS3, refuseUnfitBucket } from "./s3.ts";

/** The promises of every store; and that a signed link opens only the file that it was signed for. */

const url_valid_minutes = 30;
const secret = "a secret of forty characters for tests ab";
let folder: string;
let store: TestStore;
let bucket: Files;
let disk: Files;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "waybill-files-"));
  const public_url = () => "http://127.0.0.1:8080";
  disk = filesOnDisk({ folder: join(folder, "disk"), secret, public_url, url_valid_minutes });
  store = await aStore(join(folder, "s3"));
  const { url: endpoint, close: _, ...keys } = store;
  bucket = filesInS3({ endpoint, region: "us-east-1", ...keys, url_valid_minutes });
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

const places: [string, () => Files][] = [
  ["in a folder", () => disk],
  ["in a bucket", () => bucket],
];

describe.each(places)("files %s", (_, files) => {
  test("are read as they were written, and replaced whole", async () => {
    const key = "acc_1/labels/ü (1).pdf";
    await files().write(key, Buffer.from("first"));
    await files().write(key, Buffer.from([0, 255, 10, 13]));
    expect(await files().read(key)).toEqual(Buffer.from([0, 255, 10, 13]));
    expect(await files().read("acc_1/labels/none.pdf")).toBeNull();
  });

  test("can be written as they are made", async () => {
    const chunk = Buffer.alloc(100_000, "a");
    await files().write("acc_1/stream.csv", repeated(chunk, 30));
    expect((await files().read("acc_1/stream.csv"))!.length).toBe(3_000_000);
  });

  test("are unchanged when new content breaks off", async () => {
    await files().write("acc_1/kept.csv", Buffer.from("whole"));
    const broken = files().write("acc_1/kept.csv", breakingOff());
    await expect(broken).rejects.toThrow("broke off");
    expect(String(await files().read("acc_1/kept.csv"))).toBe("whole");
  });
});

async function* repeated(chunk: Buffer, times: number): AsyncGenerator<Buffer> {
  for (let time = 0; time < times; time++) yield chunk;
}

async function* breakingOff(): AsyncGenerator<Buffer> {
  yield Buffer.from("ha");
  throw new Error("broke off");
}

test("content that broke off leaves nothing behind in the folder", async () => {
  await disk.write("acc_2/a.csv", Buffer.from("whole"));
  await expect(disk.write("acc_2/a.csv", breakingOff())).rejects.toThrow();
  expect(await readdir(join(folder, "disk", "acc_2"))).toEqual(["a.csv"]);
});

test("a write that a full disk refuses leaves no file and no folder open", async () => {
  await disk.write("acc_3/first.pdf", Buffer.from("makes the folder"));
  const handle = await open(folder);
  const refused = vi.spyOn(Object.getPrototypeOf(handle) as FileHandle, "writeFile");
  await handle.close();
  refused.mockRejectedValue(
    Object.assign(new Error("no space left on device"), { code: "ENOSPC" }),
  );
  try {
    const { stored } = await disk.startWrite("acc_3/second.pdf", Buffer.from("second"));
    await expect(stored).rejects.toThrow("no space left");
    await expect(disk.write("acc_3/third.pdf", Buffer.from("third"))).rejects.toThrow("no space");
  } finally {
    refused.mockRestore();
  }
  await vi.waitFor(async () => expect(await openBelow(join(folder, "disk"))).toEqual([]));
});

/** The paths below a folder that this process has open, from Linux's /proc. */
async function openBelow(path: string): Promise<string[]> {
  const names = await readdir("/proc/self/fd");
  const paths = await Promise.all(
    names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => "")),
  );
  return paths.filter((each) => each.startsWith(path));
}

test("a bucket is refused that does not exist or that the keys may not use, with the settings' names", async () => {
  const { url: endpoint, close: _, ...keys } = store;
  const options = { endpoint, region: "us-east-1", ...keys, url_valid_minutes };
  expect(await refuseUnfitBucket(options)).toBeNull();
  await expect(refuseUnfitBucket({ ...options, bucket: "none" })).rejects.toThrow(
    /WAYBILL_S3_BUCKET, none, cannot be used: NoSuchBucket/,
  );
  await expect(refuseUnfitBucket({ ...options, access_key_id: "OTHER" })).rejects.toThrow(
    "WAYBILL_S3_ACCESS_KEY_ID",
  );
});

test("a store that does not answer does not refuse its bucket", async () => {
  const { close: _, url: _url, ...keys } = store;
  const nowhere = {
    endpoint: "http://127.0.0.1:1",
    region: "us-east-1",
    ...keys,
    url_valid_minutes,
  };
  const unanswered = await refuseUnfitBucket(nowhere);
  expect(unanswered?.error).toBeDefined();
});

test("a link into a bucket opens the file, with its type, until it expires", async () => {
  const key = "acc_1/statements/it's (a) name+=.csv";
  await bucket.write(key, Buffer.from("a,b\r\n"));
  const { url, expires_at } = bucket.link(key, new Date());
  const answer = await fetch(url);
  expect([answer.status, await answer.text()]).toEqual([200, "a,b\r\n"]);
  expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(expires_at.getTime() - Date.now()).toBeGreaterThan(29 * 60_000);
  const old = bucket.link(key, new Date(Date.now() - 31 * 60_000));
  expect((await fetch(old.url)).status).toBe(403);
});

describe("a link to a file that Waybill serves", () => {
  const now = new Date("2026-11-01T04:01:00.500Z");
  const key = "acc_1/statements/stm_1/statement-2026-10.pdf";
  const linked = () => {
    const { url, expires_at } = disk.link(key, now);
    const { pathname, searchParams } = new URL(url);
    return {
      expires_at,
      link: {
        method: "GET",
        key: pathname.slice("/files/".length),
        expires: searchParams.get("expires")!,
        signature: searchParams.get("signature")!,
      },
    };
  };
  const isSigned = (link: ReturnType<typeof linked>["link"], at = now) =>
    disk.served!.isSigned(link, at);

  test("works until it expires, and not a millisecond longer", () => {
    const { link, expires_at } = linked();
    expect(expires_at.toISOString()).toBe("2026-11-01T04:31:00.000Z");
    expect(isSigned(link)).toBe(true);
    expect(isSigned(link, new Date(expires_at.getTime() - 1))).toBe(true);
    expect(isSigned(link, expires_at)).toBe(false);
  });

  test("is for GET and HEAD only", () => {
    const { link } = linked();
    const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "get", ""];
    expect(methods.filter((method) => isSigned({ ...link, method }))).toEqual(["GET", "HEAD"]);
  });

  test.each(["key", "expires", "signature"] as const)(
    "is refused when any byte of its %s is changed, missing or added",
    (part) => {
      const { link } = linked();
      const text = link[part];
      const alphabet = Array.from({ length: 95 }, (_each, place) =>
        String.fromCharCode(32 + place),
      );
      let tried = 0;
      for (let place = 0; place <= text.length; place++) {
        const [before, byte, after] = [text.slice(0, place), text[place], text.slice(place + 1)];
        const others = alphabet.filter((each) => each !== byte);
        const forged = [
          ...(byte === undefined
            ? []
            : [before + after, ...others.map((each) => before + each + after)]),
          ...alphabet.map((each) => before + each + (byte ?? "") + after),
        ];
        for (const each of forged.filter((words) => words !== text)) {
          tried += 1;
          if (isSigned({ ...link, [part]: each }))
            throw new Error(`${each} was accepted for ${text}`);
        }
      }
      expect(tried).toBeGreaterThan(text.length * 180);
    },
  );

  test("is of its own secret alone, and of a previous one while that is given", () => {
    const options = { folder, public_url: () => "", url_valid_minutes };
    const other = { ...options, secret: "another secret of forty characters, here" };
    const { link } = linked();
    expect(filesOnDisk(other).served!.isSigned(link, now)).toBe(false);
    const changed = filesOnDisk({ ...other, previous_secrets: [secret] });
    expect(changed.served!.isSigned(link, now)).toBe(true);
  });
});
