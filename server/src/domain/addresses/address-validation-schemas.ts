import { Type, type Static } from "typebox";
import { Address, NewAddress } from "./address.ts";
import { Maybe, Nullable, OneOf } from "../values/schema.ts";

/** The request and response of `POST /addresses/validate` (decision 18). */

const looseText = Maybe(Type.String({ maxLength: 500 }));

/** An address of any quality: nothing is required, and texts may be longer than an address allows. */
export const AddressToValidate = Type.Object(
  {
    name: looseText,
    company: looseText,
    address1: looseText,
    address2: looseText,
    city: looseText,
    province_code: looseText,
    postal_code: looseText,
    country_code: looseText,
    phone: looseText,
    email: looseText,
    is_residential: NewAddress.properties.is_residential,
    tax_identifier: NewAddress.properties.tax_identifier,
  },
  { $id: "AddressToValidate" },
);
export type AddressToValidate = Static<typeof AddressToValidate>;

/** The request: the address itself, or the address under `address`. */
export const AddressValidationRequest = Type.Object(
  { ...AddressToValidate.properties, address: Maybe(AddressToValidate) },
  { $id: "AddressValidationRequest" },
);
export type AddressValidationRequest = Static<typeof AddressValidationRequest>;

const messageCodes = [
  "postal_code_format",
  "postal_code_province_mismatch",
  "postal_code_unknown",
  "province_unknown",
  "country_unsupported",
  "city_missing",
  "street_missing",
  "street_number_missing",
  "po_box",
  "postal_code_normalized",
  "province_normalized",
  "country_normalized",
  "field_truncated",
] as const;

const Message = Type.Object(
  {
    code: OneOf(messageCodes, { $id: "AddressMessageCode" }),
    severity: OneOf(["info", "warning", "error"], { $id: "Severity" }),
    field: Type.String(),
    text: Type.String(),
  },
  { $id: "AddressMessage" },
);
export type Message = Static<typeof Message>;

const Change = Type.Object(
  {
    field: Type.String(),
    from: Nullable(Type.String()),
    to: Nullable(Type.String()),
  },
  { $id: "AddressChange" },
);
export type Change = Static<typeof Change>;

export const AddressValidation = Type.Object(
  {
    status: OneOf(["verified", "corrected", "warning", "invalid"], {
      $id: "AddressValidationStatus",
    }),
    is_valid: Type.Boolean(),
    address: Address,
    original: AddressToValidate,
    changes: Type.Array(Change),
    messages: Type.Array(Message),
  },
  { $id: "AddressValidation" },
);
export type AddressValidation = Static<typeof AddressValidation>;
