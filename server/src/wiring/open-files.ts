import { join, resolve } from "node:path";
import type { Logger } from "pino";
import type { Config } from "../config.ts";
import { appendedOnDisk, type AppendedFiles } from "../providers/files/appended.ts";
import { filesOnDisk } from "../providers/files/disk.ts";
import type { Files } from "../providers/files/files.ts";
import {
  appendedInS3,
  filesInS3,
  refuseUnfitBucket,
  type S3Options,
} from "../providers/files/s3.ts";

/** The location of the files, as text for the operator. */
export function locationOfFiles(config: Config): string {
  return config.s3_bucket === "" ? filesFolder(config) : `the bucket ${config.s3_bucket}`;
}

function filesFolder(config: Config): string {
  return join(resolve(config.data_dir), "files");
}

/** The file store of the settings: in the data directory, or in a bucket. */
export function openFiles(
  config: Config,
  signing: { secret: string; previous_secrets?: readonly string[]; public_url: () => string },
): Files {
  const { url_valid_minutes } = config;
  if (config.s3_bucket === "")
    return filesOnDisk({ folder: filesFolder(config), url_valid_minutes, ...signing });
  return filesInS3(bucketOf(config));
}

/** Where effects are noted that carriers cannot list: beside the files, and in no backup. */
export function openJournalFiles(config: Config): AppendedFiles {
  if (config.s3_bucket === "") return appendedOnDisk(join(resolve(config.data_dir), "journal"));
  return appendedInS3(bucketOf(config), "journal");
}

/** Refuses a bucket that its store refuses. Where the store does not answer, files fail until it does. */
export async function refuseUnfitFiles(config: Config, log: Logger): Promise<void> {
  if (config.s3_bucket === "") return;
  const unanswered = await refuseUnfitBucket(bucketOf(config));
  if (unanswered)
    log.error({ err: unanswered.error, bucket: config.s3_bucket }, "bucket.unavailable");
}

function bucketOf(config: Config): S3Options {
  return {
    endpoint: config.s3_endpoint,
    bucket: config.s3_bucket,
    region: config.s3_region,
    access_key_id: config.s3_access_key_id,
    secret_access_key: config.s3_secret_access_key,
    url_valid_minutes: config.url_valid_minutes,
  };
}
