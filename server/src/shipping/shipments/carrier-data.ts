import type { CarrierData } from "../../carriers/carrier.ts";
import type { Platform } from "../../context.ts";

/** What an adapter wants back with a label or a pickup is kept with it, within this bound. */
const bytesMax = 4_096;

/** The data to store. An adapter that exceeds the bound has a bug: the label is sold, and is stored without. */
export function dataToStore(
  { log }: Pick<Platform, "log">,
  { account_id, id, party }: { account_id: string; id: string; party: string },
  data: CarrierData | null,
): CarrierData | null {
  if (data === null) return null;
  const bytes = Buffer.byteLength(JSON.stringify(data));
  if (bytes <= bytesMax) return data;
  log.error({ account_id, attempt_id: id, party, bytes }, "carrier_data.too_large");
  return null;
}
