import { vi } from "vitest";
import type { Batch, BatchError } from "../src/resources/batches/schemas.ts";
import type { DataOf, ListOf, Reply, Row } from "./client.ts";
import type { FreightEntry } from "./freight-shipments.ts";
import type { ShipmentEntry } from "./shipments.ts";
import { must, type TestAccount } from "./world.ts";

/** Creating and polling batches as an integrator does. */

export type { Batch, BatchError };

/** Creates any number of shipments, all of which must succeed; their ids in order. */
export async function createMany(
  account: TestAccount,
  entries: readonly (ShipmentEntry | FreightEntry)[],
): Promise<string[]> {
  const ids: string[] = [];
  for (let first = 0; first < entries.length; first += 500) {
    const reply = await account.post<DataOf<Row[]>>(
      "/shipments",
      entries.slice(first, first + 500),
    );
    for (const row of must(reply, 201).data) {
      if (row.status !== "created") throw new Error(JSON.stringify(row));
      ids.push(row.data.id);
    }
  }
  return ids;
}

export async function createBatch(
  account: TestAccount,
  shipment_ids: readonly string[],
  name = "Friday's orders",
): Promise<Batch> {
  return must(await account.post<DataOf<Batch>>("/batches", { name, shipment_ids }), 201).data;
}

export function processBatch(
  account: TestAccount,
  id: string,
  body: object = { service: "cheapest" },
  headers?: Record<string, string>,
): Promise<Reply<DataOf<Batch>>> {
  return account.post(`/batches/${id}/process`, body, headers);
}

export async function showBatch(account: TestAccount, id: string): Promise<Batch> {
  return must(await account.get<DataOf<Batch>>(`/batches/${id}`), 200).data;
}

/** Polls until the batch is not processing any more, and returns every response on the way. */
export async function untilProcessed(
  account: TestAccount,
  id: string,
  { seen = [], timeout = 30_000 }: { seen?: Batch[]; timeout?: number } = {},
): Promise<Batch> {
  return vi.waitFor(
    async () => {
      const batch = await showBatch(account, id);
      seen.push(batch);
      if (batch.status === "processing")
        throw new Error(`still processing: ${batch.processed_count} of ${batch.shipment_count}`);
      return batch;
    },
    { timeout, interval: 20 },
  );
}

/** Creates, processes, and waits for the end. */
export async function processed(
  account: TestAccount,
  shipment_ids: readonly string[],
  body?: object,
): Promise<Batch> {
  const { id } = await createBatch(account, shipment_ids);
  must(await processBatch(account, id, body), 202);
  return untilProcessed(account, id);
}

/** All pages of the batch's errors, by shipment. */
export async function errorsOf(account: TestAccount, id: string): Promise<Map<string, BatchError>> {
  const errors = new Map<string, BatchError>();
  let next: string | null = `/batches/${id}/errors?per_page=100`;
  while (next !== null) {
    const page: ListOf<BatchError> = must(await account.get<ListOf<BatchError>>(next), 200);
    for (const error of page.data) errors.set(error.shipment_id, error);
    next = page.links.next;
  }
  return errors;
}

/** The account's batches of that name, newest first. */
export async function batchNamed(account: TestAccount, name: string): Promise<Batch[]> {
  const all = must(await account.get<ListOf<Batch>>("/batches?per_page=100"), 200).data;
  return all.filter((batch) => batch.name === name);
}
