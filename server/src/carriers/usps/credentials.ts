import { Type } from "typebox";
import type { CarrierConnection } from "../connection.ts";

/** What a connection with USPS needs: the numbers of the mailer and of its account, and the client of an app. */

const mid = "^(\\d{6}|\\d{9})$";

export const credentials = {
  values: Type.Object(
    {
      crid: Type.String({ pattern: "^\\d{1,15}$", description: "The customer registration id." }),
      mid: Type.String({ pattern: mid, description: "The mailer id that owns the labels." }),
      manifest_mid: Type.Optional(
        Type.String({
          pattern: mid,
          description: "The mailer id of manifests; the other when absent.",
        }),
      ),
      account_type: Type.Optional(
        Type.Union([Type.Literal("EPS"), Type.Literal("PERMIT")], {
          description: "What pays: an enterprise payment account (EPS, when absent) or a permit.",
        }),
      ),
      account_number: Type.String({ pattern: "^\\d{1,20}$", description: "Of what pays." }),
      permit_zip: Type.Optional(
        Type.String({ pattern: "^\\d{5}$", description: "Where the permit is held." }),
      ),
      price_type: Type.Optional(
        Type.Union([Type.Literal("COMMERCIAL"), Type.Literal("CONTRACT"), Type.Literal("RETAIL")], {
          description: "Which prices are asked for; COMMERCIAL when absent.",
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
export interface UspsAccount {
  crid: string;
  mid: string;
  manifest_mid: string;
  account_type: string;
  account_number: string;
  permit_zip: string | null;
  price_type: string;
}

export function accountOf({ values }: Pick<CarrierConnection, "values">): UspsAccount {
  const own = values.mid ?? "";
  return {
    crid: values.crid ?? "",
    mid: own,
    manifest_mid: values.manifest_mid || own,
    account_type: values.account_type || "EPS",
    account_number: values.account_number ?? "",
    permit_zip: values.permit_zip || null,
    price_type: values.price_type || "COMMERCIAL",
  };
}

/** Who pays and who owns the labels: the roles without which nothing is bought. */
export function toPaymentAuthorization(account: UspsAccount): object {
  const { crid: CRID, mid: MID, manifest_mid: manifestMID, account_type, account_number } = account;
  const paid =
    account_type === "PERMIT"
      ? { accountType: "PERMIT", permitNumber: account_number, permitZIP: account.permit_zip ?? "" }
      : { accountType: "EPS", accountNumber: account_number };
  const roles = ["PAYER", "RATE_HOLDER", "RETURN_LABEL_PAYER", "RETURN_LABEL_RATE_HOLDER"].map(
    (roleName) => ({ roleName, CRID, MID, manifestMID, ...paid }),
  );
  const owners = ["LABEL_OWNER", "RETURN_LABEL_OWNER"].map((roleName) => ({
    roleName,
    CRID,
    MID,
    manifestMID,
  }));
  return { roles: [...roles, ...owners] };
}
