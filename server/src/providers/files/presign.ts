import { createHash, createHmac } from "node:crypto";

/** The access to a bucket: its address and a key pair. */
export interface Bucket {
  /** With the bucket in it: `https://files.example.com/labels` or `https://labels.s3.ca-central-1.amazonaws.com`. */
  url: string;
  region: string;
  access_key_id: string;
  secret_access_key: string;
}

/**
 * A pre-signed link to GET an object (AWS Signature Version 4, in the query). Signed here and not by the
 * store's client, because a link is made for every label of every list, and the client's signing is
 * asynchronous.
 */
export function presign(
  bucket: Bucket,
  key: string,
  { now, valid_seconds }: { now: Date; valid_seconds: number },
): string {
  const url = new URL(`${bucket.url}/${key.split("/").map(encode).join("/")}`);
  const stamp = now.toISOString().replace(/[-:]|\.\d{3}/g, "");
  const scope = `${stamp.slice(0, 8)}/${bucket.region}/s3/aws4_request`;
  const query = Object.entries({
    "X-Amz-Algorithm": "AWS4-HMAC-SHA256",
    "X-Amz-Content-Sha256": "UNSIGNED-PAYLOAD",
    "X-Amz-Credential": `${bucket.access_key_id}/${scope}`,
    "X-Amz-Date": stamp,
    "X-Amz-Expires": String(valid_seconds),
    "X-Amz-SignedHeaders": "host",
    "x-id": "GetObject",
  })
    .map(([name, value]) => `${name}=${encode(value)}`)
    .join("&");
  const request = ["GET", url.pathname, query, `host:${url.host}\n`, "host", "UNSIGNED-PAYLOAD"];
  const hash = createHash("sha256").update(request.join("\n")).digest("hex");
  const words = ["AWS4-HMAC-SHA256", stamp, scope, hash].join("\n");
  const signature = hmac(signingKey(bucket, stamp.slice(0, 8)), words).toString("hex");
  return `${url.href}?${query}&X-Amz-Signature=${signature}`;
}

function signingKey({ region, secret_access_key }: Bucket, day: string): Buffer {
  const steps = [day, region, "s3", "aws4_request"];
  return steps.reduce<Buffer>(hmac, Buffer.from(`AWS4${secret_access_key}`));
}

function hmac(key: Buffer, words: string): Buffer {
  return createHmac("sha256", key).update(words).digest();
}

/** As in RFC 3986: `encodeURIComponent` leaves five characters unencoded that S3 requires encoded. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
