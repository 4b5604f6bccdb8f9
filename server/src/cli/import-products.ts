import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { progressBar } from "./progress.ts";
import type { Config } from "../config.ts";
import { ApiError } from "../domain/errors/errors.ts";
import { startWaybill } from "../wiring/main.ts";
import {
  formats,
  importProducts,
  type Format,
  type ImportError,
} from "../resources/imports/service.ts";

/** `waybill import products` as an operator types it. Exits 1 when a row was left out. */

export interface ImportProductsOptions {
  account: string;
  format?: string;
  acceptDataLoss?: boolean;
}

/**
 * Imports a file of any size. Interrupted while it reads, nothing of the file is stored; interrupted later,
 * the workers of a running platform continue with it.
 */
export async function importProductsFrom(
  config: Config,
  file: string,
  { account, format, acceptDataLoss }: ImportProductsOptions,
): Promise<void> {
  const { size } = await stat(file);
  const waybill = await startWaybill(config, {
    api: false,
    worker: false,
    logs_to_stderr: true,
    is_data_loss_accepted: acceptDataLoss,
  });
  const bar = progressBar(process.stderr);
  try {
    const done = await importProducts(waybill.platform, {
      account_id: account,
      format: formatOf(file, format),
      bytes: counted(file, (read) => bar.show("Reading", read, size)),
      onProgress: ({ processed_count, row_count }) =>
        bar.show("Importing", processed_count, row_count),
      onError: (error) => {
        bar.clear();
        console.error(lineOf(error));
      },
    });
    bar.clear();
    const { created_count, updated_count, error_count } = done;
    console.log(`${created_count} added, ${updated_count} changed, ${error_count} left out.`);
    if (error_count > 0) process.exitCode = 1;
  } catch (error) {
    bar.clear();
    throw error instanceof ApiError ? new Error(`${file} ${textOf(error)}`) : error;
  } finally {
    await waybill.stop();
  }
}

/** Null leaves it to the header. */
function formatOf(file: string, word: string | undefined): Format | null {
  if (word === undefined) return file.toLowerCase().endsWith(".json") ? "json" : null;
  const format = formats.find((each) => each === word);
  if (!format) throw new Error(`--format is one of ${formats.join(", ")}.`);
  return format;
}

async function* counted(file: string, onRead: (bytes: number) => void): AsyncGenerator<Buffer> {
  let read = 0;
  for await (const piece of createReadStream(file) as AsyncIterable<Buffer>) {
    read += piece.length;
    onRead(read);
    yield piece;
  }
}

function lineOf({ row, line, sku, error }: ImportError): string {
  const place = line === null ? `row ${row}` : `line ${line}`;
  const { code, message, details = {} } = error ?? {};
  const words = code === "validation_failed" ? Object.values(details).flat() : [message];
  return `${place}${sku === null ? "" : ` (${sku})`}: ${words.join(" ")}`;
}

function textOf({ details, message }: ApiError): string {
  const texts = Object.values(details).flat();
  return texts.length > 0 ? texts.join(" ") : message;
}
