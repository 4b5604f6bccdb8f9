import { Type, type Static } from "typebox";
import { Country, Maybe, Nullable, OneOf } from "../values/schema.ts";

/** Addresses (spec 2.3, decision 5). What a field may contain beyond its length is in `address-rules.ts`. */

const TaxType = OneOf(["IOSS", "VAT", "EORI", "EIN", "GST"], { $id: "TaxType" });

const NewTaxIdentifier = Type.Object(
  {
    tax_type: TaxType,
    number: Type.String({ minLength: 1, maxLength: 50 }),
    issuing_authority: Maybe(Type.String({ maxLength: 50 })),
  },
  { $id: "NewTaxIdentifier" },
);

const TaxIdentifier = Type.Object(
  {
    // Typed more loosely than the document has it: stored values were validated before.
    tax_type: Type.Unsafe<string>(TaxType),
    number: Type.String(),
    issuing_authority: Nullable(Type.String()),
  },
  { $id: "TaxIdentifier" },
);

/** An address as clients send it. Lengths count characters, not bytes. */
export const NewAddress = Type.Object(
  {
    name: Maybe(Type.String({ maxLength: 40 })),
    company: Maybe(Type.String({ maxLength: 40 })),
    address1: Type.String({ minLength: 1, maxLength: 50 }),
    address2: Maybe(Type.String({ maxLength: 50 })),
    city: Type.String({ minLength: 1, maxLength: 35 }),
    province_code: Maybe(Type.String({ maxLength: 10 })),
    postal_code: Maybe(Type.String({ maxLength: 10 })),
    country_code: Country(),
    phone: Maybe(Type.String({ maxLength: 20 })),
    email: Maybe(Type.String({ maxLength: 50 })),
    is_residential: Maybe(
      Type.Boolean({ description: "Of freight, when absent: whether no company is named." }),
      { default: true },
    ),
    tax_identifier: Maybe(NewTaxIdentifier),
  },
  { $id: "NewAddress" },
);
export type NewAddress = Static<typeof NewAddress>;

/** An address as it is stored and returned: trimmed, codes in upper case, absent fields null. */
export const Address = Type.Object(
  {
    name: Nullable(Type.String()),
    company: Nullable(Type.String()),
    address1: Type.String(),
    address2: Nullable(Type.String()),
    city: Type.String(),
    province_code: Nullable(Type.String()),
    postal_code: Nullable(Type.String()),
    country_code: Type.String(),
    phone: Nullable(Type.String()),
    email: Nullable(Type.String()),
    is_residential: Type.Boolean(),
    tax_identifier: Nullable(TaxIdentifier),
  },
  { $id: "Address" },
);
export type Address = Static<typeof Address>;

export function isInternational(from: Address, to: Address): boolean {
  return from.country_code !== to.country_code;
}
