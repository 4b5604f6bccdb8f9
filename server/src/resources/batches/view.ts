import type { Platform } from "../../context.ts";
import { fromCents } from "../../domain/values/money.ts";
import type { Batch } from "./schemas.ts";
import type { BatchRow } from "../../shipping/batches/store.ts";

/** A row as the API shows it (decision 11), its link freshly signed. */
export function toBatch({ files, clock }: Pick<Platform, "files" | "clock">, row: BatchRow): Batch {
  const { success_count, error_count, combined_file_key: key } = row;
  return {
    id: row.id,
    name: row.name,
    status: row.status,
    shipment_ids: row.shipment_ids,
    shipment_count: row.shipment_ids.length,
    processed_count: success_count + error_count,
    success_count,
    error_count,
    total_cost: fromCents(row.total_cost_cents),
    combined_label_url: key && files.link(key, clock.now()).url,
    label_format: row.label_format,
    label_size: row.label_size,
    created_at: row.created_at.toISOString(),
    process_started_at: row.process_started_at?.toISOString() ?? null,
    processed_at: row.processed_at?.toISOString() ?? null,
  };
}

/** The batch without the ids of its shipments where the query says so; their count stays. */
export function withIds(batch: Batch, asked: "true" | "false" | undefined): Batch {
  return asked === "false" ? { ...batch, shipment_ids: [] } : batch;
}
