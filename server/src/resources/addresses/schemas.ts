import { Type, type Static } from "typebox";
import { Address, NewAddress } from "../../domain/addresses/address.ts";
import { AddressUse } from "../../domain/addresses/address-use.ts";
import { Moment, ReadOnly } from "../../domain/values/schema.ts";

/** The request and response schemas of the address book. */

const fields = {
  label: Type.String({ minLength: 1, maxLength: 80, examples: ["Warehouse, door 4"] }),
  address: NewAddress,
  uses: Type.Array(AddressUse, {
    minItems: 1,
    uniqueItems: true,
    description: "What it is offered for.",
  }),
  is_default: Type.Boolean({
    description:
      "Whether it is the default of all its uses, which it takes from other addresses. The default of `from` is the sender of shipments that name none.",
  }),
};

export const NewBookAddress = Type.Object(
  { ...fields, is_default: Type.Optional(fields.is_default) },
  { $id: "NewBookAddress" },
);
export type NewBookAddress = Static<typeof NewBookAddress>;

export const BookAddressChanges = Type.Partial(Type.Object(fields), { $id: "BookAddressChanges" });

/** As it was read, it may be sent back. */
export const StrictBookAddressChanges = Type.Object(
  {
    ...BookAddressChanges.properties,
    ...ReadOnly("id", "default_for", "created_at", "updated_at"),
  },
  { additionalProperties: false },
);
export type StrictBookAddressChanges = Static<typeof StrictBookAddressChanges>;

export const BookAddress = Type.Object(
  {
    id: Type.String({ examples: ["adr_01k6x3v2m4f8r9t0a1b2c3d4e5"] }),
    label: Type.String(),
    address: Address,
    uses: Type.Array(AddressUse),
    is_default: Type.Boolean({ description: "Whether it is the default of any of its uses." }),
    default_for: Type.Array(AddressUse, { description: "The uses that it is the default of." }),
    created_at: Moment(),
    updated_at: Moment(),
  },
  { $id: "BookAddress" },
);
export type BookAddress = Static<typeof BookAddress>;

/** The most that a book has: people look through it. */
export const addressesMax = 1000;
