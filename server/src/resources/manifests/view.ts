import type { Platform } from "../../context.ts";
import type { Manifest } from "./schemas.ts";
import type { PartRow, WholeManifest } from "./store.ts";

/** A manifest as the API shows it (decision 27), with fresh links. */
export function toManifest(
  { files, clock }: Pick<Platform, "files" | "clock">,
  row: WholeManifest,
): Manifest {
  const now = clock.now();
  return {
    id: row.id,
    carrier: row.carrier,
    status: row.status,
    shipment_ids: shipmentsOn(row),
    documents: row.parts.flatMap(({ documents }) =>
      documents.map(({ format, file_key }) => ({
        type: "manifest" as const,
        format,
        url: files.link(file_key, now).url,
      })),
    ),
    parts: row.parts.map(toPart),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** Those that are on it, or may be: of parts that were not made, none. */
export function shipmentsOn({ parts }: Pick<WholeManifest, "parts">): string[] {
  return parts.flatMap((part) => (part.status === "failed" ? [] : part.shipment_ids));
}

function toPart(part: PartRow): Manifest["parts"][number] {
  return {
    status: part.status,
    shipment_ids: part.shipment_ids,
    manifest_number: part.carrier_manifest_id,
    error: part.error as Manifest["parts"][number]["error"],
  };
}
