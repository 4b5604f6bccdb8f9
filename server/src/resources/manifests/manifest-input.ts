import type { ManifestRequest } from "../../carriers/capabilities.ts";
import type { Environment } from "../../database/tables.ts";
import type { Prepared } from "../../outbound/begin.ts";
import type { AskedPart } from "./store.ts";

/** The request to the carrier, without the reference. */
export type ManifestMessage = Omit<ManifestRequest, "reference">;

/** What the attempt of one part stores: its labels are those of the part's shipments. */
export interface ManifestInput {
  manifest_id: string;
  part: number;
  carrier: string;
  environment: Environment;
  look_up: { connection_id: string | null; ship_date: string };
}

export function prepareManifest(
  message: ManifestMessage,
  of: Pick<ManifestInput, "manifest_id" | "part" | "carrier">,
): Prepared<ManifestInput, ManifestMessage> {
  const { environment, connection } = message.context;
  const look_up = { connection_id: connection?.id ?? null, ship_date: message.ship_date };
  const input = { ...of, environment, look_up };
  return { subject_id: of.manifest_id, party: of.carrier, input, message };
}

/** The part that it asks for. */
export function askedPart({
  context,
  references,
  from_address,
  ship_date,
}: ManifestMessage): AskedPart {
  const { part, shipment_ids } = references;
  const connection_id = context.connection?.id ?? null;
  return { part, shipment_ids: [...shipment_ids], connection_id, from_address, ship_date };
}
