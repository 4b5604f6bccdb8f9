import { Type } from "typebox";
import { Moment, Money, OneOf } from "../../domain/values/schema.ts";

const CreatedAccount = Type.Object({
  id: Type.String(),
  environment: OneOf(["live", "test"]),
  currency: Type.String(),
  token: Type.String({ description: "Shown here once." }),
});

/** The response of creating an organization. */
export const CreatedOrganization = Type.Object({
  id: Type.String(),
  name: Type.String(),
  owner_email: Type.String(),
  created_at: Moment(),
  accounts: Type.Array(CreatedAccount, { description: "The live one, then the sandbox's." }),
  live_token: Type.String(),
  sandbox_token: Type.String(),
});

/** The response of changing an account's balance by hand. */
export const Adjustment = Type.Object({
  id: Type.String(),
  type: OneOf(["adjustment"]),
  amount: Money(),
  currency: Type.String(),
  balance_after: Money(),
});
