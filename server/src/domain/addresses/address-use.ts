import { OneOf } from "../values/schema.ts";

/** What an address of the book is offered for: as the sender, as the recipient, or for returns. */
export const addressUses = ["from", "to", "return"] as const;
export type AddressUse = (typeof addressUses)[number];
export const AddressUse = OneOf(addressUses, { $id: "AddressUse" });
