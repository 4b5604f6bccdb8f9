import { randomUUID } from "node:crypto";
import { createReadStream, type ReadStream } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import type { S3Client, S3ServiceException } from "@aws-sdk/client-s3";
import { digestBytes, measuring } from "./check-file.ts";
import { contentTypeOf } from "./content-types.ts";
import type { AppendedFiles } from "./appended.ts";
import type { FileDigest, Files } from "./files.ts";
import { presign, type Bucket } from "./presign.ts";

export interface S3Options {
  /** An S3-compatible store's address; empty is Amazon's own. */
  endpoint: string;
  bucket: string;
  region: string;
  access_key_id: string;
  secret_access_key: string;
  url_valid_minutes: number;
}

/** Files in a bucket of S3, or of a compatible store; links are the store's own. */
export function filesInS3(options: S3Options): Files {
  const valid_seconds = options.url_valid_minutes * 60;
  const bucket = bucketOf(options);
  const { bucket: Bucket } = options;
  let opening: ReturnType<typeof openClient> | undefined;
  const client = () => (opening ??= openClient(options));

  async function put(key: string, Body: Buffer | AsyncIterable<Uint8Array>, length: number) {
    const { s3, commands } = await client();
    const ContentType = contentTypeOf(key);
    await s3.send(
      new commands.PutObjectCommand({
        Bucket,
        Key: key,
        ContentType,
        ContentLength: length,
        Body: Body as Buffer,
      }),
    );
  }

  /** Null when there is no such object. */
  async function get(key: string) {
    const { s3, commands } = await client();
    try {
      return await s3.send(new commands.GetObjectCommand({ Bucket, Key: key }));
    } catch (error) {
      if ((error as Error).name === "NoSuchKey") return null;
      throw error;
    }
  }

  async function putBytes(key: string, content: Buffer): Promise<FileDigest> {
    await put(key, content, content.length);
    return digestBytes(content);
  }

  return {
    startWrite: async (key, content) => ({
      ...(await putBytes(key, content)),
      stored: Promise.resolve(),
    }),

    async write(key, content) {
      if (Buffer.isBuffer(content)) return putBytes(key, content);
      return throughFile(content, (body, length) => put(key, body, length));
    },

    async read(key) {
      const body = (await get(key))?.Body;
      return body ? Buffer.from(await body.transformToByteArray()) : null;
    },

    async open(key) {
      const found = await get(key);
      if (!found?.Body) return null;
      return { bytes: found.ContentLength ?? -1, content: found.Body as Readable };
    },

    link(key, now) {
      // The signature has whole seconds.
      const from = new Date(Math.floor(now.getTime() / 1000) * 1000);
      return {
        url: presign(bucket, key, { now: from, valid_seconds }),
        expires_at: new Date(from.getTime() + valid_seconds * 1000),
      };
    },

    served: null,
  };
}

/** S3 requires the length before the first byte: the content is written to a file first. */
async function throughFile(
  content: AsyncIterable<Uint8Array>,
  put: (body: ReadStream, length: number) => Promise<void>,
): Promise<FileDigest> {
  const scratch = join(tmpdir(), `waybill-${randomUUID()}`);
  let body: ReadStream | undefined;
  try {
    const measured = measuring(content);
    await writeFile(scratch, measured.content, { mode: 0o600 });
    const digest = measured.digest();
    body = createReadStream(scratch);
    await put(body, digest.bytes);
    return digest;
  } finally {
    // An upload that fails leaves it open.
    body?.destroy();
    await rm(scratch, { force: true });
  }
}

/** Each start writes it anew and reads it. It is left there: the keys may be of one who deletes nothing. */
const probeKey = "waybill-start";

/**
 * Throws the store's answer where it refuses to take a file or to give it back: there is no such bucket, or the keys
 * may not use it. A store that does not answer proves nothing: whether it did is returned.
 */
export async function refuseUnfitBucket(options: S3Options): Promise<{ error: unknown } | null> {
  const { s3, commands } = await openClient(options);
  const object = { Bucket: options.bucket, Key: probeKey };
  try {
    await s3.send(new commands.PutObjectCommand({ ...object, Body: Buffer.from("waybill\n") }));
    const { Body } = await s3.send(new commands.GetObjectCommand(object));
    await Body!.transformToByteArray();
    return null;
  } catch (error) {
    const { name, message, $metadata } = error as Partial<S3ServiceException>;
    const status = $metadata?.httpStatusCode ?? 0;
    if (status < 300 || status >= 500 || status === 408 || status === 429) return { error };
    throw new Error(
      `The bucket of WAYBILL_S3_BUCKET, ${options.bucket}, cannot be used: ${name} (${message}). ` +
        "It has to exist in WAYBILL_S3_REGION, and WAYBILL_S3_ACCESS_KEY_ID must be allowed to put and get its objects.",
      { cause: error },
    );
  } finally {
    s3.destroy();
  }
}

function bucketOf({ endpoint, bucket, ...rest }: S3Options): Bucket {
  const amazon = `https://${bucket}.s3.${rest.region}.amazonaws.com`;
  const url = endpoint === "" ? amazon : `${endpoint.replace(/(?<!\/)\/+$/, "")}/${bucket}`;
  return { ...rest, url };
}

/** The client is large, and only loaded where there is a bucket. */
async function openClient({ endpoint, region, access_key_id, secret_access_key }: S3Options) {
  const commands = await import("@aws-sdk/client-s3");
  const s3: S3Client = new commands.S3Client({
    region,
    credentials: { accessKeyId: access_key_id, secretAccessKey: secret_access_key },
    ...(endpoint === "" ? {} : { endpoint, forcePathStyle: true }),
    requestHandler: { connectionTimeout: 3000, socketTimeout: 10_000 },
    // Stores that are only compatible with S3 do not know its newer checksums.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
  });
  return { s3, commands };
}

/**
 * Files that only grow, below a prefix of a bucket. An object cannot grow: each part is one of its own, which is
 * whole or not there.
 */
export function appendedInS3(options: S3Options, prefix: string): AppendedFiles {
  const { bucket: Bucket } = options;
  let opening: ReturnType<typeof openClient> | undefined;
  const client = () => (opening ??= openClient(options));

  /** The names right below a folder; with a slash at their end where they are folders. */
  async function list(folder: string): Promise<string[]> {
    const { s3, commands } = await client();
    const Prefix = `${prefix}/${folder}`;
    const names: string[] = [];
    let ContinuationToken: string | undefined;
    do {
      const query = { Bucket, Prefix, Delimiter: "/", ContinuationToken };
      const page = await s3.send(new commands.ListObjectsV2Command(query));
      for (const { Prefix: name } of page.CommonPrefixes ?? []) names.push(name!);
      for (const { Key: name } of page.Contents ?? []) names.push(name!);
      ContinuationToken = page.NextContinuationToken;
    } while (ContinuationToken);
    return names.map((name) => name.slice(prefix.length + 1)).sort();
  }

  return {
    async begin(name) {
      const { s3, commands } = await client();
      let part = 0;
      return {
        async append(Body) {
          part += 1;
          const Key = `${prefix}/${name}.${String(part).padStart(8, "0")}`;
          await s3.send(new commands.PutObjectCommand({ Bucket, Key, Body }));
        },
        close: () => undefined,
      };
    },
    folders: async () => (await list("")).map((name) => name.replace("/", "")),
    names: (folder) => list(`${folder}/`),
    async read(name) {
      const { s3, commands } = await client();
      const Key = `${prefix}/${name}`;
      const { Body } = await s3.send(new commands.GetObjectCommand({ Bucket, Key }));
      return Buffer.from(await Body!.transformToByteArray());
    },
    async remove(folder) {
      const { s3, commands } = await client();
      for (const name of await list(`${folder}/`))
        await s3.send(new commands.DeleteObjectCommand({ Bucket, Key: `${prefix}/${name}` }));
    },
  };
}
