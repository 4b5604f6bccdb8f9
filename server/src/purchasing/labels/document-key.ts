/** The purchase whose documents are stored: `id` is its reference. */
export interface DocumentsOf {
  account_id: string;
  id: string;
  shipment_id: string;
  sent_at: Date;
}

export type DocumentFolder = "labels" | "papers" | "invoices";

/**
 * How the key of a document begins: with the account, the kind, a folder for each day (UTC) of purchases, the shipment
 * and the purchase. A folder for each purchase would have to be synced, too.
 */
export function documentKey(
  { account_id, id, shipment_id, sent_at }: DocumentsOf,
  folder: DocumentFolder,
): string {
  const day = sent_at.toISOString().slice(0, 10);
  return `${account_id}/${folder}/${day}/${shipment_id}-${id}`;
}
