import type { Origin } from "../../domain/accounts/principal.ts";
import type { Event } from "../../events/outbox.ts";
import type { ImportRow } from "./store.ts";

/** The event of an import whose last row was handled. */
export function completedEvent(row: ImportRow, by: Origin): Event {
  const { account_id, id, status, row_count, created_count, updated_count, error_count } = row;
  if (status === "processing") throw new Error(`import ${id} is not over`);
  const counts = { row_count, created_count, updated_count, error_count };
  return {
    account_id,
    type: "import.completed",
    subject_id: id,
    data: { import_id: id, status, previous_status: "processing", ...counts },
    by,
  };
}
