import { Type } from "typebox";
import type { CarrierConnection } from "../connection.ts";

/** What a connection with UPS needs: the shipper's number, and the client of an app at its developer site. */

export const credentials = {
  values: Type.Object(
    {
      account_number: Type.String({
        pattern: "^[0-9A-Za-z]{6}$",
        description: "The shipper number: six letters and digits.",
      }),
      account_country: Type.String({
        pattern: "^[A-Z]{2}$",
        description:
          "The country of the account, as two letters: it decides the currency of the bill.",
      }),
      negotiated_rates: Type.Optional(
        Type.Union([Type.Literal("yes"), Type.Literal("no")], {
          description: "Whether the account's own prices are asked for; yes when absent.",
        }),
      ),
    },
    { additionalProperties: false },
  ),
  secrets: Type.Object(
    { client_id: Type.String({ minLength: 1 }), client_secret: Type.String({ minLength: 1 }) },
    { additionalProperties: false },
  ),
};

/** A connection's account, as requests use it. */
export interface UpsAccount {
  number: string;
  country: string;
  asks_negotiated: boolean;
}

export function accountOf({ values }: Pick<CarrierConnection, "values">): UpsAccount {
  return {
    number: (values.account_number ?? "").toUpperCase(),
    country: values.account_country ?? "",
    asks_negotiated: values.negotiated_rates !== "no",
  };
}
