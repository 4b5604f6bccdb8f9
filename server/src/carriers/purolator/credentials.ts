import { Type } from "typebox";
import type { CarrierConnection } from "../connection.ts";

/** What a connection with Purolator needs: the account that pays, and the key of its web services. */
export const credentials = {
  values: Type.Object(
    {
      account_number: Type.String({
        pattern: "^\\d{1,10}$",
        description: "The registered account.",
      }),
      billing_account_number: Type.Optional(
        Type.String({
          pattern: "^\\d{1,10}$",
          description: "The account that is billed; the registered one when absent.",
        }),
      ),
      contact_phone: Type.Optional(
        Type.String({ maxLength: 25, description: "Of senders without a phone number." }),
      ),
    },
    { additionalProperties: false },
  ),
  secrets: Type.Object(
    {
      key: Type.String({ minLength: 1 }),
      password: Type.String({ minLength: 1 }),
      user_token: Type.Optional(
        Type.String({ minLength: 1, description: "The activation key of newer accounts." }),
      ),
    },
    { additionalProperties: false },
  ),
};

/** A connection's account, as requests use it. */
export interface Account {
  account_number: string;
  billing_account_number: string;
  contact_phone: string | null;
}

export function accountOf({ values }: Pick<CarrierConnection, "values">): Account {
  const account_number = values.account_number ?? "";
  return {
    account_number,
    billing_account_number: values.billing_account_number || account_number,
    contact_phone: values.contact_phone || null,
  };
}
