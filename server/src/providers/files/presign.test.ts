import { GetObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { expect, test } from "vitest";
import { presign } from "./presign.ts";

const bucket = {
  url: "https://s3.example.com:9000/files",
  region: "ca-central-1",
  access_key_id: "AKIDEXAMPLE",
  secret_access_key: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
};

test.each([
  "acc_1/labels/att_1.pdf",
  "acc_1/statements/stm_1/statement-2026-10.csv",
  "acc_1/it's (a) name!/ü *~_+&=?#%.pdf",
])("a link is the one that the store's own client signs: %s", async (key) => {
  const { region, access_key_id, secret_access_key } = bucket;
  const client = new S3Client({
    region,
    endpoint: "https://s3.example.com:9000",
    forcePathStyle: true,
    credentials: { accessKeyId: access_key_id, secretAccessKey: secret_access_key },
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
  });
  const signingDate = new Date("2026-11-01T04:01:00Z");
  const theirs = await getSignedUrl(client, new GetObjectCommand({ Bucket: "files", Key: key }), {
    signingDate,
    expiresIn: 1800,
  });
  const ours = presign(bucket, key, { now: signingDate, valid_seconds: 1800 });
  const partsOf = (url: string) => {
    const { origin, pathname, searchParams } = new URL(url);
    return [origin, pathname, [...searchParams].sort()];
  };
  expect(partsOf(ours)).toEqual(partsOf(theirs));
});
