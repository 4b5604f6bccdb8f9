import { Type } from "typebox";
import type { CarrierConnection } from "../connection.ts";

/** What a connection with Canada Post needs: the numbers of the contract, and the key of its developer program. */

export const credentials = {
  values: Type.Object(
    {
      customer_number: Type.String({ pattern: "^\\d{1,10}$", description: "Who mails." }),
      mailed_on_behalf_of: Type.Optional(
        Type.String({
          pattern: "^\\d{1,10}$",
          description: "The customer for whom it is mailed; the one who mails when absent.",
        }),
      ),
      contract_id: Type.Optional(
        Type.String({
          pattern: "^\\d{1,10}$",
          description: "Without a contract, shipments are bought one by one and not by manifest.",
        }),
      ),
      method_of_payment: Type.Optional(
        Type.Union(
          [Type.Literal("Account"), Type.Literal("CreditCard"), Type.Literal("SupplierAccount")],
          { description: "How the contract is paid; Account when absent." },
        ),
      ),
      contact_email: Type.Optional(
        Type.String({
          format: "email",
          maxLength: 60,
          description: "Who hears of refunds and pickups: Canada Post asks for an address.",
        }),
      ),
      contact_phone: Type.Optional(
        Type.String({ maxLength: 25, description: "Of senders without a phone number." }),
      ),
    },
    { additionalProperties: false },
  ),
  secrets: Type.Object(
    { username: Type.String({ minLength: 1 }), password: Type.String({ minLength: 1 }) },
    { additionalProperties: false },
  ),
};

/** A connection's contract, as requests use it. */
export interface Contract {
  customer_number: string;
  mailed_on_behalf_of: string;
  /** Null without a contract. */
  contract_id: string | null;
  method_of_payment: string;
  contact_email: string | null;
  contact_phone: string | null;
}

export function contractOf({ values }: Pick<CarrierConnection, "values">): Contract {
  const customer_number = values.customer_number ?? "";
  return {
    customer_number,
    mailed_on_behalf_of: values.mailed_on_behalf_of || customer_number,
    contract_id: values.contract_id || null,
    method_of_payment: values.method_of_payment || "Account",
    contact_email: values.contact_email || null,
    contact_phone: values.contact_phone || null,
  };
}
