import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { appendedOnDisk, type AppendedFiles } from "./appended.ts";
import { appendedInS3 } from "./s3.ts";

/** Files that only grow, on disk and in a bucket: the same calls read what was appended. */

let folder: string;
let bucket: Server;
const objects = new Map<string, Buffer>();
let url: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "waybill-appended-"));
  bucket = aBucket();
  bucket.listen(0, "127.0.0.1");
  await once(bucket, "listening");
  url = `http://127.0.0.1:${(bucket.address() as AddressInfo).port}`;
});
afterAll(async () => {
  bucket.closeAllConnections();
  bucket.close();
  await rm(folder, { recursive: true, force: true });
});

/** As much of S3 as is needed, in pages of two names: the store of the other tests cannot list. */
function aBucket(): Server {
  return createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, "http://bucket");
    const key = decodeURIComponent(pathname.split("/").slice(2).join("/"));
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      if (searchParams.has("list-type")) return response.end(listed(searchParams));
      if (request.method === "PUT") objects.set(key, Buffer.concat(chunks));
      if (request.method === "DELETE") objects.delete(key);
      response.end(request.method === "GET" ? objects.get(key) : undefined);
    });
  });
}

function listed(query: URLSearchParams): string {
  const prefix = query.get("prefix")!;
  const below = [...objects.keys()].filter((key) => key.startsWith(prefix)).sort();
  const names = [
    ...new Set(
      below.map((key) => {
        const end = key.indexOf("/", prefix.length);
        return end < 0 ? key : key.slice(0, end + 1);
      }),
    ),
  ];
  const from = Number(query.get("continuation-token") ?? 0);
  const page = names
    .slice(from, from + 2)
    .map((name) =>
      name.endsWith("/")
        ? `<CommonPrefixes><Prefix>${name}</Prefix></CommonPrefixes>`
        : `<Contents><Key>${name}</Key></Contents>`,
    );
  const isMore = from + 2 < names.length;
  const next = isMore ? `<NextContinuationToken>${from + 2}</NextContinuationToken>` : "";
  return `<?xml version="1.0"?><ListBucketResult><IsTruncated>${isMore}</IsTruncated>${next}${page.join("")}</ListBucketResult>`;
}

describe.each<[string, () => AppendedFiles]>([
  ["on disk", () => appendedOnDisk(join(folder, "journal"))],
  [
    "in a bucket",
    () =>
      appendedInS3(
        {
          endpoint: url,
          bucket: "files",
          region: "us-east-1",
          url_valid_minutes: 1,
          access_key_id: "key",
          secret_access_key: "secret",
        },
        "journal",
      ),
  ],
])("%s", (_where, open) => {
  const read = async (files: AppendedFiles, day: string) =>
    (await Promise.all((await files.names(day)).map((name) => files.read(name))))
      .map(String)
      .join("");

  test("parts are read in the order in which they were appended, by folder", async () => {
    const files = open();
    expect(await files.folders()).toEqual([]);
    expect(await files.names("2026-11-27")).toEqual([]);
    const one = await files.begin("2026-11-27/prc_1-1.jsonl");
    for (const part of ["a\n", "b\n", "c\n"]) await one.append(Buffer.from(part));
    const two = await files.begin("2026-11-28/prc_1-2.jsonl");
    await two.append(Buffer.from("d\n"));
    one.close();
    two.close();
    expect(await files.folders()).toEqual(["2026-11-27", "2026-11-28"]);
    expect(await read(files, "2026-11-27")).toBe("a\nb\nc\n");
    await files.remove("2026-11-27");
    await files.remove("2026-11-27");
    expect(await files.folders()).toEqual(["2026-11-28"]);
    expect(await read(open(), "2026-11-28")).toBe("d\n");
  });
});
