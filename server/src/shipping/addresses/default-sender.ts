import type { Tx } from "../../database/tables.ts";
import type { Address } from "../../domain/addresses/address.ts";
import { newId } from "../../domain/values/ids.ts";
import * as store from "./store.ts";

/**
 * The sender of shipments that name none. It is the address book's default of the use `from`; the account's row
 * has a copy of it, which these functions alone write.
 */

/** Brings the account's copy up to date after a change of the book. */
export async function syncDefaultSender(tx: Tx, accountId: string): Promise<void> {
  const row = await store.findDefaultSender(tx, accountId);
  await store.copyDefaultSender(tx, accountId, row?.address ?? null);
}

/**
 * Sets the default sender by its address: the entry that is the default gets it, or a new one. Null: there is
 * none from now on, and the entry stays in the book.
 */
export async function setDefaultSender(
  tx: Tx,
  account_id: string,
  { address, now }: { address: Address | null; now: Date },
): Promise<void> {
  await store.lockBook(tx, account_id);
  const known = await store.findDefaultSender(tx, account_id);
  if (address)
    await store.putBookAddress(tx, {
      ...(known ?? newEntry(address, now)),
      address,
      account_id,
      updated_at: now,
    });
  else if (known)
    await store.putBookAddress(tx, {
      ...known,
      default_for: known.default_for.filter((use) => use !== "from"),
      updated_at: now,
    });
  await syncDefaultSender(tx, account_id);
}

function newEntry(address: Address, now: Date): Omit<store.BookRow, "account_id"> {
  return {
    id: newId("adr", now),
    label: address.company ?? address.name ?? address.city,
    address,
    uses: ["from", "return"],
    default_for: ["from"],
    created_at: now,
    updated_at: now,
  };
}
