import { withInput, type Input } from "./files.ts";
import { progressBar } from "./progress.ts";
import type { Config } from "../config.ts";
import { ApiError } from "../domain/errors/errors.ts";
import { startWaybill } from "../wiring/main.ts";
import { importProducts, type Format, type ImportError } from "../resources/imports/service.ts";

/** `waybill import products` as an operator types it. Exits 1 when a row was left out. */

export interface ImportProductsOptions {
  account: string;
  format?: Format;
  acceptDataLoss?: boolean;
}

/**
 * Imports a file of any size. Interrupted while it reads, nothing of the file is stored; interrupted later,
 * the workers of a running platform continue with it.
 */
export async function importProductsFrom(
  config: Config,
  file: string,
  options: ImportProductsOptions,
): Promise<void> {
  await withInput(file, (input) => importOpened(config, { file, input }, options));
}

async function importOpened(
  config: Config,
  { file, input }: { file: string; input: Input },
  { account, format, acceptDataLoss }: ImportProductsOptions,
): Promise<void> {
  const waybill = await startWaybill(config, {
    api: false,
    worker: false,
    must_exist: true,
    logs_to_stderr: true,
    is_data_loss_accepted: acceptDataLoss,
  });
  const bar = progressBar(process.stderr);
  try {
    const done = await importProducts(waybill.platform, {
      account_id: account,
      // Null leaves it to the header.
      format: format ?? (file.toLowerCase().endsWith(".json") ? "json" : null),
      bytes: counted(input, (read) => bar.show("Reading", read, input.bytes)),
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

async function* counted(input: Input, onRead: (bytes: number) => void): AsyncGenerator<Buffer> {
  let read = 0;
  for await (const piece of input.read() as AsyncIterable<Buffer>) {
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
